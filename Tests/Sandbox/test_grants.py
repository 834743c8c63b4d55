"""Logins without a browser on this machine: by hand, and on another device."""

import json
import os
import re
import signal
import subprocess
import sys

from Servers.client import Client
from Servers.pseudo_terminal import PseudoTerminal
from Servers.sandbox import SCOPE, SandboxCase
from Servers.sdkctl import BINARY, PERSON

DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"


class GrantCase(SandboxCase):
    def adopt(self, *grants, sandbox=None, **members):
        """Takes a client that was registered with these grants too."""
        sandbox = sandbox or self.sandbox
        self.ok("profile", "set", "scope=" + SCOPE)
        answer = Client(sandbox.ca_file).post(sandbox.issuer + "/register", json_body={
            "client_name": "by hand", "redirect_uris": ["http://127.0.0.1:61007/callback"],
            "grant_types": ["authorization_code", "refresh_token", *grants],
            "token_endpoint_auth_method": "client_secret_basic", "scope": SCOPE, **members})
        client = answer.json()
        self.ok("register", "--replace", "--client-id", client["client_id"], "--client-secret-file", "-",
                "--redirect-uri", "http://127.0.0.1:61007/callback",
                input=client["client_secret"])
        return client

    def act(self, url, action="accept"):
        """Does at an URL what a person does; answers the address at which the browser ends."""
        environment = os.environ | {
            "STAND_CA": str(self.sandbox.ca_file), "STAND_ACTION": action,
            "STAND_LAST": str(self.home.directory / "last")}
        subprocess.run([sys.executable, PERSON, url], env=environment, check=True, timeout=30)
        last = self.home.directory / "last"
        return last.read_text() if last.exists() else None


class ManualLoginTests(GrantCase):
    URL = re.compile(rb"https://\S+[?&]state=\S+")

    def setUp(self):
        super().setUp()
        self.adopt()

    def begin(self):
        return super().begin(self.URL, "--manual", stdin=subprocess.PIPE)

    def test_on_a_terminal_a_wrong_paste_is_asked_for_again(self):
        terminal = PseudoTerminal(self.home, BINARY, "login", "--manual")
        shown = terminal.wait_for(b"address of the browser: ")
        url = self.URL.search(shown)[0].decode()
        terminal.type("https://example.com/\n")
        self.assertIn(b"it leads elsewhere", terminal.wait_for(b"address of the browser: "))
        terminal.type("code=c&state=x\n")
        self.assertIn(b"its state differs", terminal.wait_for(b"address of the browser: "))
        terminal.type(self.act(url, "accept") + "\n")
        code, shown = terminal.end()
        self.assertEqual(code, 0, shown)
        self.ok("fetch", "--user", "/devices")

    def test_a_person_gives_up(self):
        terminal = PseudoTerminal(self.home, BINARY, "login", "--manual")
        terminal.wait_for(b"address of the browser: ")
        terminal.type("\x03")
        self.assertEqual(terminal.end()[0], -signal.SIGINT)
        process, _ = self.begin()
        process.send_signal(signal.SIGINT)
        process.wait(10)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertFalse(self.home.slot_file().exists())


class DeviceLoginTests(GrantCase):
    def setUp(self):
        super().setUp()
        self.server = self.own("--device-interval=1", "--device-lifetime=20")
        self.home = self.server.home
        self.adopt(DEVICE, sandbox=self.server)

    @property
    def sandbox(self):
        return getattr(self, "server", None) or super().sandbox

    def begin(self):
        process = self.home.start("login", "--device")
        self.addCleanup(process.kill)
        self.said = b""
        for line in process.stderr:
            self.said += line
            if found := re.search(rb"https://\S+\?user_code=(\S+)", line):
                return process, found[0].decode()
        self.fail(f"the login ended without an URL: {self.said}")

    def test_an_interrupt_ends_the_wait(self):
        process, _ = self.begin()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertFalse(self.home.slot_file().exists())

    def test_a_terminal_gets_a_picture_if_a_program_draws_it(self):
        folder = self.home.directory / "bin"
        folder.mkdir()
        program = folder / "qrencode"
        program.write_text("#!/bin/sh\nprintf '%s ' \"$@\"\nprintf 'PICTURE%s OF ' "
                           "\"$SDKCTL_TOKEN\"\ncat\necho\n")
        self.home.environment["SDKCTL_TOKEN"] = "-not-of-helpers"
        program.chmod(0o755)
        self.home.environment["PATH"] = f"{folder}:{self.home.environment['PATH']}"
        terminal = PseudoTerminal(self.home, BINARY, "login", "--device")
        shown = terminal.wait_for(b"waiting for the other device")
        self.assertRegex(shown, rb"-t UTF8 -o - PICTURE OF https://\S+\?user_code=\S+")
        terminal.type("\x03")
        self.assertEqual(terminal.end()[0], -signal.SIGINT)
        process, _ = self.begin()
        process.kill()
        self.assertNotIn(b"PICTURE", self.said)


class ImplicitTokenTests(GrantCase):
    def setUp(self):
        super().setUp()
        self.adopt(EXCHANGE)
        self.use_person()
        self.ok("login")

    def test_shells_and_curl_read_the_token(self):
        token = self.ok("token").text.strip()
        shells = {"sh": ["sh", "-c"], "fish": ["fish", "--no-config", "-c"]}
        for shell, command in shells.items():
            with self.subTest(shell=shell):
                assignments = self.ok("token", "--env", shell).text
                script = assignments + 'printf "%s %s" "$SDKCTL_ACCESS_TOKEN" "$SDKCTL_ISSUER"'
                words = subprocess.run([*command, script], capture_output=True, text=True,
                                       timeout=30, check=True).stdout.split()
                self.assertEqual(words, [token, self.sandbox.issuer])
        url = self.sandbox.url.rstrip("/") + "/devices"
        answer = subprocess.run(
            ["curl", "--silent", "--show-error", "--fail", "--cacert", self.sandbox.ca_file,
             "--config", "-", url],
            input=self.ok("token", "--curl").text, capture_output=True, text=True, timeout=30)
        self.assertIn("devices", answer.stdout, answer.stderr)
