"""What the programs of this folder share: which sdkctl is measured, and what a command costs."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Cost:
    """Seconds on the clock and of processors, the peak of memory, page faults, and the output."""

    seconds: float
    processor: float
    kibibytes: int
    faults: int
    output: bytes


def binary() -> Path:
    """The program that the command line names, or the one that `make release` makes."""
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    return Path(words[0] if words else ".build/stripped/sdkctl").resolve()


def use_store(directory):
    """Uses this store and, in curl too, no other authorities than those of the command line."""
    os.environ["SDKCTL_HOME"] = str(directory)
    for variable in ("CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"):
        os.environ.pop(variable, None)


def cost(command, stdin=os.devnull, may_fail=False) -> Cost:
    """Runs a command, which must succeed unless it may fail; then its messages are not shown."""
    words = [str(word) for word in command]
    with (open(stdin, "rb") as source, open(os.devnull, "wb") as null,
          tempfile.TemporaryFile() as output):
        streams = [(source, 0), (output, 1), *([(null, 2)] if may_fail else [])]
        start = time.monotonic()
        child = os.posix_spawn(
            shutil.which(words[0]), words, os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, file.fileno(), number) for file, number in streams])
        peak = Peak(child)
        _, status, usage = os.wait4(child, 0)
        seconds = time.monotonic() - start
        if status != 0 and not may_fail:
            sys.exit(f"{' '.join(words)}: {os.waitstatus_to_exitcode(status)}")
        output.seek(0)
        return Cost(seconds, usage.ru_utime + usage.ru_stime, peak.stop(),
                    usage.ru_minflt + usage.ru_majflt, output.read())


class Peak:
    """The peak memory of a process in KiB: the kernel's own count begins with its parent's."""

    def __init__(self, process):
        self.kibibytes, self.ends = 0, threading.Event()
        self.file = open(f"/proc/{process}/status", "rb", buffering=0)
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()

    def stop(self) -> int:
        self.ends.set()
        self.thread.join()
        self.file.close()
        return self.kibibytes

    def _watch(self):
        while not self.ends.wait(0.02):
            try:
                self.file.seek(0)
                for line in self.file.read().splitlines():
                    if line.startswith(b"VmHWM:"):
                        self.kibibytes = int(line.split()[1])
            except ProcessLookupError:
                return


def verdict(is_met: bool) -> str:
    return "met" if is_met else "MISSED"


def curl_pin(authority, name) -> str:
    """A pin as curl writes it."""
    return authority.pin(name).replace("sha256/", "sha256//")


def add_profile(sdkctl, name, url, pin, *options):
    """Adds a profile whose servers are at this URL of localhost, and its pin."""
    for words in (["profile", "add", name, "--issuer", url, "--resource-url", url, *options],
                  ["pin", "add", "-p", name, pin, "--host", "localhost", "--yes"]):
        subprocess.run([sdkctl, *words], check=True, stdout=subprocess.DEVNULL)
