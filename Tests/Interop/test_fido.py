"""FIDO UAF at a server of python-cryptography, which checks what we send with a verifier of its own."""

import json
import os
import unittest
from concurrent.futures import ThreadPoolExecutor

from Servers.case import Case
from Servers.pseudo_terminal import PseudoTerminal
from Servers.sdkctl import BINARY
from Servers.stand import Stand

try:
    from Servers.fido_server import FIDOServer, uaf
except ImportError:
    FIDOServer = None

PIN = "271828"


@unittest.skipUnless(FIDOServer or "CI" in os.environ, "needs python3-cryptography")
class FIDOCase(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.authority = Stand.shared().authority

    def setUp(self):
        super().setUp()
        self.server = FIDOServer(self.authority).start()
        self.addCleanup(self.server.stop)
        self.ok("profile", "add", self.home.name, "--issuer", "https://id.invalid",
                "--resource-url", self.server.url, "--ca-file", self.stand.ca_file)
        self.ok("profile", "use", self.home.name)
        self.ok("profile", "set", f"form.url={self.server.url}/login", "form.user=alice",
                f"form.passwordFile={self.secret('password', 'wonderland')}",
                f"fido.url={self.server.url}", f"fido.pinFile={self.secret('pin', PIN)}",
                "reauthenticate=fido", "fido.authenticationRetryInterval=0")
        self.ok("pin", "add", self.server.url.removeprefix("https://"), "--yes")

    def secret(self, name, content):
        path = self.home.directory / name
        path.write_text(content + "\n")
        path.chmod(0o600)
        return path

    def register(self, *options):
        self.ok("login", "form")
        return self.ok("register", "fido", *options)

    def notes(self):
        return self.ok("fetch", "/notes").text

    def count(self, path="/uaf/1.1/authentication"):
        return sum(seen.rstrip("/") == path for seen in self.server.seen)
