"""Ignores every signal that can be ignored, and stays, with a daemon, when the match is over."""

import os
import signal
import time

from honest import Honest

from tarneeb_sdk.client import Client, ClientSettings

if __name__ == "__main__":
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        time.sleep(3600)
    Client(
        Honest,
        ClientSettings(address=os.environ["TARNEEB_ADDRESS"], token=os.environ["TARNEEB_TOKEN"]),
    ).play()
    print("the match is over and I am still here", flush=True)
    time.sleep(3600)
