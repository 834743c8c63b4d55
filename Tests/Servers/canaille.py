"""Canaille: an OpenID provider on authlib, from PyPI, set up anew for one run."""

import os
from pathlib import Path

from .authority import run
from .process import LOOPBACK, Server
from .provider import Provider
from .templates import filled
from .virtual_environment import VirtualEnvironment

ENVIRONMENT = VirtualEnvironment("canaille")
USER, PASSWORD = "alice", "wonderland-1865"


class Canaille(Provider):
    """Registers anybody; one person."""

    person = {"STAND_USER": USER, "STAND_PASSWORD": PASSWORD}

    def __init__(self, directory: Path, authority):
        super().__init__(directory, authority)
        self.issuer = self.origin
        self.environment = os.environ | {"CANAILLE_CONFIG": str(directory / "canaille.toml")}
        server = Server(
            [ENVIRONMENT.program("canaille"), "run", "--bind", f"{LOOPBACK}:{self.port}",
             "--certfile", authority.chain("good"), "--keyfile", authority.key("good")],
            self.port, self.log_path, self.environment)
        self.servers = [server]

    def start(self):
        ENVIRONMENT.provide()
        self._write_configuration()
        self._command("db", "upgrade")
        self._command("create", "user", "--user-name", USER, "--family-name", "Liddell",
                      "--given-name", "Alice", "--formatted-name", "Alice Liddell",
                      "--emails", "alice@example.com", "--password", PASSWORD)
        self.servers[0].start()
        return self

    def introspect(self, token: str) -> dict:
        """What userinfo says: a client may introspect its own tokens only, so no gateway can."""
        return self.userinfo(token, self.issuer + "/oauth/userinfo")

    def _write_configuration(self):
        key = run("openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
        (self.directory / "canaille.toml").write_text(filled("canaille.toml", {
            "DIR": self.directory, "PORT": self.port, "KEY": key.decode()}))

    def _command(self, *words):
        run(ENVIRONMENT.program("canaille"), *words, environment=self.environment)
