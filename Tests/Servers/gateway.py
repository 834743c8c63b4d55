"""nginx as the resource gateway: open paths, paths behind introspection, and broken listeners."""

import os
import re
from pathlib import Path

from .process import LogFile, Server, free_port

HERE = Path(__file__).parent


class Gateway:
    """`url` is the gateway; the other addresses are listeners that a client should refuse."""

    def __init__(self, directory: Path, authority, resource_port: int):
        self.directory, self.authority = directory, authority
        directory.mkdir(parents=True, exist_ok=True)
        names = ("main", "other", "expired", "wronghost", "padded", "old")
        self.ports = {name: free_port() for name in names}
        self.url = self.at("main")
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
        return LogFile(self.directory / "access.log")

    def troubles(self) -> LogFile:
        """The error log from now on, with every failed handshake."""
        return LogFile(self.directory / "error.log")

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
        text = re.sub("@([A-Z]+)@", lambda match: str(values.get(match[1], match[0])),
                      (HERE / "nginx.conf").read_text())
        (self.directory / "nginx.conf").write_text(text)
        (self.directory / "files").mkdir(exist_ok=True)
