"""Logs of nginx that are complete: nginx writes them down later than a client gets its response."""

import http.client
import itertools
from pathlib import Path

from .process import LOOPBACK, LogFile, wait_until


class FencedLog(LogFile):
    """A log of nginx that is complete whenever it is marked or read."""

    def __init__(self, path: Path, nginx):
        self.nginx = nginx
        super().__init__(path)

    def mark(self):
        self.nginx.fence()
        super().mark()

    def lines(self) -> list:
        self.nginx.fence()
        return [line for line in super().lines() if "/fence/" not in line]


class Fenced:
    """An nginx with one worker, with logs in `directory` and a plain port, `ports["fence"]`."""

    def __init__(self, directory: Path):
        self.directory = directory
        self.fences = itertools.count()

    def requests(self) -> LogFile:
        """The access log from now on: one line for each request line that nginx ever read."""
        return FencedLog(self.directory / "access.log", self)

    def troubles(self) -> LogFile:
        """The error log from now on, with every failed handshake."""
        return FencedLog(self.directory / "error.log", self)

    def fence(self):
        """Makes nginx write down all that it has seen: its one worker logs in order."""
        mark = f"/fence/{next(self.fences)}"
        log = LogFile(self.directory / "access.log")
        connection = http.client.HTTPConnection(LOOPBACK, self.ports["fence"], timeout=5)
        connection.request("GET", mark)
        connection.getresponse().read()
        connection.close()
        wait_until(lambda: log.count(mark + " "), "nginx's log")
