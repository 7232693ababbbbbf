"""Stands between the referee and one bot, so that nothing of the bot outlives either of them.

The process host starts it with the command line of `keeper_command`, in the bot's folder and
with the bot's environment; descriptor 0 is a socket to the referee. The keeper

- starts the command in a session of its own, away from the terminal and its Ctrl-C;
- takes what it prints, so that neither a flood nor a pipe that nobody closes reaches the referee;
- tells the referee at once how it ended;
- ends the whole tree, when asked, when the bot itself ends, and when the referee is no more.

On Linux it is a subreaper: a descendant whose parent dies becomes its child, whatever sessions
and double forks it went through. So "no child left" is exactly "nothing left". Elsewhere only
the bot's process group is ended.

One keeper starts with each bot, so this file and what it imports of the project import only what
starts fast. `typing` and `signal` would double its start.
"""

from __future__ import annotations

import errno
import os
import resource
import select
import sys
import time

from tarneeb_referee.hosts.keeper_messages import (
    COUNT_BODY,
    EXITED,
    EXITED_BODY,
    FAILED,
    GONE,
    GRACE_BODY,
    HEADER,
    OUTPUT,
    OUTPUT_BODY,
    PID_BODY,
    REPORT,
    STARTED,
    STOP,
)
from tarneeb_referee.hosts.output_buffer import OutputBuffer
from tarneeb_referee.hosts.processes import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_PDEATHSIG,
    prctl,
    running_processes,
    send_signal,
    signal_group,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from typing import Final, NoReturn
else:
    # The same functions and numbers, before `signal` makes enums of them.
    import _signal as signal

CONTROL: Final = 0

KILL_S: Final = 1.5
"""How long killed processes may take to go before the keeper gives up on them."""

_READ_BYTES: Final = 65_536
_DRAIN_READS: Final = 64
# After each full read of a flood: it leaves the cores to the bots that play, and still takes
# some 50 MB/s, more than any honest log.
_FLOOD_PAUSE_S: Final = 0.001
_OOM_SCORE_ADJ: Final = b"500"
# How a shell around the bot tells that its command was killed by SIGKILL.
_KILLED_BELOW_SHELL: Final = 128 + signal.SIGKILL
_DEFAULT_SIGNALS: Final = (
    signal.SIGPIPE,
    signal.SIGXFSZ,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGCHLD,
)


