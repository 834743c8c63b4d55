"""Logins at the sandbox's pages: what people do there, and what a login may ask for."""

import ctypes
import json
import os
import re
import select
import subprocess
import time
from pathlib import Path

from Servers.sandbox import SandboxCase


class LoginTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.register()

    def login(self, action="accept", *arguments, code=0, **settings):
        self.use_person(action, **settings)
        result = self.home.run("login", *arguments)
        self.assertEqual(result.exit, code, result)
        self.pages = [note["h1"] for note in self.notes()]
        return result

    def test_who_cancels_is_told_so_and_nothing_is_kept(self):
        for action in ("cancel-sign-in", "cancel-consent"):
            with self.subTest(action):
                self.home.forget_failed_login()
                result = self.login(action, "--json", code=15)
                error = self.jsonError(result)
                self.assertEqual((error["code"], error["exit"]), ("denied", 15))
                self.assertEqual(self.pages[-1], "The login was cancelled")
                self.assertFalse(self.home.slot_file().exists())
        self.assertEqual(self.sandbox.requests("token"), 0)

    def test_who_cancels_a_second_login_keeps_the_first(self):
        self.login()
        before = self.home.slot_file().read_bytes()
        self.login("cancel-consent", code=15)
        self.assertEqual(self.home.slot_file().read_bytes(), before)

    def test_the_end_of_the_browser_s_session_is_asked_for_without_a_token(self):
        self.login()
        client = json.loads(self.home.registration_file.read_text())["client"]["client_id"]
        arguments = self.home.directory / "browser-arguments"
        arguments.unlink()
        self.use_person("nothing")
        steps = self.jsonOf(self.ok("logout", "--end-session", "--json"))["steps"]
        self.assertEqual((steps[-1]["step"], steps[-1]["outcome"]), ("end_session", "pending"))
        opened = arguments.read_text().strip()
        self.assertRegex(opened, rf"\Ahttps://\S+\?client_id={re.escape(client)}\Z")
        self.home.environment["BROWSER"] = "/nonexistent"
        said = self.ok("logout", "--end-session")
        self.assertIn("open this URL: " + opened, said.err)
        self.fails(2, "logout", "--end-session", "--local")
        self.fails(2, "logout", "--end-session", "--anonymous")

    def test_what_the_browser_is_started_with_tells_nothing(self):
        self.login()
        [argument] = (self.home.directory / "browser-arguments").read_text().splitlines()
        self.assertRegex(argument, r"\Ahttp://127\.0\.0\.1:\d+/start/[0-9a-f]{32}\Z")
        [url] = self.home.urls.read_text().splitlines()
        self.assertIn("state=", url)

    def two_logins(self):
        """Two logins, of which the second waits for the first, and the URL that the first has opened."""
        first, url = self.begin(rb"https://\S+[?&]state=\S+", "--no-browser")
        self.use_person()
        lock = Watch(self.home.slot_file().parent.parent / "locks/login.lock")
        second = self.home.start("login")
        self.addCleanup(second.kill)
        lock.wait()
        return first, second, url

    def test_two_logins_at_once_share_one(self):
        first, second, url = self.two_logins()
        browser = self.home.directory / "browser"
        subprocess.run([browser, url], check=True, timeout=30)
        for process in (first, second):
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(self.sandbox.grants("authorization_code"), 1)
        self.assertIn(b"another process", errors)

    def test_who_waits_for_a_login_that_fails_shares_its_failure(self):
        first, second, url = self.two_logins()
        self.use_person("cancel-sign-in")
        subprocess.run([self.home.directory / "browser", url], check=True, timeout=30)
        for process in (first, second):
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 15, errors)
            self.assertIn(b"access_denied", errors)
        opened = self.home.urls.read_text().splitlines()
        self.assertEqual(opened, [url])
        failed = json.loads((self.home.store / "cache/logins/sandbox.json").read_text())
        result = self.login()
        self.assertGreaterEqual(time.time(), failed["time"] + 5, "the next browser opened at once")
        self.assertRegex(result.err, "the last login has just failed; the next one begins in [1-5] s")


class Watch:
    """Tells when a file is opened (inotify)."""

    def __init__(self, path: Path):
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(os.O_CLOEXEC)
        if libc.inotify_add_watch(self.descriptor, os.fsencode(path), 0x20) < 0:  # IN_OPEN
            raise OSError(ctypes.get_errno(), str(path))

    def wait(self, seconds=20):
        try:
            if not select.select([self.descriptor], [], [], seconds)[0]:
                raise TimeoutError("nobody opened it")
        finally:
            os.close(self.descriptor)
