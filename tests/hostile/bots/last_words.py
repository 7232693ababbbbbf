"""Writes its last line when the match is over."""

import time

from honest import Honest

from tarneeb_sdk import run

if __name__ == "__main__":
    run(Honest)
    time.sleep(0.1)
    print("my last line", flush=True)
