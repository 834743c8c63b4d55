"""nginx in front of the provider and as a resource server, asking for client certificates."""

import os
from pathlib import Path

from .process import Server, free_port
from .templates import filled

LINES = 30  # of a certificate as PEM, at the most


class Front:
    """`any` takes every certificate, or none, and tells the provider; `strict` wants one of the root's."""

    HEADER = "X-Client-Certificate"

    def __init__(self, directory: Path, authority, provider_port: int):
        self.directory, self.authority = directory, authority
        directory.mkdir(parents=True, exist_ok=True)
        self.ports = {name: free_port() for name in ("any", "strict")}
        self._write_configuration(provider_port)
        self.server = Server(["nginx", "-p", directory, "-c", directory / "nginx.conf"],
                             self.ports["any"], directory / "nginx.out")

    def at(self, name: str) -> str:
        return f"https://localhost:{self.ports[name]}"

    def start(self):
        self.server.start()
        return self

    def stop(self):
        self.server.stop()

    def _write_configuration(self, provider_port):
        lines = "".join(rf"(?:(?<line{index}>[^\n-]+)\n)?" for index in range(LINES))
        values = {name.upper(): port for name, port in self.ports.items()} | {
            "DIR": self.directory, "PROVIDER": provider_port, "ROOT": self.authority.root,
            "USER": "user root;" if os.geteuid() == 0 else "",
            "GOOD": self.authority.chain("good"), "GOODKEY": self.authority.key("good"),
            "PATTERN": rf"-+BEGIN CERTIFICATE-+\n{lines}-+END CERTIFICATE-+\s*",
            "LINES": " ".join(f"$line{index}" for index in range(LINES))}
        (self.directory / "nginx.conf").write_text(filled("front.conf", values))
