"""Looks for a way out, and for secrets; prints REACHED for each thing that it should not reach."""

import contextlib
import errno
import glob
import os
import socket
import subprocess
import sys

from kit import Attacker

from tarneeb_sdk import SeatView, run

# Documentation's own addresses (RFC 5737), a link-local one, the usual gateway, that is the machine
# itself, a neighbour behind it, and this container's.
ADDRESSES = (
    ("192.0.2.1", 443),
    ("198.51.100.1", 53),
    ("169.254.169.254", 80),
    ("172.17.0.1", 2375),
    ("172.17.0.2", 22),
    ("127.0.0.1", 2375),
)
NAMES = (
    "example.org",
    "host.docker.internal",
    "gateway.docker.internal",
    "host.containers.internal",
)
OUR_VARIABLES = {
    "HOME",
    "HOSTNAME",
    "LANG",
    "PATH",
    "PYTHONHASHSEED",
    "PYTHONUNBUFFERED",
    "TARNEEB_ADDRESS",
    "TARNEEB_TOKEN",
    "TMPDIR",
    # Of the image, and of Python in it.
    "GPG_KEY",
    "LC_CTYPE",
    "PYTHON_VERSION",
    "PYTHON_SHA256",
}

# In a process of its own, as one with threads may never have a new namespace of users.
UNSHARE = """
import ctypes, sys
library = ctypes.CDLL(None, use_errno=True)
print(library.unshare(int(sys.argv[1])), ctypes.get_errno())
"""


def look_at_network() -> None:
    names = [line.split(":")[0].strip() for line in open("/proc/net/dev").read().splitlines()[2:]]
    if set(names) - {
        "lo",
        "tunl0",
        "sit0",
        "ip6tnl0",
        "gre0",
        "gretap0",
        "erspan0",
        "ip6_vti0",
        "ip_vti0",
        "ip6gre0",
    }:
        print("REACHED a network interface:", names)
    if open("/proc/net/route").read().count("\n") > 1:
        print("REACHED a route")
    for address in ADDRESSES:
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            with socket.socket(socket.AF_INET, kind) as line, contextlib.suppress(OSError):
                line.settimeout(1)
                line.connect(address)
                if kind == socket.SOCK_STREAM or address[0] != "127.0.0.1":
                    print("REACHED", address, kind)
    for name in NAMES:
        with contextlib.suppress(OSError):
            print("REACHED by name:", name, socket.getaddrinfo(name, 443))
    for family, kind, protocol in (
        (socket.AF_PACKET, socket.SOCK_RAW, 0),
        (socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP),
        (socket.AF_VSOCK, socket.SOCK_STREAM, 0),
    ):
        with contextlib.suppress(OSError):
            line = socket.socket(family, kind, protocol)
            if family == socket.AF_VSOCK:
                line.settimeout(1)
                line.connect((2, 1024))
            print("REACHED a socket of family", family)


def look_at_sockets() -> None:
    own = os.environ["TARNEEB_ADDRESS"].removeprefix("unix:")
    for line in open("/proc/net/unix").read().splitlines()[1:]:
        path = line.split()[-1]
        if path.startswith("@"):
            print("REACHED an abstract socket:", path)
    for folder, _, files in os.walk("/"):
        if folder.startswith(("/proc", "/sys")):
            continue
        for name in files:
            path = os.path.join(folder, name)
            with contextlib.suppress(OSError):
                if path != own and os.stat(path).st_mode & 0o170000 == 0o140000:
                    print("REACHED a socket:", path)
    for path in ("/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock"):
        if os.path.exists(path):
            print("REACHED", path)
    folder = os.path.dirname(own)
    with contextlib.suppress(OSError):
        print("REACHED the seat's folder:", sorted(os.listdir(folder)))
    for attempt in (
        lambda: os.unlink(own),
        lambda: os.mkdir(f"{folder}/x"),
        lambda: os.chmod(own, 0),
    ):
        with contextlib.suppress(OSError):
            attempt()
            print("REACHED a change of the seat's folder")


def look_at_powers() -> None:
    status = dict(line.split(":\t", 1) for line in open("/proc/self/status").read().splitlines())
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        if int(status[name], 16):
            print("REACHED capabilities", name, status[name])
    if status["NoNewPrivs"].strip() != "1":
        print("REACHED new privileges")
    if status["Seccomp"].strip() != "2":
        print("REACHED unfiltered system calls")
    if os.getuid() == 0 or os.geteuid() == 0 or os.getgroups() not in ([], [os.getgid()]):
        print("REACHED user", os.getuid(), os.getgroups())
    for name, attempt in {
        "another user": lambda: os.setuid(0),
        "another root": lambda: os.chroot("/tmp"),
        "a disk": lambda: os.mknod("/tmp/disk", 0o60600, os.makedev(254, 0)),
        # To all processes but this one and the first.
        "another process": lambda: os.kill(-1, 0),
    }.items():
        with contextlib.suppress(OSError):
            attempt()
            print("REACHED a power:", name)
    for flag in (0x10000000, 0x00020000):  # namespaces of users, and of mounts
        tried = subprocess.run(
            (sys.executable, "-c", UNSHARE, str(flag)), capture_output=True, text=True, check=False
        )
        if tried.stdout.split() != ["-1", str(errno.EPERM)]:
            print("REACHED a namespace:", hex(flag), tried.stdout, tried.stderr)
    others = [name for name in os.listdir("/proc") if name.isdigit()]
    foreign = [
        pid
        for pid in others
        if b"bot" not in open(f"/proc/{pid}/cmdline", "rb").read()
        and b"python" not in open(f"/proc/{pid}/cmdline", "rb").read()
    ]
    if foreign:
        print("REACHED processes", foreign)
    for device in glob.glob("/dev/*"):
        with contextlib.suppress(OSError):
            if os.stat(device).st_mode & 0o170000 == 0o060000:
                print("REACHED a disk:", device)
    for path in ("/proc/kcore", "/dev/mem", "/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern"):
        with contextlib.suppress(OSError), open(path, "r+b"):
            print("REACHED", path)
    if os.path.exists("/proc/keys") and open("/proc/keys").read():
        print("REACHED keys")


def look_at_secrets() -> None:
    for name in set(os.environ) - OUR_VARIABLES:
        print("REACHED a variable:", name)
    if socket.gethostname() != "bot":
        print("REACHED the host's name:", socket.gethostname())
    # The engine's own mounts, and the seat's folder.
    known = (
        "/",
        "/proc",
        "/dev",
        "/sys",
        "/tmp",
        "/referee",
        "/etc/resolv.conf",
        "/etc/hostname",
        "/etc/hosts",
    )
    for line in open("/proc/self/mountinfo"):
        place, options = line.split()[4:6]
        if not any(
            place == path or (path != "/" and place.startswith(path + "/")) for path in known
        ):
            print("REACHED a mount:", place)
        if place in ("/", "/referee", "/etc/hosts") and "ro" not in options.split(","):
            print("REACHED a writable mount:", place)
    with open("/etc/resolv.conf") as file:
        if [line for line in file if line.startswith("nameserver") and "127.0.0.1" not in line]:
            print("REACHED the machine's name servers")


class Prober(Attacker):
    def attack(self, view: SeatView) -> None:
        look_at_network()
        look_at_sockets()
        look_at_powers()
        look_at_secrets()
        print("done probing", flush=True)


if __name__ == "__main__":
    run(Prober)
