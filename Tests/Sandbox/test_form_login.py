"""Logins by form at the sandbox: two pages, a session cookie or a JWT, and what follows a 401."""

from Servers.sandbox import SandboxCase


class FormLoginTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.configure("cookie")

    def configure(self, want):
        self.password = self.home.directory / "password"
        self.password.write_text("wonderland\n")
        self.password.chmod(0o600)
        self.ok("profile", "set", f"form.url={self.sandbox.issuer}/form-login?want={want}",
                "form.user=alice", f"form.passwordFile={self.password}")

    def path(self):
        return self.home.slot_file()

    def test_two_pages_lead_to_the_cookie_that_opens_a_resource(self):
        result = self.ok("login", "form")
        self.assertIn("(cookies: form-login-browser, gateway-session)", result.err)
        before = self.path().read_bytes()
        for _ in range(2):  # the response sets another cookie, which is not taken
            self.assertIn("sub", self.jsonOf(self.ok("fetch", "/cookie-protected")))
        self.assertEqual(self.path().read_bytes(), before)
        self.assertEqual(self.home.unsafe_modes(), [])
        self.fails(12, "fetch", "--unauth", "/cookie-protected")

    def test_the_jwt_is_a_bearer_token_and_is_replaced_after_a_401(self):
        self.configure("jwt")
        self.assertIn("(a JWT)", self.ok("login", "form").err)
        first = self.ok("token").text
        self.assertIn("sub", self.jsonOf(self.ok("fetch", "/jwt-protected")))
        self.sandbox.command("reset")
        self.assertIn("sub", self.jsonOf(self.ok("fetch", "/jwt-protected")))
        self.assertNotEqual(self.ok("token").text, first)
