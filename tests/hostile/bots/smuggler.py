"""Leaves its hand wherever its partner might find it, and looks there for its partner's."""

import contextlib
import ctypes
import fcntl
import os
import socket

from kit import in_background

from tarneeb_sdk import Bot, Move, SeatView, run

MARK = "the hand of seat"
PLACES = (
    "/tmp",
    "/dev/shm",
    "/dev/mqueue",
    "/var/tmp",
    "/run",
    "/run/lock",
    "/referee",
    "/bot",
    "/",
    ".",
    "/home",
    "/var/lib",
    "/dev",
    "/etc",
)
# A file that each image has; which ones are locked could be read as bits.
LOCKED = ("/bot/smuggler.py", "/bot/kit.py", "/etc/passwd", "/etc/group")
KEY = 0x7A81
libc = ctypes.CDLL(None, use_errno=True)


def leave(text: str, seat: int) -> None:
    for place in PLACES:
        with contextlib.suppress(OSError), open(f"{place}/smuggled-{seat}", "w") as file:
            file.write(text)
    listener = socket.socket(socket.AF_UNIX)
    with contextlib.suppress(OSError):
        listener.bind(f"\0smuggled-{seat}")
        listener.listen()
        in_background(serve, listener, text.encode())
    inet = socket.socket()
    with contextlib.suppress(OSError):
        inet.bind(("0.0.0.0", 7000 + seat))
        inet.listen()
        in_background(serve, inet, text.encode())
    # System V shared memory, which outlives the process.
    shared = libc.shmget(KEY + seat, 4096, 0o1666)
    libc.shmat.restype = ctypes.c_void_p
    address = libc.shmat(shared, None, 0) if shared >= 0 else None
    if address not in (None, 2**64 - 1):
        ctypes.memmove(address, text.encode(), len(text))
    # Locks on files that both images have: one bit each.
    with contextlib.suppress(OSError):
        fcntl.flock(os.open(LOCKED[seat], os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)


def serve(listener: socket.socket, text: bytes) -> None:
    while True:
        line, _ = listener.accept()
        with line:
            line.sendall(text)


def look(seat: int) -> None:
    for other in {0, 1, 2, 3} - {seat}:
        for place in PLACES:
            with contextlib.suppress(OSError), open(f"{place}/smuggled-{other}") as file:
                print("FOUND in", place, file.read(), flush=True)
        for address in (f"\0smuggled-{other}", ("127.0.0.1", 7000 + other)):
            family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
            with socket.socket(family) as line, contextlib.suppress(OSError):
                line.settimeout(0.2)
                line.connect(address)
                print("FOUND at", repr(address), line.recv(200), flush=True)
        if libc.shmget(KEY + other, 0, 0) >= 0:
            print("FOUND in shared memory", flush=True)
    if os.getpid() > 100 or len([pid for pid in os.listdir("/proc") if pid.isdigit()]) > 3:
        print("FOUND processes of others", flush=True)
    for other in {0, 1, 2, 3} - {seat}:
        descriptor = os.open(LOCKED[other], os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            print("FOUND a lock on", LOCKED[other], flush=True)
        os.close(descriptor)


class Smuggler(Bot):
    looked = 0

    def decide(self, view: SeatView) -> Move:
        if self.looked == 0:
            leave(f"{MARK} {self.seat}: {view.hand}", self.seat)
        if self.looked < 5:
            look(self.seat)
        if self.looked == 5:
            print("looked everywhere", flush=True)
        self.looked += 1
        return view.legal[0]


if __name__ == "__main__":
    run(Smuggler)
