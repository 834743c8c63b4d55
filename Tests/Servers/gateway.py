"""nginx as the resource gateway: open paths, paths behind introspection, and broken listeners."""

import os
from pathlib import Path

from .fenced import Fenced
from .process import Server, free_port
from .templates import filled


class Gateway(Fenced):
    """`url` is the gateway; the other addresses are listeners that a client should refuse."""

    def __init__(self, directory: Path, authority, resource_port: int):
        super().__init__(directory)
        self.authority = authority
        directory.mkdir(parents=True, exist_ok=True)
        names = ("main", "other", "expired", "wronghost", "padded", "old", "fence")
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
