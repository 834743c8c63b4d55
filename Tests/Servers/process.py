"""Server processes: started on a free port, ready when they answer, ended by their process id."""

import ctypes
import os
import random
import signal
import socket
import subprocess
import time
from pathlib import Path

LOOPBACK = "127.0.0.1"
# Opened here: the loader may be locked in the child of a process with threads.
LIBC = ctypes.CDLL(None)
# A server's own configuration may not have one port twice.
DRAWN = set()


def library(name: str) -> Path:
    """A library of this machine."""
    command = f"ldconfig -p | grep -m1 '{name}' | sed 's/.*=> //'"
    return Path(subprocess.run(["sh", "-c", command], capture_output=True, text=True,
                               check=True).stdout.strip())


def free_port() -> int:
    """A loopback port that nobody listens on now, from below the range of outgoing connections.

    Ports are drawn at random so that two runs at once do not choose the same ones. No port is drawn twice.
    Of one run, each suite has a range of its own.
    """
    first, last = map(int, os.environ.get("SDKCTL_TEST_PORTS", "15000-31999").split("-"))
    while True:
        port = random.randint(first, last)
        if port in DRAWN:
            continue
        DRAWN.add(port)
        with socket.socket() as probe:
            try:
                probe.bind((LOOPBACK, port))
                return port
            except OSError:
                continue


def wait_until(condition, what: str, seconds: float = 60.0):
    """Polls until `condition()` is true and answers its value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise TimeoutError(f"{what} did not happen within {seconds:g} s")


def answers(port: int) -> bool:
    """Whether something accepts connections on a loopback port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((LOOPBACK, port)) == 0


class Server:
    """A child process that logs into `log`, and is ready when it serves `port`, or as `ready` says."""

    def __init__(self, command, port, log: Path, environment=None, ready=None,
                 stdin=subprocess.DEVNULL):
        self.command, self.log = [str(word) for word in command], log
        self.environment, self.stdin = environment, stdin
        self.serves = ready or (lambda: answers(port))
        self.process = None

    def start(self):
        with open(self.log, "ab") as sink:
            self.process = subprocess.Popen(
                self.command, stdin=self.stdin, stdout=sink, stderr=sink,
                env=self.environment, preexec_fn=_end_with_parent)
        try:
            wait_until(self._ready, f"the start of {self.command[0]}", seconds=60)
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self):
        """Ends the process, gently at first; a second call does nothing."""
        process, self.process = self.process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdin:
            process.stdin.close()

    def _ready(self) -> bool:
        if self.process.poll() is not None:
            tail = self.log.read_text(errors="replace")[-2000:]
            raise RuntimeError(f"{self.command[0]} ended with {self.process.returncode}: {tail}")
        return self.serves()


def s_server(test, place: Path, port: int, *options):
    """OpenSSL's server with files of a folder, until the end of the test."""
    process = subprocess.Popen(
        ["openssl", "s_server", "-www", "-accept", str(port), *options], cwd=place, stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    test.addCleanup(process.communicate)
    test.addCleanup(process.kill)
    wait_until(lambda: answers(port), f"port {port}")


class LogFile:
    """A growing log with a mark: what was written since."""

    def __init__(self, path: Path):
        self.path, self.start = path, 0
        self.mark()

    def mark(self):
        self.start = self.path.stat().st_size if self.path.exists() else 0

    def lines(self) -> list:
        """Every complete line since the mark."""
        if not self.path.exists():
            return []
        with open(self.path, "rb") as file:
            file.seek(self.start)
            return file.read().decode(errors="replace").splitlines()

    def count(self, text: str) -> int:
        return sum(text in line for line in self.lines())


def _end_with_parent():
    """Asks Linux to end this process when the test run dies (PR_SET_PDEATHSIG)."""
    LIBC.prctl(1, signal.SIGTERM)
