"""Says half a sentence in HTTP/2 and is silent from then on."""

import os
import socket
import time

if __name__ == "__main__":
    address = os.environ["TARNEEB_ADDRESS"].removeprefix("unix:")
    lines = [socket.socket(socket.AF_UNIX) for _ in range(3)]
    for line in lines:
        line.connect(address)
    lines[0].sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00")
    lines[0].sendall(b"\x00\x40\x00\x01\x04\x00\x00\x00\x01half of a header")
    lines[1].sendall(os.urandom(4096))
    time.sleep(3600)
