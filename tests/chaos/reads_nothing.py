"""Says hello, and never reads from its socket again."""

import os
import signal
import threading
import time

from tests.chaos.wild import Wild

wild = Wild()
wild.hello()
next(wild.responses())


def stop_all_threads() -> None:
    # gRPC reads in threads of its own; so the whole process is stopped and woken, again and again.
    while True:
        os.kill(os.getpid(), signal.SIGSTOP)


time.sleep(0.05)
threading.Thread(target=stop_all_threads).start()
time.sleep(3600)
