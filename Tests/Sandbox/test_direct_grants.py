"""Logins that need no browser: by password, by an assertion, and by exchange of a token."""

import json
import subprocess

from Servers.process import wait_until
from Servers.pseudo_terminal import PseudoTerminal
from Servers.sandbox import SCOPE, SandboxCase
from Servers.sdkctl import BINARY

ASSERTION = "jwt-bearer"
EXCHANGE = "token-exchange"


class PasswordTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.ok("profile", "set", "passwordGrant=true")
        self.register()

    def log_in(self, password="wonderland", *arguments):
        return self.home.run("login", "password", "alice", "--password-file", "-", *arguments,
                             input=password)

    def test_a_password_logs_in_as_any_login_does(self):
        result = self.log_in("wonderland\n", "--json")
        self.assertEqual(result.exit, 0, result)
        facts = self.jsonOf(result)
        self.assertEqual(facts["slot"], "user")
        self.assertEqual(facts["scope"].split(), SCOPE.split())
        self.assertIsNotNone(facts["subject"])  # of an ID token, which was checked
        self.ok("fetch", "--user", "/devices")
        self.home.expire()
        self.ok("fetch", "--user", "/devices")
        self.assertEqual(self.sandbox.grants("refresh_token"), 1)
        self.ok("logout")

    def test_a_wrong_one_is_refused_and_keeps_what_there_is(self):
        self.assertEqual(self.log_in().exit, 0)
        before = self.home.slot_file().read_bytes()
        result = self.log_in("looking-glass")
        self.assertEqual(result.exit, 5, result)
        self.assertIn("do not fit together", result.err)
        self.assertNotIn("looking-glass", result.err)
        self.assertEqual(self.home.slot_file().read_bytes(), before)

    def test_a_client_registered_before_they_were_allowed_must_register_again(self):
        self.ok("profile", "unset", "passwordGrant")
        self.ok("register", "--replace")
        self.ok("profile", "set", "passwordGrant=true")
        result = self.log_in()
        self.assertEqual(result.exit, 5, result)
        self.assertEqual(result.hint, f"sdkctl -p {self.home.name} register --replace")
        self.ok("register", "--replace")
        self.assertEqual(self.log_in().exit, 0)

    def test_it_is_proved_by_nobody_elses_login(self):
        self.sandbox.fault("latency", "--on", "token")
        first = self.home.start("login", "password", "alice", "--password-file", "-",
                                stdin=subprocess.PIPE)
        self.addCleanup(first.kill)
        first.stdin.write(b"wonderland")
        first.stdin.close()
        wait_until(lambda: self.sandbox.requests("token"), "the first login at the server")
        second = self.home.run("login", "password", "bob", "--password-file", "-", input="wrong")
        self.assertEqual(second.exit, 5, second)
        self.assertEqual(first.wait(timeout=60), 0)

    def test_it_may_come_from_a_file_that_nobody_else_reads(self):
        file = self.home.directory / "password"
        file.write_text("wonderland\n")
        file.chmod(0o644)
        arguments = ("login", "password", "alice", "--password-file", str(file))
        self.fails(3, *arguments)
        file.chmod(0o600)
        self.ok(*arguments)

    def test_on_a_terminal_it_is_asked_for_and_not_shown(self):
        terminal = PseudoTerminal(self.home, BINARY, "login", "password", "alice")
        terminal.wait_for(b"Password of alice: ")
        terminal.type("wonderland\n")
        code, shown = terminal.end()
        self.assertEqual(code, 0, shown)
        self.assertNotIn(b"wonderland", shown)

    def test_without_a_terminal_it_is_not_asked_for(self):
        process = self.home.start("login", "password", "alice")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, errors)
        self.assertIn(b"there is no terminal", errors)

    def test_a_profile_that_does_not_allow_it_asks_nobody(self):
        self.ok("profile", "set", "passwordGrant=false")
        terminal = PseudoTerminal(self.home, BINARY, "login", "password", "alice")
        code, shown = terminal.end()
        self.assertEqual(code, 10, shown)
        self.assertNotIn(b"Password of", shown)
        self.assertEqual(self.sandbox.grants("password"), 0)

    def test_a_client_that_was_registered_without_it_is_told(self):
        self.ok("profile", "set", "passwordGrant=false")
        self.ok("register", "--replace")
        self.ok("profile", "set", "passwordGrant=true")
        result = self.log_in()
        self.assertEqual(result.exit, 5, result)
        self.assertIn("unauthorized_client", result.err)


class AssertionTests(SandboxCase):
    def test_the_client_signs_for_a_person_with_its_own_key(self):
        self.ok("profile", "set", "scope=" + SCOPE)
        self.ok("register", "--auth-method", "private_key_jwt")
        facts = self.jsonOf(self.ok("login", "assertion", "--sub", "alice", "--json"))
        self.assertEqual(facts["slot"], "user")
        self.ok("fetch", "--user", "/devices")
        self.assertEqual(self.sandbox.grants(ASSERTION), 1)
        self.home.expire()  # there is no refresh token: a new assertion is as good
        self.fails(4, "token")
        self.fails(5, "login", "assertion", "--sub", "nobody")
        self.ok("login", "assertion", "--sub", "alice")
        self.ok("token")

    def test_a_client_without_a_key_signs_nothing(self):
        self.register()
        result = self.fails(3, "login", "assertion", "--sub", "alice")
        self.assertIn("register --replace --auth-method private_key_jwt", result.hint)
        self.assertEqual(self.sandbox.grants(ASSERTION), 0)

    def test_what_is_no_assertion_is_refused_by_the_server(self):
        self.register()
        result = self.fails(5, "login", "assertion", "--assertion-file", "-", input="no.such.assertion")
        self.assertNotIn("no.such.assertion", result.err)
        self.assertFalse(self.home.slot_file().exists())


class ExchangeTests(SandboxCase):
    def test_a_token_becomes_the_users(self):
        self.add_session()
        token = self.ok("token").text
        facts = self.jsonOf(self.ok(
            "login", "exchange", "--token-file", "-", "--scope", "read", "--json", input=token))
        self.assertEqual((facts["slot"], facts["scope"]), ("user", "read"))
        kept = json.loads(self.home.slot_file().read_text())
        self.assertNotEqual(kept["accessToken"], token.strip())
        self.assertEqual(self.sandbox.grants(EXCHANGE), 1)

    def test_a_type_that_the_server_does_not_take_is_refused(self):
        self.add_session()
        before = self.home.slot_file().read_bytes()
        result = self.fails(5, "login", "exchange", "--token-file", "-", "--token-type", "id_token",
                            input="a.b.c")
        self.assertIn("only access tokens can be exchanged", result.err)
        self.assertEqual(self.home.slot_file().read_bytes(), before)
