"""Logins whose answer comes back to a URL scheme: by a desktop, by hand, and not at all."""

import os
import shutil
import signal
import subprocess
import sys

from Servers.sandbox import SCOPE, SandboxCase
from Servers.sdkctl import BINARY, PERSON

REDIRECT = "com.example.app:/callback"
DESKTOP = "sdkctl-com.example.app.desktop"
TYPE = "x-scheme-handler/com.example.app"


class SchemeCase(SandboxCase):
    def setUp(self):
        super().setUp()
        self.ok("profile", "set", "scope=" + SCOPE)
        self.ok("register", "--redirect-uri", REDIRECT)
        self.last = self.home.directory / "last"

    @property
    def sockets(self):
        return sorted((self.home.store / "state/pending").glob("*"))

    def opener(self, line) -> str:
        """A program that opens URLs with this line of shell."""
        script = self.home.directory / "opener"
        script.write_text(f"#!/bin/sh\n{line}\n")
        script.chmod(0o755)
        return str(script)

    def begin(self):
        return super().begin(rb"https://\S+[?&]state=\S+", "--scheme", "--no-browser")

    def answer(self, url, action="accept") -> str:
        """The address at which a browser arrives that nobody hands over."""
        environment = os.environ | {
            "STAND_CA": str(self.sandbox.ca_file), "STAND_ACTION": action,
            "STAND_OPENER": self.opener(f"printf %s \"$1\" >'{self.last}'")}
        subprocess.run([sys.executable, PERSON, url], env=environment, check=True, timeout=30)
        return self.last.read_text()

    def assertEnds(self, process, code):
        out, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (code, b""), errors)
        return errors.decode()


class SchemeTests(SchemeCase):
    def test_a_browser_that_hands_the_address_over_completes_the_login(self):
        log = self.home.directory / "respond"
        self.use_person(STAND_OPENER=self.opener(
            f"'{BINARY}' login respond \"$1\" 2>'{log}'; echo $? >>'{log}'"))
        result = self.home.run("login", "--scheme")
        self.assertEqual(result.exit, 0, result)
        self.assertRegex(log.read_text(), r"\Asdkctl: the login continues in the process that started it\n0\n\Z")
        self.ok("fetch", "--user", "/devices")
        self.assertEqual(self.sockets, [])
        self.assertEqual(self.home.unsafe_modes(), [])

    def test_a_login_and_a_fetch_that_logs_in_take_the_registered_scheme_by_themselves(self):
        self.use_person(STAND_OPENER=self.opener(f"exec '{BINARY}' login respond \"$1\""))
        self.ok("login")
        self.ok("logout")
        self.ok("fetch", "--user", "--interactive", "/devices")
        self.assertIn("redirect_uri=com.example.app%3A%2Fcallback", self.home.urls.read_text())

    def test_who_gives_up_leaves_nothing_behind(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process, _ = self.begin()
            process.send_signal(number)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, -number)
            self.assertEqual(self.sockets, [])


class HandlerTests(SchemeCase):
    """The desktop, as Debian has it: xdg-utils, GLib and desktop-file-utils."""

    def setUp(self):
        super().setUp()
        self.entry = self.home.directory / ".local/share/applications" / DESKTOP
        for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
            self.home.environment.pop(variable, None)
        # Without a display, xdg-open asks browsers for terminals only; nothing connects to it.
        self.home.environment["DISPLAY"] = ":99"

    def tool(self, *words) -> str:
        if shutil.which(words[0]) is None:
            raise FileNotFoundError(f"{words[0]} is missing: Tests/install-packages test")
        done = subprocess.run(words, env=self.home.environment, capture_output=True, text=True,
                              timeout=30)
        self.assertEqual(done.returncode, 0, done)
        return done.stdout

    def test_the_desktop_knows_the_scheme_and_forgets_it_again(self):
        lists = self.home.directory / ".config/mimeapps.list"
        lists.parent.mkdir()
        lists.write_bytes(b"[Default Applications]\ntext/plain=caf\xe9.desktop\n")
        said = self.ok("login", "install-handler", "--json")
        self.assertEqual(self.jsonOf(said), {
            "scheme": "com.example.app", "file": str(self.entry), "installed": True})
        self.tool("desktop-file-validate", str(self.entry))
        self.assertEqual(self.tool("xdg-mime", "query", "default", TYPE).strip(), DESKTOP)
        self.assertIn(DESKTOP, self.tool("gio", "mime", TYPE))
        self.assertIn("NoDisplay=true", self.entry.read_text())
        self.ok("login", "install-handler")
        self.ok("login", "install-handler", "--remove")
        self.assertFalse(self.entry.exists())
        self.assertNotIn(DESKTOP.encode(), lists.read_bytes())
        self.assertIn(b"text/plain=caf\xe9.desktop\n", lists.read_bytes())
        before = lists.stat().st_ino
        self.ok("login", "install-handler", "--remove", "com.example.app")
        self.assertEqual(lists.stat().st_ino, before, "a list without the entry was written")

    def test_the_desktop_completes_the_login(self):
        self.ok("login", "install-handler")
        for opener in (["xdg-open"], ["gio", "open"]):
            with self.subTest(opener):
                process, url = self.begin()
                self.tool(*opener, self.answer(url))
                self.assertEnds(process, 0)

    def test_a_home_with_spaces_and_signs(self):
        odd = self.home.directory / "a b%c'd$e"
        self.home.store.rename(odd)
        self.home.store = odd
        self.home.environment["SDKCTL_HOME"] = str(odd)
        self.ok("login", "install-handler")
        self.tool("desktop-file-validate", str(self.entry))
        process, url = self.begin()
        self.tool("gio", "open", self.answer(url))
        self.assertEnds(process, 0)
