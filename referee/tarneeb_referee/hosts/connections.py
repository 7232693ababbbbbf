"""Cuts one connection of a gRPC server, which gRPC itself offers no way to do."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
from typing import Final
from urllib.parse import unquote

__all__ = ["cut_connection"]

_OPEN_FILES: Final = "/dev/fd"


def cut_connection(peer: str, *, port: int) -> bool:
    """Shut the connection of a peer down, so that gRPC ends all that goes over it.

    A server's call that waits to write to a peer who takes nothing in can be neither cancelled nor
    given a time limit. Its socket can be found among this process's open files. We shut down a
    duplicate, so a number that is closed and given to another file meanwhile does no harm.

    Args:
        peer: as `grpc.aio.ServicerContext.peer` gives it.
        port: of ours, on which the peer has come in.

    Returns:
        Whether there was such a connection; False, too, where open files cannot be listed.
    """
    wanted = _parse_peer(peer)
    try:
        numbers = os.listdir(_OPEN_FILES)  # noqa: PTH208 - numbers, not paths
    except OSError:
        return False
    for number in numbers:
        # Most are no sockets, or not connected; and the one that we list by is closed again.
        with contextlib.suppress(OSError), _duplicate(int(number)) as line:
            if wanted == _address(line.getpeername()) and _port(line.getsockname()) == port:
                line.shutdown(socket.SHUT_RDWR)
                return True
    return False


def _duplicate(number: int) -> socket.socket:
    copy = os.dup(number)
    try:
        return socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        raise


def _parse_peer(peer: str) -> tuple[str, int] | None:
    """Parse gRPC's way of writing an address over TCP; None for any other.

    >>> _parse_peer("ipv4:192.0.2.1:443"), _parse_peer("ipv6:%5B::1%5D:443"), _parse_peer("unix:")
    (('192.0.2.1', 443), ('::1', 443), None)
    """
    kind, _, address = unquote(peer).partition(":")
    host, _, port = address.rpartition(":")
    if kind not in ("ipv4", "ipv6") or not port.isdigit():
        return None
    return _address((host.strip("[]"), int(port)))


def _address(name: object) -> tuple[str, int] | None:
    """Give host and port of what `getpeername` gives, in one form; None if it is not over TCP."""
    if not isinstance(name, tuple):
        return None
    host = ipaddress.ip_address(str(name[0]))
    if isinstance(host, ipaddress.IPv6Address) and host.ipv4_mapped is not None:
        host = host.ipv4_mapped
    return str(host), int(name[1])


def _port(name: object) -> int | None:
    return int(name[1]) if isinstance(name, tuple) else None
