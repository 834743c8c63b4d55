"""Recognisable secrets, and every place where none of them may be: arguments, environments, output, traces, files."""

import json
import re
import subprocess

from Servers.sandbox import SandboxCase
from Servers.sdkctl import BINARY

PASSCODE = "739184"
# What a program that we start may have in its environment besides: nothing of ours.
TOKENS = re.compile(r"SDKCTL_TOKEN|BEARER_TOKEN")


class SecretsTests(SandboxCase):
    """Runs every kind of command at full verbosity under strace, which shows all that is executed."""

    def setUp(self):
        super().setUp()
        self.temporary = self.home.directory / "tmp"
        self.temporary.mkdir()
        self.home.environment["TMPDIR"] = str(self.temporary)
        self.register()
        self.use_person()
        self.ok("login")
        self.folder = self.home.directory
        (self.folder / "passcode").write_text(PASSCODE + "\n")
        (self.folder / "passcode").chmod(0o600)
        (self.folder / "browser-arguments").unlink(missing_ok=True)

    def secrets(self) -> dict:
        """What the store has now that nobody else may see, by where it is."""
        found = {}

        def walk(value, place):
            if isinstance(value, dict):
                for name, item in value.items():
                    walk(item, f"{place}.{name}")
            elif isinstance(value, list):
                for item in value:
                    walk(item, place)
            elif isinstance(value, str) and re.search(
                    r"(accessToken|refreshToken|idToken|client_secret|registration_access_token|pem|sealed\w*)$",
                    place):
                # A line of a key in place of its label.
                text = value.splitlines()[1] if value.startswith("-----BEGIN") else value
                found[place] = text
        for path in (self.home.store / "state").rglob("*.json"):
            walk(json.loads(path.read_text()), path.name)
        return found

    def commands(self):
        """Command lines by name; those that print a token on purpose are marked."""
        shows = {"token", "token refresh", "exec", "credential git", "credential kubectl", "token decode"}
        rows = [
            ("status",), ("status", "--all"), ("profile", "show"),
            ("user", "list"), ("profile", "metadata"), ("profile", "export", "--share"),
            ("profile", "store", "show"), ("pin", "list"), ("pin", "lint"), ("pin", "check"),
            ("pin", "history"), ("identity", "list"), ("register", "show"), ("token", "list"),
            ("token", "userinfo"), ("token", "introspect"), ("token", "test"), ("token", "lint"),
            ("token", "verify"), ("token",), ("token", "--json"), ("token", "refresh"),
            ("token", "decode"),
            ("fetch", "/devices"), ("fetch", "/devices", "-i"), ("fetch", "--anonymous", "/application-details"),
            ("fetch", "/devices", "--dry-run"), ("fetch", "/devices", "--as-curl"),
            ("fetch", "/nosuch"), ("fetch", "/gone", "-X", "POST", "--data", "a=b"),
            ("identity", "csr", "a", "--subject", "CN=a"), ("pin", "backup", "localhost"),
            ("profile", "copy", "sandbox", "copy"),
            ("profile", "remove", "copy", "--yes"),
            ("exec", "--", "true"), ("credential", "git", "install"), ("doctor", "--online"),
            ("login",), ("login", "--anonymous"), ("login", "--implicit"),
            ("register", "update", "--client-name", "Other"),
            ("profile", "seal", "--passcode-file", f"{self.folder}/passcode"),
            ("token", "--fresh", "--passcode-file", f"{self.folder}/passcode"),
            ("logout",), ("register", "--replace"), ("deregister", "--yes"),
        ]
        for words in rows:
            yield words, any(" ".join(words).startswith(name) for name in shows)

    def test_secrets_are_nowhere_but_in_their_places(self):
        known = {"passcode": PASSCODE}
        for words, shows in self.commands():
            with self.subTest(" ".join(words)):
                self.home.forget_failed_login()
                known |= {f"{place} before {words}": text for place, text in self.secrets().items()}
                trace, executed = self.folder / "trace.log", self.folder / "executed.log"
                trace.unlink(missing_ok=True)
                done = subprocess.run(
                    ["strace", "-f", "-qq", "-v", "-s", "100000", "-o", executed, "-e", "trace=execve",
                     BINARY, *words, "-vvv", "--trace", trace],
                    env=self.home.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                    cwd=self.folder)
                expected = 12 if words[:2] in (("fetch", "/nosuch"), ("fetch", "/gone")) else 0
                # The refresh token is sealed by then, and nobody types the passcode.
                self.assertEqual(done.returncode, 4 if words == ("logout",) else expected, done)
                known |= {f"{place} after {words}": text for place, text in self.secrets().items()}
                places = {"standard error": done.stderr, "--trace": trace.read_bytes() if trace.exists() else b""}
                if not shows:
                    places["standard output"] = done.stdout
                if words[0] != "exec":
                    places["arguments and environments"] = executed.read_bytes()
                for path in self.temporary.rglob("*"):
                    places[str(path)] = path.read_bytes() if path.is_file() else b""
                for place, content in places.items():
                    for name, secret in known.items():
                        self.assertNotIn(secret.encode(), content, f"{name} is in {place}")
                self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertGreater(len(known), 20)

    def test_secrets_of_the_store_are_in_files_for_the_user_only(self):
        """In each file of the store that others may read there is none of the secrets of the others."""
        secrets = self.secrets()
        self.assertGreaterEqual(len(secrets), 4)
        for path in self.home.store.rglob("*"):
            if path.is_file() and path.stat().st_mode & 0o077:
                for name, secret in secrets.items():
                    self.assertNotIn(secret.encode(), path.read_bytes(), f"{name} is in {path}")

    def test_a_token_of_the_environment_is_not_handed_on(self):
        token = self.ok("token").text.strip()
        executed = self.folder / "executed.log"
        self.home.forget_failed_login()
        subprocess.run(
            ["strace", "-f", "-qq", "-v", "-s", "100000", "-o", executed, "-e", "trace=execve", BINARY,
             "login", "-vvv"], env=self.home.environment | {"SDKCTL_TOKEN": token},
            stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        children = executed.read_text().splitlines()[1:]
        self.assertTrue(children)
        for line in children:
            self.assertNotIn(token, line)
            self.assertNotRegex(line, TOKENS)
