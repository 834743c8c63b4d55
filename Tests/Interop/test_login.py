"""Login by browser: what the listener accepts, what it refuses, and how a login ends."""

import json
import os
import re
import subprocess
import sys

from Servers.case import Case
from Servers.process import wait_until
from Servers.sdkctl import PERSON

DENIED = 15  # a person who declined is neither a refusal of the server nor a failure


class LoginTests(Case):
    def setUp(self):
        super().setUp()
        self.add_registered()

    def login(self, action="accept", *arguments, code=0, **settings):
        """Logs in with a person who does this; answers the result and the notes of the browser."""
        notes = self.home.use_browser(self.stand, action, **settings)
        result = self.home.run("login", *arguments)
        self.assertEqual(result.exit, code, result)
        lines = notes.read_text().splitlines() if notes.exists() else []
        return result, [json.loads(line) for line in lines]

    def test_the_page_of_the_listener_is_inert(self):
        _, [page] = self.login()
        self.assertEqual(page["status"], 200)
        self.assertIn("default-src 'none'", page["fields"]["content-security-policy"])
        self.assertIn("no-store", page["fields"]["cache-control"])
        self.assertNotIn("<script", page["body"].lower())
        self.assertNotIn("code=", page["url"])
        self.assertIn("signed in", page["body"].lower())

    def test_scope_narrows_what_the_token_may(self):
        self.login("accept", "--scope", "openid")
        self.assertFailed(self.home.run("fetch", "--user", "/api/notes"), 12)
        self.ok("fetch", "--user", "/api/me")

    def test_a_refusing_person_is_told_as_such(self):
        result, _ = self.login("cancel-consent", code=DENIED)
        self.assertEqual(result.err.count("sdkctl: error: "), 1, result)
        self.assertError(result, "access_denied|denied|refused|said no")
        self.assertFalse(self.home.slot_file().exists())

    def test_without_browser_the_url_is_printed_and_nothing_is_run(self):
        process = self.waiting_login("--no-browser")
        act_as_browser(self.stand, self.url)
        out, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (0, b""))
        self.assertFalse((self.home.directory / "browser-arguments").exists())
        self.ok("token")

    def test_the_first_browser_that_starts_is_used(self):
        self.home.use_browser(self.stand)
        self.home.environment["BROWSER"] = "/nowhere/browser:" + self.home.environment["BROWSER"]
        self.ok("login")

    def waiting_login(self, *arguments) -> subprocess.Popen:
        """Starts a login whose person does nothing yet, and reads the URL that it prints."""
        self.home.use_browser(self.stand, "nothing")
        process = self.home.start("login", *arguments)
        self.addCleanup(process.kill)
        seen = b""
        os.set_blocking(process.stderr.fileno(), False)

        def url():
            nonlocal seen
            seen += process.stderr.read() or b""
            return re.search(rb"https://\S+[?&]state=\S+", seen) or process.poll() is not None

        found = wait_until(url, "the URL on stderr")
        self.assertIsNot(found, True, f"login ended: {seen!r}")
        self.url = found[0].decode()
        os.set_blocking(process.stderr.fileno(), True)
        return process


def act_as_browser(stand, url, action="accept"):
    environment = os.environ | {"STAND_CA": str(stand.ca_file), "STAND_ACTION": action}
    subprocess.run([sys.executable, PERSON, url], env=environment, check=True, timeout=30)
