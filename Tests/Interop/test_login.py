"""Login by browser: what the listener accepts, what it refuses, and how a login ends."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.parse

from Servers.case import Case
from Servers.documents import strings
from Servers.process import LOOPBACK, free_port, wait_until
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

    def test_the_authorization_request_is_complete(self):
        self.login()
        [url] = self.home.urls.read_text().splitlines()
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        self.assertEqual(asked["response_type"], "code")
        self.assertEqual(asked["code_challenge_method"], "S256")
        self.assertRegex(asked["code_challenge"], r"\A[\w-]{43}\Z")
        self.assertRegex(asked["redirect_uri"], r"\Ahttp://127\.0\.0\.1:\d+/callback\Z")
        self.assertEqual(set(asked["scope"].split()), {"openid", "notes"})
        self.assertGreaterEqual(len(asked["state"]), 22)
        self.assertGreaterEqual(len(asked["nonce"]), 22)
        self.assertNotIn("client_secret", asked)

    def test_the_page_of_the_listener_is_inert(self):
        _, [page] = self.login()
        self.assertEqual(page["status"], 200)
        self.assertIn("default-src 'none'", page["fields"]["content-security-policy"])
        self.assertIn("no-store", page["fields"]["cache-control"])
        self.assertNotIn("<script", page["body"].lower())
        self.assertNotIn("code=", page["url"])
        self.assertIn("signed in", page["body"].lower())

    def test_login_prints_nothing_on_stdout_that_is_secret(self):
        result, _ = self.login()
        token = self.ok("token").text.strip()
        self.assertNotIn(token, result.text + result.err)

    def test_scope_narrows_what_the_token_may(self):
        self.login("accept", "--scope", "openid")
        self.assertFailed(self.home.run("fetch", "--user", "/api/notes"), 12)
        self.ok("fetch", "--user", "/api/me")

    def test_a_refusing_person_is_told_as_such(self):
        result, _ = self.login("cancel-consent", code=DENIED)
        self.assertEqual(result.err.count("sdkctl: error: "), 1, result)
        self.assertError(result, "access_denied|denied|refused|said no")
        self.assertFalse(self.home.slot_file().exists())

    def test_forged_answers_do_not_end_the_wait(self):
        _, notes = self.login("forged")
        *forged, last = notes
        self.assertEqual(len(forged), 4)
        for note in forged:
            self.assertIn(note["status"], (400, 404), note["url"])
        self.assertEqual(last["status"], 200)

    def test_a_favicon_is_not_an_answer(self):
        _, [icon, page] = self.login("favicon")
        self.assertEqual((icon["status"], page["status"]), (404, 200))

    def test_only_the_exact_path_and_method_count(self):
        _, [path, method, page] = self.login("other-path")
        self.assertEqual(path["status"], 404)
        self.assertIn(method["status"], (400, 404, 405))
        self.assertEqual(page["status"], 200)

    def test_a_reload_does_no_harm(self):
        self.login("twice")
        self.ok("token")

    def test_a_person_who_gives_up_ends_it_by_a_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                process = self.waiting_login()
                process.send_signal(number)
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, -number)
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

    def test_a_callback_port_in_use_is_named(self):
        with socket.create_server((LOOPBACK, free_port())) as taken:
            port = str(taken.getsockname()[1])
            result = self.home.run("-q", "login", "--callback-port", port)
        self.assertFailed(result, 1)
        self.assertIn(port, result.err)

    def test_a_second_login_waits_for_the_first(self):
        first = self.waiting_login("--no-browser")
        self.home.use_browser(self.stand)
        second = self.home.start("login")
        act_as_browser(self.stand, self.url)
        for process in (first, second):
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, errors)
        self.assertFalse((self.home.directory / "browser-arguments").exists())

    def test_no_secret_reaches_the_browser_or_any_argument_list(self):
        self.home.environment["SDKCTL_TOKEN"] = "the-token-of-the-environment"
        self.login()
        del self.home.environment["SDKCTL_TOKEN"]
        secret = json.loads(self.home.registration_file.read_text())
        token = self.ok("token").text.strip()
        environment = (self.home.directory / "browser-environment").read_text()
        for value in [*strings(secret, "secret"), token, "SDKCTL_TOKEN", "of-the-environment"]:
            self.assertNotIn(value, environment)

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


class ProviderForgeryTests(Case):
    """An authorization server that lies: no code is exchanged, nothing is stored."""

    def login_at(self, fault):
        self.add_profile(issuer=self.stand.hostile.issuer(fault))
        self.ok("profile", "set", "scope=openid")
        self.ok("register")
        self.home.use_browser(self.stand)
        return self.home.start("login")

    def test_an_answer_of_another_issuer_is_refused(self):
        process = self.login_at("auth-other-issuer")
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 11)
        self.assertEqual(self.stand.hostile.count("auth-other-issuer", "token"), 0)
        self.assertFalse(self.home.slot_file().exists())

    def test_forged_id_tokens_are_refused(self):
        for fault in ("id-token-unsigned", "id-token-garbage"):
            with self.subTest(fault):
                self.home = self.new_home()
                process = self.login_at(fault)
                _, errors = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 11, errors)
                self.assertEqual(self.stand.hostile.count(fault, "token"), 1)
                self.assertFalse(self.home.slot_file().exists())


def act_as_browser(stand, url, action="accept"):
    environment = os.environ | {"STAND_CA": str(stand.ca_file), "STAND_ACTION": action}
    subprocess.run([sys.executable, PERSON, url], env=environment, check=True, timeout=30)
