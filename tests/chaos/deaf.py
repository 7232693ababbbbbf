"""Connects to the referee's socket and says nothing, or half of something, in HTTP/2 or not."""

import os
import socket
import sys
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))

SAYS = {
    "nothing": b"",
    "half a frame": PREFACE + SETTINGS[:4],
    "garbage": PREFACE + SETTINGS + bytes(range(256)) * 64,
    "http 1": b"GET / HTTP/1.1\r\n\r\n",
}

path = os.environ["TARNEEB_ADDRESS"].removeprefix("unix:")
with socket.socket(socket.AF_UNIX) as sock:
    sock.connect(path)
    sock.sendall(SAYS[sys.argv[1]])
    time.sleep(3600)
