"""Logins over SSH as the manual page tells them: a terminal, and neither display nor browser."""

import os
import re
import subprocess
import sys

from Servers.process import free_port
from Servers.pseudo_terminal import PseudoTerminal
from Servers.sandbox import SCOPE, SandboxCase
from Servers.sdkctl import BINARY, PERSON


class SSHTests(SandboxCase):
    def setUp(self):
        super().setUp()
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
            self.assertNotIn(name, self.home.environment)

    def terminal(self, *arguments) -> PseudoTerminal:
        return PseudoTerminal(self.home, BINARY, *arguments)

    def browse(self, url, **environment) -> None:
        """What a person does at a URL, in a browser on another machine."""
        subprocess.run([sys.executable, PERSON, url], check=True, timeout=30, env=os.environ | {
            "STAND_CA": str(self.sandbox.ca_file), "STAND_ACTION": "accept"} | environment)

    def url_in(self, shown: bytes) -> str:
        return re.search(rb"https://\S+", shown)[0].decode()

    def assertEnds(self, terminal):
        code, shown = terminal.end()
        self.assertEqual(code, 0, shown)
        self.assertRegex(shown, rb"sdkctl: logged \S+ in to 'sandbox'")
        self.ok("fetch", "--user", "/devices")

    def test_with_a_code_for_another_device(self):
        self.register()
        terminal = self.terminal("login", "--device")
        shown = terminal.wait_for(b"waiting for the other device")
        code = re.search(rb"enter the code (\S+):", shown)[1]
        address = self.url_in(shown[shown.index(b"has the code in it"):])
        self.assertIn(code.decode(), address)
        self.browse(address)
        self.assertEnds(terminal)

    def test_by_hand(self):
        self.register()
        terminal = self.terminal("login", "--manual")
        last = self.home.directory / "last"
        self.browse(self.url_in(terminal.wait_for(b"address of the browser: ")), STAND_LAST=str(last),
                    STAND_ACTION="accept")
        address = last.read_text()
        self.assertTrue(address.startswith("http://127.0.0.1"), address)
        terminal.type(address + "\n")
        self.assertEnds(terminal)

    def test_by_hand_in_time(self):
        self.register()
        terminal = self.terminal("login", "--manual", "--timeout", "1")
        terminal.wait_for(b"address of the browser: ")
        code, shown = terminal.end()
        self.assertEqual(code, 6, shown)
        self.assertIn(b"nothing was pasted in time", shown)

    def test_through_a_tunnel_to_the_registered_port(self):
        port = free_port()
        self.ok("profile", "set", "scope=" + SCOPE)
        self.ok("register", "--callback-port", str(port))
        terminal = self.terminal("login", "--no-browser")
        shown = terminal.wait_for(b"&state=") + terminal.wait_for(b"\n")
        url = self.url_in(shown)
        self.assertIn(f"127.0.0.1%3A{port}%2Fcallback", url)
        self.browse(url)
        self.assertEnds(terminal)

    def test_without_a_word_it_says_that_no_browser_could_be_started(self):
        self.register()
        terminal = self.terminal("login")
        self.browse(self.url_in(terminal.wait_for(b"no browser could be started; open this URL")
                                + terminal.wait_for(b"&state=") + terminal.wait_for(b"\n")))
        self.assertEnds(terminal)
