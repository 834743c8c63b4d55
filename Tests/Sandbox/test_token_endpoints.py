"""`token refresh`, `revoke`, `introspect` and `userinfo` at the sandbox."""

from Servers.sandbox import SandboxCase


class TokenEndpointTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.add_session()

    def token(self, *options) -> str:
        return self.ok("token", *options).text.strip()

    def test_refresh_makes_a_new_token_of_each_slot(self):
        for option in ("--user", "--implicit", "--anonymous"):
            with self.subTest(option):
                old = self.token(option)
                facts = self.jsonOf(self.ok("token", "refresh", option, "--json"))
                self.assertEqual(facts["slot"], option[2:])
                self.assertNotEqual(self.token(option), old)

    def test_a_revoked_token_is_inactive_and_replaced(self):
        old = self.token()
        self.assertEqual(self.ok("token", "introspect", "--field", "active").text, "true\n")
        self.ok("token", "revoke")
        self.assertFalse(self.sandbox.introspect(old)["active"])
        self.assertNotEqual(self.token(), old)
        answer = self.jsonOf(self.ok("-p", "sandbox", "token", "introspect", "-", input=old))
        self.assertEqual(answer, {"active": False})

    def test_a_revoked_refresh_token_ends_the_login(self):
        self.ok("token", "revoke", "--refresh-token")
        self.fails(4, "token", "refresh")

    def test_userinfo_is_of_the_user(self):
        self.assertEqual(self.ok("token", "userinfo", "--field", "sub").text,
                         self.ok("token", "--id-token", "--field", "sub").text)

    def test_each_refuses_without_a_login(self):
        self.ok("logout", "--local")
        for words in (["refresh"], ["revoke"], ["introspect"], ["userinfo"]):
            self.fails(4, "token", *words)
