"""Secrets in the credential helpers of Debian: pass with GnuPG, and secretservice with gnome-keyring."""

import json
import shutil
import subprocess

from Servers.sandbox import SandboxCase
from Servers.sdkctl import BINARY


class HelperTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.ok("profile", "set", "passwordGrant=true")
        self.ok("register")
        self.ok("login", "password", "alice", "--password-file", "-", input="wonderland\n")

    def walk(self, helper, run):
        """Moves there, renews a token, logs out and in again, and moves back; returns what was kept."""
        secrets = [json.loads(self.home.slot_file().read_text())["refreshToken"]]
        run("profile", "store", "move", f"helper:{helper}")
        for path in self.home.store.rglob("*"):
            if path.is_file():
                self.assertNotIn(secrets[0].encode(), path.read_bytes(), path)
        first = run("token").strip()
        second = run("token", "--fresh").strip()
        self.assertNotEqual(first, second)
        self.assertEqual(run("token").strip(), second)
        run("fetch", "--user", "/devices")
        run("logout")
        run("login", "password", "alice", "--password-file", str(self.password))
        run("profile", "store", "move", "files", "--yes")
        self.assertTrue(self.home.slot_file().exists())
        self.ok("fetch", "--user", "/devices")

    @property
    def password(self):
        path = self.home.directory / "password"
        path.write_text("wonderland\n")
        path.chmod(0o600)
        return path

    def run_here(self, *words):
        return self.ok(*words).text

    def test_pass(self):
        gnupg = self.home.directory / "gnupg"
        gnupg.mkdir(mode=0o700)
        self.home.environment |= {
            "GNUPGHOME": str(gnupg), "PASSWORD_STORE_DIR": str(self.home.directory / "passwords")}
        self.addCleanup(subprocess.run, ["gpgconf", "--homedir", str(gnupg), "--kill", "all"])
        for command in (["gpg", "--batch", "--passphrase", "", "--quick-gen-key", "t@example.test"],
                        ["pass", "init", "t@example.test"]):
            subprocess.run(command, env=self.home.environment, check=True, capture_output=True)
        self.walk("pass", self.run_here)

    def test_secretservice(self):
        """gnome-keyring in a session bus of its own, unlocked with a password of the test."""
        script = "echo -n secret | gnome-keyring-daemon --unlock --components=secrets >&2; exec \"$@\""
        runtime = self.home.directory / "runtime"
        runtime.mkdir(mode=0o700)
        environment = self.home.environment | {"XDG_RUNTIME_DIR": str(runtime)}
        words = self.commands("secretservice")
        lines = " && ".join(words)
        done = subprocess.run(
            ["dbus-run-session", "--", "bash", "-c", script, "bash", "bash", "-ec", lines],
            env=environment, cwd=self.home.directory, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr.decode()[-3000:])
        self.assertTrue(self.home.slot_file().exists())
        self.ok("fetch", "--user", "/devices")

    def commands(self, helper):
        program = shutil.which(BINARY)
        return [f"{program} {line}" for line in (
            f"profile store move helper:{helper}", "token >first", "token --fresh >second",
            "profile show", "fetch --user /devices", "logout",
            f"login password alice --password-file {self.password}", "token",
            "profile store move files --yes")]
