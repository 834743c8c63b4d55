"""FIDO UAF at the sandbox when responses are lost, processes are killed, or another login is there."""

import json

from Servers.kills import ROUNDS, Kills
from Servers.sandbox import SandboxCase


class FIDOTroubleTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.ok("profile", "set", f"form.url={self.sandbox.issuer}/form-login?want=cookie",
                "form.user=alice", f"form.passwordFile={self.secret('password', 'wonderland')}",
                f"fido.url={self.sandbox.status()['fidoURL']}",
                f"fido.passcodeFile={self.secret('passcode', '271828')}", "reauthenticate=fido")

    def secret(self, name, content):
        path = self.home.directory / name
        path.write_text(content + "\n")
        path.chmod(0o600)
        return path

    def fido(self):
        return json.loads(self.sandbox.command("fido", "--json").out)

    def add_key(self, *options):
        self.ok("login", "form")
        self.ok("fido", "register", *options)
        self.ok("fido", "login")

    def test_the_token_of_a_browser_login_registers_a_key(self):
        self.add_session()
        self.ok("fido", "register")
        self.assertEqual(len(self.fido()["keys"]), 1)

    def test_responses_that_are_lost_or_broken_keep_the_session_and_the_key(self):
        self.add_key()
        before = self.home.slot_file().read_bytes()
        for endpoint in ("uaf-request", "uaf-response"):
            for fault in ("500", "503", "cut-body", "garbage", "html"):
                with self.subTest(fault, endpoint=endpoint):
                    self.sandbox.fault(fault, "--on", endpoint)
                    result = self.home.run("fido", "login")
                    self.assertFailed(result, result.exit or "a failure")
                    self.assertEqual(self.home.slot_file().read_bytes(), before)
        self.ok("fido", "login")

    def test_a_registration_whose_response_is_lost_is_of_use(self):
        self.ok("login", "form")
        self.sandbox.fault("cut-body", "--on", "uaf-response")
        self.fails(6, "fido", "register")
        self.assertEqual(len(self.fido()["keys"]), 1)  # the server has it
        self.ok("fido", "login")

    def test_counters_never_go_back_when_processes_are_killed(self):
        """The server refuses a counter that is not greater than the one before (1498)."""
        for passcode in (None, "271828"):
            with self.subTest(passcode=passcode):
                if passcode is None:
                    self.ok("profile", "set", "fido.noVerification=true")
                else:
                    self.ok("fido", "deregister", "--yes")
                    self.ok("profile", "unset", "fido.noVerification")
                self.add_key(*([] if passcode else ["--no-verification"]))
                self.kill(*(["--passcode-file", "-"] if passcode else []), passcode=passcode or "")

    def kill(self, *options, passcode):
        kills = Kills.of(lambda: self.ok("fido", "login"))
        for _ in range(ROUNDS):
            kills.strike(self.home, "fido", "login")
            # A kill while the passcode was tried counts as a wrong one, after which that of a file is
            # not tried; a right one makes up for it.
            result = self.home.run("fido", "login", *options, input=passcode)
            self.assertEqual(result.exit, 0, f"{kills.where}\n{result}")
        kills.assert_enough(self)
