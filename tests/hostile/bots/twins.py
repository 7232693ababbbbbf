"""Plays in two processes with the same token, which push each other out."""

import os

from honest import Honest

from tarneeb_sdk import run

if __name__ == "__main__":
    os.fork()
    run(Honest)
