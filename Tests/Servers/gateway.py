"""nginx as the resource gateway: open paths, paths behind introspection, and broken listeners."""

import http.client
import itertools
import os
from pathlib import Path

from .process import LOOPBACK, LogFile, Server, free_port, wait_until
from .templates import filled


class FencedLog(LogFile):
    """A log of nginx that is complete whenever it is marked or read."""

    def __init__(self, path: Path, gateway):
        self.gateway = gateway
        super().__init__(path)

    def mark(self):
        self.gateway.fence()
        super().mark()

    def lines(self) -> list:
        self.gateway.fence()
        return [line for line in super().lines() if "/fence/" not in line]


class Gateway:
    """`url` is the gateway; the other addresses are listeners that a client should refuse."""

    def __init__(self, directory: Path, authority, resource_port: int):
        self.directory, self.authority = directory, authority
        directory.mkdir(parents=True, exist_ok=True)
        names = ("main", "other", "expired", "wronghost", "padded", "old", "fence")
        self.ports = {name: free_port() for name in names}
        self.url = self.at("main")
        self.fences = itertools.count()
        self._write_configuration(resource_port)
        self.server = Server(["nginx", "-p", directory, "-c", directory / "nginx.conf"],
                             self.ports["main"], directory / "nginx.out")

    def at(self, name: str, host="localhost") -> str:
        return f"https://{host}:{self.ports[name]}"

    def start(self):
        self.server.start()
        return self

    def stop(self):
        self.server.stop()

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

    def _write_configuration(self, resource_port):
        authority = self.authority
        values = {name.upper(): port for name, port in self.ports.items()}
        values |= {
            "DIR": self.directory, "RESOURCE": resource_port,
            "USER": "user root;" if os.geteuid() == 0 else "",
            "GOOD": authority.chain("good"), "GOODKEY": authority.key("good"),
            "PADDEDPEM": authority.chain("padded"), "EXPIREDPEM": authority.chain("expired"),
            "EXPIREDKEY": authority.key("expired"),
            "WRONGHOSTPEM": authority.chain("wronghost"),
            "WRONGHOSTKEY": authority.key("wronghost")}
        (self.directory / "nginx.conf").write_text(filled("nginx.conf", values))
        (self.directory / "files").mkdir(exist_ok=True)
