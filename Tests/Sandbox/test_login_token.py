"""`login token` at the sandbox, with tokens of another installation of the same client."""

import json

from Servers.sandbox import SCOPE

from .test_grants import GrantCase


class LoginTokenTests(GrantCase):
    def setUp(self):
        super().setUp()
        self.given = self.adopt()

    def another(self) -> dict:
        """What another installation has stored; it must not use it any more."""
        first, self.home = self.home, self.new_home()
        self.ok("profile", "set", "scope=" + SCOPE)
        self.ok("register", "--client-id", self.given["client_id"], "--client-secret-file", "-",
                "--redirect-uri", "http://127.0.0.1:61007/callback", input=self.given["client_secret"])
        self.home.use_browser(self.sandbox)
        self.ok("login")
        stored = json.loads(self.home.slot_file().read_text())
        self.home = first
        return stored

    def test_a_refresh_token_of_another_installation(self):
        stored = self.another()
        self.ok("login", "token", "--token-file", "-", input=stored["refreshToken"])
        self.ok("fetch", "--user", "/devices")
        self.home.expire()
        self.ok("fetch", "--user", "/devices")

    def test_a_token_that_was_used_before_is_refused(self):
        stored = self.another()
        self.ok("login", "token", "--token-file", "-", input=stored["refreshToken"])
        before = self.ok("token").text
        self.fails(5, "login", "token", "--token-file", "-", input=stored["refreshToken"])
        self.assertEqual(json.loads(self.home.slot_file().read_text())["accessToken"], before.strip())
