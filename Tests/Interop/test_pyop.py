"""Every step of the job at an OpenID provider on pyop, which knows neither revocation nor introspection."""

from Servers.stand import PyopStand

from .providers import ProviderCase


class PyopTests(ProviderCase):
    stand_type = PyopStand

    def test_the_whole_job(self):
        self.add_session()
        token = self.token()
        self.assertEqual(self.jsonOf(self.ok("token", "userinfo"))["sub"],
                         self.provider.introspect(token)["sub"])
        self.assertBearerReaches("/api/me", "--user")
        self.assertEqual(self.home.unsafe_modes(), [])
        self.assertIn("revo", self.ok("logout").err)
        self.fails(4, "token")

    def test_each_way_of_client_authentication(self):
        for method in ("client_secret_basic", "client_secret_post"):
            with self.subTest(method):
                self.ok("register", "--replace", "--auth-method", method)
                self.ok("login")
                before = self.token()
                self.assertNotEqual(self.facts("--fresh")["accessToken"], before)

    def test_a_public_client_is_refused_and_told_why(self):
        result = self.fails(5, "register", "--auth-method", "none")
        self.assertIn("token_endpoint_auth_method=none", result.err)
