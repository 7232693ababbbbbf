"""The referee's end of the socket to a keeper, with a keeper that is made up."""

import asyncio
import socket

from tarneeb_referee.hosts import keeper_messages
from tarneeb_referee.hosts.base import ExitInfo
from tarneeb_referee.hosts.keeper_link import KeeperLink


def message(kind: int, body: bytes) -> bytes:
    return keeper_messages.HEADER.pack(kind, len(body)) + body


LAST_WORDS = (
    message(keeper_messages.EXITED, keeper_messages.EXITED_BODY.pack(1, 0, 0.25, 4096, False)),
    message(keeper_messages.OUTPUT, keeper_messages.OUTPUT_BODY.pack(0, 0, 3) + b"out"),
    message(keeper_messages.OUTPUT, keeper_messages.OUTPUT_BODY.pack(1, 0, 3) + b"err"),
    message(keeper_messages.GONE, keeper_messages.COUNT_BODY.pack(0)),
)


def test_who_is_asked_to_stop_after_its_last_word_is_heard_to_the_end() -> None:
    async def main() -> KeeperLink:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        link = KeeperLink(ours, output_cap_bytes=1024)
        await asyncio.get_running_loop().create_connection(lambda: link, sock=ours)
        theirs.sendall(b"".join(LAST_WORDS))
        theirs.close()
        link.ask_to_stop(0.0)
        await asyncio.wait_for(link.closed, 10.0)
        link.ask_to_stop(0.0)
        return link

    link = asyncio.run(main())
    assert link.survivors == 0
    assert link.exited.result() == ExitInfo(
        code=1, cpu_s=0.25, peak_memory_bytes=4096, stopped=True
    )
    assert (link.logs.stdout.head, link.logs.stderr.head) == (b"out", b"err")
