"""Every step of the job at the authorization server of the MCP SDK, which looks for the client in the body."""

from Servers.stand import MCPStand

from .providers import ProviderCase


class MCPTests(ProviderCase):
    stand_type = MCPStand

    def test_the_whole_job(self):
        self.add_session()
        token = self.token()
        self.assertTrue(self.provider.introspect(token)["active"])
        self.assertBearerReaches("/api/me", "--user")
        self.assertEqual(self.home.unsafe_modes(), [])
        # Its revocation wants the secret in the body, and Basic credentials too: RFC 6749 section 2.3 forbids both.
        result = self.home.run("logout")
        self.assertEqual(result.exit, 5, result)
        self.assertIn("Missing or invalid Basic authentication", result.err)
        self.fails(4, "token")

    def test_a_client_that_posts_its_secret_revokes(self):
        self.ok("register", "--auth-method", "client_secret_post")
        self.ok("login")
        token = self.token()
        self.ok("logout")
        self.assertFalse(self.provider.introspect(token)["active"])

    def test_each_way_of_client_authentication(self):
        for method in ("client_secret_basic", "client_secret_post", "none"):
            with self.subTest(method):
                self.ok("register", "--replace", "--auth-method", method)
                self.assertEqual(self.client()["token_endpoint_auth_method"], method)
                self.ok("login")
                before = self.token()
                self.assertNotEqual(self.facts("--fresh")["accessToken"], before)

    def test_a_grant_that_it_does_not_have_is_named_and_the_login_stays(self):
        self.add_session()
        token = self.token()
        result = self.fails(5, "login", "--anonymous")
        self.assertNotIn("--replace", result.err)
        self.assertEqual(self.token(), token)
