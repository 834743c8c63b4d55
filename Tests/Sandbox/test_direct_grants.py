"""Logins that need no browser: by password, by an assertion, and by exchange of a token."""

import json

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

    def test_on_a_terminal_it_is_asked_for_and_not_shown(self):
        terminal = PseudoTerminal(self.home, BINARY, "login", "password", "alice")
        terminal.wait_for(b"Password of alice: ")
        terminal.type("wonderland\n")
        code, shown = terminal.end()
        self.assertEqual(code, 0, shown)
        self.assertNotIn(b"wonderland", shown)

    def test_a_profile_that_does_not_allow_it_asks_nobody(self):
        self.ok("profile", "set", "passwordGrant=false")
        terminal = PseudoTerminal(self.home, BINARY, "login", "password", "alice")
        code, shown = terminal.end()
        self.assertEqual(code, 10, shown)
        self.assertNotIn(b"Password of", shown)
        self.assertEqual(self.sandbox.grants("password"), 0)


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
