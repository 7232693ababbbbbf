"""Takes memory until it is killed."""

from kit import Attacker

from tarneeb_sdk import SeatView, run


class MemoryHog(Attacker):
    def attack(self, view: SeatView) -> None:
        print("taking memory", flush=True)
        hoard = []
        while True:
            hoard.append(b"x" * (8 << 20))


if __name__ == "__main__":
    run(MemoryHog)