class Keeper:
    """Keeps one bot from its start until nothing of it is left."""

    def __init__(self, command: list[str], output_cap_bytes: int) -> None:
        self._command = command
        self._outputs = (OutputBuffer(output_cap_bytes // 2), OutputBuffer(output_cap_bytes // 2))
        self._poll = select.poll()
        self._streams: dict[int, OutputBuffer] = {}
        self._received = b""
        self._pid = 0
        self._childless = False
        self._exited = False
        self._stop_at: float | None = None
        self._referee_gone = False
        self._oom_kills = _oom_kills()
        self._wakeup = _child_wakeup()
        self._is_subreaper = prctl(PR_SET_CHILD_SUBREAPER, 1)

    def run(self) -> None:
        """Start the bot and return when it and all that it started are gone."""
        self._poll.register(CONTROL, select.POLLIN)
        self._poll.register(self._wakeup, select.POLLIN)
        try:
            self._start()
            while not self._is_over():
                self._step()
        finally:
            survivors = self._kill_tree()
        self._drain_all()
        self._send_outputs()
        self._send(GONE, COUNT_BODY.pack(survivors))

    def _start(self) -> None:
        pipes = (os.pipe(), os.pipe())
        keeper = os.getpid()
        self._pid = os.fork()
        if self._pid == 0:
            _become_bot(self._command, keeper, pipes[0][1], pipes[1][1])
        for (read_end, write_end), buffer in zip(pipes, self._outputs, strict=True):
            os.close(write_end)
            os.set_blocking(read_end, False)
            self._streams[read_end] = buffer
            self._poll.register(read_end, select.POLLIN)
        self._send(STARTED, PID_BODY.pack(self._pid))

    def _is_over(self) -> bool:
        if self._referee_gone:
            return True
        if self._stop_at is None:
            return self._exited
        return self._tree_is_gone() or time.monotonic() >= self._stop_at

    def _step(self, longest_s: float | None = None) -> None:
        """Wait for the next thing to happen, and see to it."""
        if longest_s is None and self._stop_at is not None:
            longest_s = max(0.0, self._stop_at - time.monotonic())
        timeout_ms = None if longest_s is None else longest_s * 1000 + 1
        flooded = False
        for descriptor, _ in self._poll.poll(timeout_ms):
            if descriptor == CONTROL:
                self._read_control()
            elif descriptor == self._wakeup:
                os.read(self._wakeup, 4096)
            elif descriptor in self._streams:  # a report before may have read it to its end
                flooded |= self._read_stream(descriptor) == _READ_BYTES
        self._reap()
        if flooded:
            time.sleep(_FLOOD_PAUSE_S)

    def _read_stream(self, descriptor: int) -> int:
        try:
            data = os.read(descriptor, _READ_BYTES)
        except BlockingIOError:
            return 0
        if data:
            self._streams[descriptor].add(data)
        else:
            # All writers closed it. That is no end: the bot plays over its socket.
            self._poll.unregister(descriptor)
            del self._streams[descriptor]
            os.close(descriptor)
        return len(data)

    def _drain_all(self) -> None:
        """Take what is in the pipes now; bounded, as somebody may still be writing."""
        for stream in tuple(self._streams):
            for _ in range(_DRAIN_READS):
                if self._read_stream(stream) == 0:
                    break

    def _reap(self) -> None:
        bot: tuple[int, resource.struct_rusage] | None = None
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                self._childless = True
                break
            if pid == 0:
                break
            if pid == self._pid:
                bot = status, usage
        # Only now: the kernel gives the oldest child first, and helpers that have ended before the
        # bot count to its peak.
        if bot is not None:
            self._note_exit(*bot)

    def _note_exit(self, status: int, usage: resource.struct_rusage) -> None:
        self._drain_all()
        self._exited = True
        by_signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        code = -1 if by_signal else os.WEXITSTATUS(status)
        unit = 1 if sys.platform == "darwin" else 1024
        killed = by_signal == signal.SIGKILL or code == _KILLED_BELOW_SHELL
        out_of_memory = killed and _oom_kills() != self._oom_kills
        cpu_s = usage.ru_utime + usage.ru_stime
        # Beside its own and what it has waited for, that of helpers which were left to us.
        helpers = resource.getrusage(resource.RUSAGE_CHILDREN)
        peak = max(usage.ru_maxrss, helpers.ru_maxrss) * unit
        self._send(EXITED, EXITED_BODY.pack(code, by_signal, cpu_s, peak, out_of_memory))

    def _read_control(self) -> None:
        try:
            data = os.read(CONTROL, _READ_BYTES)
        except ConnectionError:
            data = b""
        if not data:
            self._lose_referee()
        self._received += data
        while len(self._received) >= HEADER.size:
            kind, length = HEADER.unpack_from(self._received)
            if len(self._received) < HEADER.size + length:
                return
            body = self._received[HEADER.size : HEADER.size + length]
            self._received = self._received[HEADER.size + length :]
            if kind == STOP:
                self._ask_to_stop(GRACE_BODY.unpack(body)[0])
            elif kind == REPORT:
                self._drain_all()
                self._send_outputs()

    def _ask_to_stop(self, grace_s: float) -> None:
        self._stop_at = time.monotonic() + grace_s
        if not self._exited:
            # A stopped process hears SIGTERM only once it goes on.
            for number in (signal.SIGTERM, signal.SIGCONT):
                # For a moment after the fork there is no group yet.
                _ = signal_group(self._pid, number) or send_signal(self._pid, number)

    def _tree_is_gone(self) -> bool:
        if not self._childless:
            return False
        return self._is_subreaper or not signal_group(self._pid, 0)

    def _kill_tree(self) -> int:
        """Kill all that is left, and give the number of processes that would not go."""
        if self._pid == 0:
            return 0
        deadline = time.monotonic() + KILL_S
        self._reap()
        while not self._tree_is_gone() and time.monotonic() < deadline:
            # One pass does for nearly all. A process forked while we looked takes another.
            for pid, group in self._descendants():
                if group:
                    signal_group(group, signal.SIGKILL)
                send_signal(pid, signal.SIGKILL)
            if not self._is_subreaper:
                signal_group(self._pid, signal.SIGKILL)
            self._step(0.005)
        return 0 if self._tree_is_gone() else max(1, len(self._descendants()))

    def _descendants(self) -> list[tuple[int, int]]:
        """List the tree below, each with its process group where we may kill that as a whole.

        A group is named for our own children only: while we have not waited for one, neither
        its number nor that of its group can pass to a stranger. A bot that has only just been
        forked is still in our own group.
        """
        me, our_group = os.getpid(), os.getpgrp()
        children: dict[int, list[tuple[int, int]]] = {}
        for pid, parent, group in running_processes():
            is_to_go_whole = parent == me and group != our_group
            children.setdefault(parent, []).append((pid, group if is_to_go_whole else 0))
        found = list(children.get(me, ()))
        for pid, _ in found:
            found += children.get(pid, ())
        return found

    def _send_outputs(self) -> None:
        for stream, buffer in enumerate(self._outputs):
            head, tail, dropped = buffer.parts()
            self._send(OUTPUT, OUTPUT_BODY.pack(stream, dropped, len(head)) + head + tail)

    def _send(self, kind: int, body: bytes) -> None:
        if self._referee_gone:
            return
        data = memoryview(HEADER.pack(kind, len(body)) + body)
        try:
            while data:
                data = data[os.write(CONTROL, data) :]
        except OSError:
            self._lose_referee()

    def _lose_referee(self) -> None:
        if not self._referee_gone:
            self._referee_gone = True
            self._poll.unregister(CONTROL)


def keeper_command(command: tuple[str, ...], *, output_cap_bytes: int) -> tuple[str, ...]:
    """Give the command line that keeps a bot.

    Imported, this file is compiled once and for all; run as a script, for each bot again.
    """
    start = (
        "import sys; sys.path.append(sys.argv[1]);"
        " from tarneeb_referee.hosts import keeper; keeper.main()"
    )
    # `-I -S` finds the standard library alone, and site-packages slowly.
    packages = os.path.abspath(__file__)  # noqa: PTH100 - pathlib starts slowly
    for _ in range(3):
        packages = os.path.dirname(packages)  # noqa: PTH120
    return (sys.executable, "-I", "-S", "-c", start, packages, str(output_cap_bytes), *command)


def _become_bot(command: list[str], keeper: int, stdout: int, stderr: int) -> NoReturn:
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(stdout, 1)
        os.dup2(stderr, 2)
        for number in _DEFAULT_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        # A core file may be as large as the bot's memory.
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        _offer_to_oom_killer()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == keeper:
            os.execvp(command[0], command)  # noqa: S606 - a bot's own command
    except OSError as error:
        missing = isinstance(error, (FileNotFoundError, NotADirectoryError))
        hint = ""
        if missing and os.path.exists(command[0]):  # noqa: PTH110
            hint = " (or the program that its first line names)"
        elif error.errno == errno.ENOEXEC:
            hint = " (a script has to begin with #! and its interpreter)"
        os.write(2, os.fsencode(f"exec: {error.strerror}: {command[0]}{hint}\n"))
        os._exit(127 if missing else 126)
    finally:
        os._exit(127)


def _offer_to_oom_killer() -> None:
    """Make the machine, when its memory ends, end a bot rather than the referee."""
    try:
        descriptor = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(descriptor, _OOM_SCORE_ADJ)
        os.close(descriptor)
    except OSError:
        pass  # not Linux, or not allowed: a courtesy only


def _oom_kills() -> bytes:
    """Read how often this machine ran out of memory and killed; empty where unknown."""
    try:
        with open("/proc/vmstat", "rb") as file:  # noqa: PTH123
            lines = file.read().splitlines()
    except OSError:
        return b""
    return next((line for line in lines if line.startswith(b"oom_kill ")), b"")


def _child_wakeup() -> int:
    """Make a descriptor that becomes readable whenever a child ends."""
    read_end, write_end = os.pipe()
    os.set_blocking(read_end, False)
    os.set_blocking(write_end, False)
    signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return read_end


def main() -> None:
    """Keep the bot that the command line names (`keeper_command`)."""
    keeper = Keeper(sys.argv[3:], int(sys.argv[2]))
    try:
        keeper.run()
    except Exception as error:  # noqa: BLE001 - the last fence of this process
        text = repr(error).encode()
        os.write(CONTROL, HEADER.pack(FAILED, len(text)) + text)
    os._exit(0)  # nothing to tidy, and tidying takes the interpreter some milliseconds
