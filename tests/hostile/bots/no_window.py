"""Greets the referee, keeps its line alive, and gives no room for a single byte of an answer."""

import os
import socket
import time

from kit import hello
from raw_http2 import answer_pings, opening

if __name__ == "__main__":
    line = socket.socket(socket.AF_UNIX)
    line.connect(os.environ["TARNEEB_ADDRESS"].removeprefix("unix:"))
    line.sendall(opening(token=os.environ["TARNEEB_TOKEN"], message=hello()))
    print("greeted", flush=True)
    answer_pings(line)
    time.sleep(3600)
