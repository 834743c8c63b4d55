"""A terminal whose person is the test: a command that reads what is typed, and shows what it says."""

import os
import pty
import select
import time


class PseudoTerminal:
    """Runs a command of a home with a terminal as its standard streams."""

    def __init__(self, home, binary, *arguments):
        self.shown = b""
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.chdir(home.directory)
            os.execve(binary, [str(binary), *map(str, arguments)], home.environment)

    def wait_for(self, text: bytes, seconds=60) -> bytes:
        """What was shown up to and with this text since the last call."""
        deadline = time.monotonic() + seconds
        while text not in self.shown:
            left = deadline - time.monotonic()
            if left <= 0 or not self._read(left):
                raise AssertionError(f"{text!r} was not shown: {self.shown!r}")
        before, found, self.shown = self.shown.partition(text)
        return before + found

    def type(self, text: str):
        os.write(self.descriptor, text.encode())

    def end(self) -> tuple:
        """The exit status, negative for a signal, and the rest of what was shown."""
        while self._read(60):
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.descriptor)
        return os.waitstatus_to_exitcode(status), self.shown

    def _read(self, seconds) -> bool:
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return False
        try:
            part = os.read(self.descriptor, 65536)
        except OSError:  # what Linux says when the program has closed its side
            return False
        self.shown += part
        return bool(part)
