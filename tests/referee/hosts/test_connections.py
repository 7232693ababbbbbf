"""Which connection is cut, and which are not."""

import socket
from pathlib import Path

import pytest

from tarneeb_referee.hosts import connections
from tarneeb_referee.hosts.connections import cut_connection


def peer_of(line: socket.socket) -> str:
    """The other side's name for a client's end, as gRPC writes it."""
    host, port = line.getsockname()[:2]
    return f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}"


def pair(listener: socket.socket) -> tuple[socket.socket, socket.socket]:
    client = socket.create_connection(listener.getsockname()[:2])
    server, _ = listener.accept()
    client.settimeout(10)
    return client, server


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_only_the_peers_connection_is_cut(host: str) -> None:
    try:
        listener = socket.create_server(
            (host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except OSError:
        pytest.skip(f"no {host} here")
    with listener:
        port = listener.getsockname()[1]
        (cut, cut_end), (kept, kept_end) = pair(listener), pair(listener)
        with cut, cut_end, kept, kept_end:
            files = sorted(Path("/dev/fd").iterdir())
            assert not cut_connection(peer_of(cut), port=port + 1)
            name = peer_of(cut)
            assert cut_connection(name, port=port)
            assert cut.recv(1) == b""
            kept_end.sendall(b"x")
            assert kept.recv(1) == b"x"
            assert sorted(Path("/dev/fd").iterdir()) == files
        assert not cut_connection(name, port=port), "it is closed"


def test_a_peer_that_came_in_by_version_4_on_a_socket_of_version_6() -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("no such sockets here")
    with socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as listener:
        port = listener.getsockname()[1]
        client = socket.create_connection(("127.0.0.1", port))
        server, _ = listener.accept()
        with client, server:
            assert cut_connection(peer_of(client), port=port)
            assert client.recv(1) == b""


@pytest.mark.parametrize("peer", ["unix:", "unix:/run/seat", "", "ipv4:", "ipv4:192.0.2.1:x"])
def test_what_is_no_address_over_tcp_names_no_connection(peer: str) -> None:
    ends = socket.socketpair()
    with ends[0], ends[1]:
        assert not cut_connection(peer, port=1)
        ends[0].sendall(b"x")


def test_where_files_cannot_be_listed_nothing_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_OPEN_FILES", str(tmp_path / "none"))
    assert not cut_connection("ipv4:127.0.0.1:1", port=1)
