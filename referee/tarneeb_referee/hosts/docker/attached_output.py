"""A container's output, as the engine sends it."""

from __future__ import annotations

import socket
from typing import Any

import docker

__all__ = ["AttachedOutput", "attach_output"]


class AttachedOutput:
    """A container's output as it comes: a socket's methods, on what docker-py gives.

    For plain connections that is a file around the socket, which after one time-out never reads
    again; and closing one of them leaves the others open.
    """

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._socket: socket.socket = getattr(raw, "_sock", raw)
        self._socket.settimeout(None)

    def recv(self, size: int) -> bytes:
        """Wait for some bytes; none at the end."""
        return self._socket.recv(size)

    def shutdown(self) -> None:
        """End what waits in `recv`."""
        self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of the connection; only for who reads from it."""
        response = getattr(self._raw, "_response", None)
        if response is not None:
            response.close()
        self._raw.close()
        self._socket.close()


def attach_output(client: docker.APIClient, *, container: str) -> AttachedOutput:
    """Open a container's output, in the calling thread."""
    return AttachedOutput(
        client.attach_socket(container, params={"stdout": 1, "stderr": 1, "stream": 1})
    )
