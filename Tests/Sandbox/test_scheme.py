"""Logins whose answer comes back to a URL scheme: by a desktop, by hand, and not at all."""

import os
import re
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

    def begin(self, *arguments, home=None):
        """A login that waits, and the URL that it printed."""
        home = home or self.home
        process = home.start(*(arguments or ("login", "--scheme", "--no-browser")))
        self.addCleanup(process.kill)
        for line in process.stderr:
            if found := re.match(rb"\s*(https://\S+[?&]state=\S+)", line):
                return process, found[1].decode()
        self.fail("the login ended without an URL")

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

    def test_wrong_addresses_are_told_at_both_ends_and_the_wait_goes_on(self):
        process, url = self.begin()
        wrong = [f"{REDIRECT}?code=c&state=forged", f"{REDIRECT}?error=access_denied",
                 f"{REDIRECT}?code=c"]
        for address in wrong:
            result = self.fails(11, "login", "respond", address)
            self.assertIn("it waits on", result.err)
        self.assertEqual(self.sandbox.requests("token"), 0)
        address = self.answer(url)
        self.assertFailed(self.home.run("login", "respond", address.replace(
            "callback", "callbackx")), 11)
        said = self.ok("login", "respond", "-", input=address + "\n")
        self.assertIn("continues in the process", said.err)
        errors = self.assertEnds(process, 0)
        # The fourth is no longer told.
        self.assertEqual(errors.count("the address is not the response to this request"), 3, errors)
        self.ok("token")

    def test_a_refusal_is_an_answer(self):
        process, url = self.begin()
        self.ok("login", "respond", self.answer(url, "cancel-sign-in"))
        self.assertIn("access_denied", self.assertEnds(process, 15))

    def test_no_number_of_wrong_addresses_is_the_end(self):
        process, url = self.begin()
        for _ in range(12):
            self.fails(11, "login", "respond", f"{REDIRECT}?code=c&state=x")
        self.ok("login", "respond", self.answer(url))
        errors = self.assertEnds(process, 0)
        self.assertEqual(errors.count("the address is not the response to this request"), 3, errors)
        self.fails(4, "login", "respond", f"{REDIRECT}?code=c&state=x")

    def test_an_address_that_nobody_waits_for_is_told(self):
        result = self.fails(4, "login", "respond", f"{REDIRECT}?code=c&state=s")
        self.assertEqual(result.hint, "sdkctl login --scheme")
        self.fails(2, "login", "respond", "nonsense")
        self.fails(2, "login", "respond", "-", input="")

    def test_two_profiles_get_each_their_own(self):
        shutil.copytree(self.home.store / "config/profiles/sandbox",
                        self.home.store / "config/profiles/other")
        shutil.copytree(self.home.store / "state/profiles/sandbox",
                        self.home.store / "state/profiles/other")
        login = ("login", "--scheme", "--no-browser")
        logins = [self.begin("-p", name, *login) for name in ("sandbox", "other")]
        self.assertEqual(len(self.sockets), 2)
        for process, url in reversed(logins):
            self.ok("login", "respond", self.answer(url))
            self.assertNotIn("not the answer", self.assertEnds(process, 0))

    def test_what_a_killed_login_left_behind_is_cleared_away(self):
        process, url = self.begin()
        process.kill()
        process.wait()
        self.assertEqual(len(self.sockets), 1)
        self.fails(4, "login", "respond", self.answer(url))
        self.assertEqual(self.sockets, [])
        process, _ = self.begin()
        process.kill()
        process.wait()
        process, _ = self.begin()
        self.assertEqual(len(self.sockets), 1)

    def test_who_gives_up_leaves_nothing_behind(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process, _ = self.begin()
            process.send_signal(number)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, -number)
            self.assertEqual(self.sockets, [])

    def test_nothing_of_the_login_is_on_the_disk(self):
        process, url = self.begin()
        state = re.search("[?&]state=([^&]+)", url)[1]
        for path in self.home.store.rglob("*"):
            self.assertNotIn(state, path.name)
            if path.is_file():
                self.assertNotIn(state.encode(), path.read_bytes())
        process.kill()

    def test_a_path_that_no_socket_address_could_hold(self):
        deep = self.home.directory / ("long" * 50) / "store"
        deep.parent.mkdir()
        self.home.store.rename(deep)
        self.home.store = deep
        self.home.environment["SDKCTL_HOME"] = str(deep)
        process, url = self.begin()
        self.ok("login", "respond", self.answer(url))
        self.assertEnds(process, 0)

    def test_without_a_scheme_the_hint_registers_one(self):
        self.ok("register", "--replace")
        result = self.fails(3, "login", "--scheme")
        self.assertEqual(self.home.paste(result.hint).exit, 0)
        process, url = self.begin()
        self.assertIn("redirect_uri=sdkctl.sandbox%3A%2Fcallback", url)
        process.kill()

    def test_only_schemes_that_can_be_owned_are_registered(self):
        for uri in ("myapp:/cb", "javascript:alert(1)", "com.example.app:cb", "https://a.test/cb",
                    "com.example.app:/cb?x=y", "com.example.app:/cb#x"):
            with self.subTest(uri):
                self.fails(2, "register", "--replace", "--redirect-uri", uri)


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
        lists.write_text("[Default Applications]\ntext/plain=other.desktop\n")
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
        self.assertNotIn(DESKTOP, lists.read_text())
        self.assertIn("text/plain=other.desktop\n", lists.read_text())
        self.ok("login", "install-handler", "--remove", "com.example.app")

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

    def test_a_missing_tool_is_told(self):
        tools = self.home.directory / "tools"
        tools.mkdir()
        environment = {"PATH": str(tools)}
        result = self.fails(1, "login", "install-handler", environment=environment)
        self.assertIn("xdg-mime is not installed", result.err)
        self.assertIn("xdg-utils", result.err)
        self.assertTrue(self.entry.exists())

    def test_without_a_scheme_there_is_nothing_to_install(self):
        self.ok("register", "--replace")
        self.fails(3, "login", "install-handler")
        self.fails(2, "login", "install-handler", "javascript")
        self.fails(2, "login", "install-handler", "com.x:/y")
        self.assertEqual(list(self.entry.parent.glob("*")), [])
        self.ok("login", "install-handler", "com.example.app")
        self.assertTrue(self.entry.exists())
