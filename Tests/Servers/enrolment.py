"""What the suites about enrolment share: a profile whose identities come from `Servers.est`."""

import json
import os
import unittest

from .case import Case

try:
    from .est import EnrolmentServer
except ImportError:
    EnrolmentServer = None


@unittest.skipUnless(EnrolmentServer or "CI" in os.environ, "needs python3-cryptography")
class EnrolmentCase(Case):
    """One EST server for all tests of a class, as new for each."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        from .stand import Stand
        cls.service_authority = Stand.shared().authority

    def setUp(self):
        super().setUp()
        self.est = EnrolmentServer(self.service_authority).start()
        self.addCleanup(self.est.stop)
        password = self.home.directory / "password"
        password.write_text("wonderland\n")
        password.chmod(0o600)
        self.ok("profile", "add", self.home.name, "--issuer", "https://id.invalid",
                "--resource-url", "https://api.invalid", "--ca-file", self.stand.ca_file)
        self.ok("profile", "use", self.home.name)
        self.ok("profile", "set", "identity.obtain=est",
                f"identity.url={self.est.url}", "identity.user=alice",
                f"identity.passwordFile={password}")
        self.ok("pin", "add", self.est.url.removeprefix("https://"), "--yes")

    @property
    def folder(self):
        return self.home.store / f"state/profiles/{self.home.name}/identities"

    def stored(self) -> list:
        """The files of identities, whatever their names."""
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*")
                      if path.is_file()) if self.folder.exists() else []

    def kept(self, name="api.invalid") -> dict:
        return json.loads((self.folder / name / "identity.json").read_text())

    def operations(self) -> list:
        return [operation for operation, _ in self.est.seen]

    def callers(self) -> list:
        return [caller for operation, caller in self.est.seen if "enroll" in operation]
