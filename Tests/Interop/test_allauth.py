"""Every step of the job at the OpenID provider of django-allauth."""

from Servers.stand import AllauthStand

from .providers import ProviderCase


class AllauthTests(ProviderCase):
    stand_type = AllauthStand

    def test_the_whole_job(self):
        self.add_session()
        token = self.token()
        self.assertTrue(self.provider.introspect(token)["active"])
        self.assertIn("sub", self.jsonOf(self.ok("token", "userinfo")))
        self.assertBearerReaches("/api/me", "--user")
        self.assertEqual(self.home.unsafe_modes(), [])
        self.ok("logout")
        self.assertFalse(self.provider.introspect(token)["active"])
        self.fails(4, "token")

    def test_each_way_of_client_authentication(self):
        for method in ("client_secret_basic", "client_secret_post", "none"):
            with self.subTest(method):
                self.ok("register", "--replace", "--auth-method", method)
                self.ok("login")
                before = self.token()
                self.assertNotEqual(self.facts("--fresh")["accessToken"], before)
