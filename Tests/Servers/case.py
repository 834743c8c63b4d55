"""What the suites share: a home for each test, profiles against the stand, and assertions."""

import json
import re
import subprocess
import unittest
from pathlib import Path
from urllib.parse import urlsplit

from .documents import find
from .sdkctl import BINARY, Home, Result
from .stand import ProviderStand, Stand


class Case(unittest.TestCase):
    """A test of the binary. `self.home` is fresh; the stand is started by the first who asks."""

    maxDiff = None
    stand_type = Stand

    @classmethod
    def setUpClass(cls):
        if not BINARY.exists():
            raise FileNotFoundError(f"{BINARY} is not built: make build, or set SDKCTL")

    def setUp(self):
        self.home = self.new_home()

    @property
    def stand(self) -> ProviderStand:
        return self.stand_type.shared()

    def new_home(self) -> Home:
        home = Home()
        self.addCleanup(home.remove)
        return home

    def run(self, result=None):
        troubles = lambda: len(result.failures) + len(result.errors)
        before = troubles() if result else 0
        super().run(result)
        if result and troubles() > before and self.stand_type._shared:
            self.stand_type._shared.keep()
        return result

    # Steps

    def write(self, name, content) -> Path:
        """A file that only its owner can read, of a text or of JSON."""
        path = self.home.directory / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        path.chmod(0o600)
        return path

    def begin(self, url, *words, **keywords):
        """Starts a login that waits, and answers it and the URL of this form that it prints."""
        process = self.home.start("login", *words, **keywords)
        self.addCleanup(process.kill)
        for line in process.stderr:
            if found := re.search(url, line):
                return process, found[0].decode()
        self.fail("the login ended without an URL")

    def ok(self, *arguments, **keywords) -> Result:
        """Runs a command that must succeed without a word of error."""
        result = self.home.run(*arguments, **keywords)
        self.assertEqual(result.exit, 0, result)
        self.assertNotIn("error:", result.err, result)
        return result

    def fails(self, code, *arguments, **keywords) -> Result:
        """Runs a command that must fail with this exit code (or one of these) and say why."""
        result = self.home.run(*arguments, **keywords)
        self.assertFailed(result, code)
        return result

    def add_profile(self, issuer=None, resource=None, pin=True, ca=True):
        arguments = ["profile", "add", self.home.name,
                     "--issuer", issuer or self.stand.provider.issuer,
                     "--resource-url", resource or self.stand.gateway.url]
        arguments += ["--ca-file", self.stand.ca_file] if ca else []
        self.ok(*arguments)
        self.ok("profile", "use", self.home.name)
        # The servers of a test have many ports; its pins are for all of them.
        places = {urlsplit(url).hostname: urlsplit(url).netloc for url in (arguments[4], arguments[6])}
        for host, place in places.items() if pin else []:
            self.ok("pin", "add", place, "--host", host, "--yes")

    def add_registered(self, **keywords):
        self.add_profile(**keywords)
        self.ok("profile", "set", "scope=openid notes", "anonymousScope=openid")
        self.ok("register")

    def add_session(self, **keywords):
        """Profile, pins, registration and login: ready to fetch as alice."""
        self.add_registered(**keywords)
        self.home.use_browser(self.stand)
        self.ok("login")

    def revoke_access(self, token):
        """Ends the access token at the provider, behind the back of the store."""
        registration = json.loads(self.home.registration_file.read_text())
        basic = (find(registration, "client_id", "clientID"),
                 find(registration, "client_secret", "clientSecret"))
        provider = self.stand.provider
        answer = provider.client().post(provider.issuer + "/revoke", basic=basic, form={
            "token": token, "token_type_hint": "access_token"})
        self.assertEqual(answer.status, 200)

    def set_pin(self, *pins, host="localhost"):
        """Replaces the pins of a host."""
        self.ok("pin", "remove", host, "--yes")
        self.ok("pin", "add", *pins, "--host", host, "--yes")

    # Assertions

    def small_disk(self, size) -> Path:
        """A folder on a file system of its own, such as of 64k."""
        folder = self.home.directory / "small"
        folder.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder])
        if done.returncode != 0:
            self.skipTest("file systems can be mounted by root only")
        self.addCleanup(subprocess.run, ["umount", folder], check=True)
        return folder

    def assertFailed(self, result: Result, code):
        codes = code if isinstance(code, tuple) else (code,)
        self.assertIn(result.exit, codes, result)
        if any(str(word).startswith("--json") for word in result.arguments):
            self.assertEqual(json.loads(result.err)["error"]["exit"], result.exit, result)
        else:
            self.assertTrue(result.err.startswith("sdkctl: error: "), result)
            self.assertEqual(result.err.count("sdkctl: error: "), 1, result)
        self.assertNotRegex(result.err, "[\x00-\x08\x0b-\x1f\x7f]", "control characters on stderr")
        return result

    def assertError(self, result: Result, pattern: str):
        self.assertRegex(result.err.lower(), re.compile(pattern), result)

    def assertNoRequest(self, log, seen=()):
        """nginx read no request line since the mark of this log, but for those named."""
        lines = [line for line in log.lines() if not any(path in line for path in seen)]
        self.assertEqual(lines, [])

    def documentsOf(self, result: Result) -> list:
        """The output as JSON documents, one a line."""
        return [self.jsonOf(Result(result.arguments, 0, line, result.errors))
                for line in result.out.splitlines()]

    def jsonOf(self, result: Result):
        try:
            return json.loads(result.out)
        except ValueError as trouble:
            self.fail(f"not JSON ({trouble}): {result}")


NO_PIN = "sha256/" + "A" * 43 + "="
