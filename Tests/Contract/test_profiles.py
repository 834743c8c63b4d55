"""Profiles and defaults of the site."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from Servers.case import Case, NO_PIN
from Servers.sdkctl import BINARY

def can_mount() -> bool:
    return subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0


@unittest.skipUnless(can_mount(), "needs a mount namespace for /etc/sdkctl")
class SiteTests(Case):
    """The directory of the site is fixed, so each run sees another one at its place."""

    SCRIPT = ('mkdir -p "$1" && mount -t tmpfs none /etc && mkdir /etc/sdkctl '
              '&& cp -r "$1/." /etc/sdkctl && chmod -R go-w /etc/sdkctl && shift && exec "$@"')

    def setUp(self):
        super().setUp()
        self.ok("profile", "add", "work", "--issuer", "https://id.test", "--resource-url", "https://api.test")

    def site(self, *arguments, files=None):
        with tempfile.TemporaryDirectory() as folder:
            for name, document in (files or self.files).items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps({"version": 1, **document}))
            environment = dict(os.environ, SDKCTL_HOME=str(self.home.store))
            done = subprocess.run(
                ["unshare", "-m", "sh", "-c", self.SCRIPT, "sh", folder, str(BINARY), *arguments],
                capture_output=True, text=True, env=environment, timeout=60)
        return done

    files = {
        "profiles/corp/profile.json": {
            "issuer": "https://corp.test", "resourceURL": "https://api.corp.test"},
        "profiles/work/profile.json": {"issuer": "https://other.test"},
        "config.json": {"current": "corp", "alias": {"who": "status"},
                        "defaults": {"fetch": {"unauth": True, "dry-run": True}}},
    }

    def test_its_profiles_and_defaults_are_below_the_users_own(self):
        rows = json.loads(self.site("profile", "list", "--json").stdout)
        self.assertEqual([(row["name"], row["site"], row["issuer"]) for row in rows],
                         [("corp", True, "https://corp.test"),
                          ("work", False, "https://id.test")])
        self.assertIn("profile:    work", self.site("who").stdout)
        self.assertIn("GET /x", self.site("fetch", "/x", "-p", "corp").stdout)

    def test_its_profiles_cannot_be_changed(self):
        for arguments in (["profile", "set", "scope=a", "-p", "corp"],
                          ["profile", "remove", "corp", "--yes"],
                          ["pin", "add", NO_PIN, "--host", "a.test", "--yes", "-p", "corp"]):
            with self.subTest(arguments):
                done = self.site(*arguments)
                self.assertEqual(done.returncode, 3, done)
                self.assertIn("profile of the site", done.stderr)
        self.assertEqual(self.site("profile", "copy", "corp", "mine").returncode, 0)
        self.assertEqual(self.site("profile", "set", "scope=a", "-p", "mine").returncode, 0)
