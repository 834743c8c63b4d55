"""Every step of the job at LemonLDAP::NG, with its habits."""

from Servers.lemonldap import GIVEN
from Servers.stand import LemonLDAPStand

from .providers import ProviderCase


class LemonLDAPTests(ProviderCase):
    stand_type = LemonLDAPStand

    def use_given_client(self):
        """A client of the administrator's, with '/' in its id and secret."""
        identifier, secret = GIVEN
        self.ok("register", "--client-id", identifier, "--client-secret-file", "-", "--callback-port",
                self.provider.given_port, input=secret + "\n")

    def test_the_whole_job(self):
        self.add_session()
        token = self.token()
        self.assertTrue(self.provider.introspect(token)["active"])
        self.assertEqual(self.jsonOf(self.ok("token", "userinfo"))["sub"], "dwho")
        self.assertBearerReaches("/api/me", "--user")
        self.assertEqual(self.home.unsafe_modes(), [])
        self.ok("logout", "--local")
        self.fails(4, "token")

    def test_a_client_without_the_right_to_refresh_is_told_so(self):
        self.add_session()
        result = self.fails(4, "token", "--fresh")
        self.assertError(result, "no refresh token")

    def test_a_given_client_with_the_right_to_refresh(self):
        self.use_given_client()
        self.ok("profile", "set", "scope=openid offline_access", "anonymousScope=openid")
        self.ok("login")
        first = self.facts()
        second = self.facts("--fresh")
        self.assertNotEqual(first["accessToken"], second["accessToken"])
        self.assertTrue(self.provider.introspect(second["accessToken"])["active"])
        self.assertBearerReaches("/api/me")
        # It narrows the new access token, and not the login.
        self.ok("profile", "set", "scope=openid profile offline_access", "narrowedRefresh=true")
        self.ok("login")
        self.ok("token", "--scope", "openid")
        self.assertIn("profile", self.facts("--fresh")["scope"].split())

    def test_a_given_client_speaks_for_itself(self):
        self.use_given_client()
        self.ok("profile", "set", "anonymousScope=profile")
        token = self.jsonOf(self.ok("fetch", "--anonymous", "/api/me"))[
            "fields"]["authorization"][0].removeprefix("Bearer ")
        self.assertEqual(self.provider.introspect(token)["client_id"], GIVEN[0])

    def test_a_dynamic_client_may_not_speak_for_itself(self):
        self.ok("register")
        self.ok("profile", "set", "anonymousScope=profile")
        self.assertIn("unauthorized_client", self.fails(5, "login", "--anonymous").err)

    def test_an_implicit_token_comes_without_a_form(self):
        cookies = self.home.directory / "cookies"
        self.use_person(STAND_COOKIES=cookies)
        self.add_session()
        self.use_person(STAND_COOKIES=cookies, STAND_PASSWORD="forgotten")
        self.ok("login", "--implicit", "--scope", "openid")
        token = self.token("--implicit")
        self.assertTrue(self.provider.introspect(token)["active"])
        self.ok("fetch", "--implicit", "/api/me")

    def test_a_person_who_refuses(self):
        self.ok("register")
        self.use_person("cancel-consent")
        # It says so with the error that other servers keep for prompt=none.
        result = self.home.run("login")
        self.assertEqual(result.exit, 4, result)
        self.assertIn("consent_required", result.err)
        self.assertFalse(self.home.slot_file().exists())

    def test_what_is_not_offered_is_said(self):
        self.add_session()
        self.assertError(self.home.run("login", "--device"), "offers no device")
        for words in (["register", "show"], ["register", "update", "--client-name", "x"]):
            self.assertError(self.home.run(*words), "gave no access to the registration")
        result = self.home.run("logout")
        self.assertIn("offers no revocation", result.err)
        self.assertFalse(self.home.slot_file().exists())
        self.assertIn("gave no access", self.home.run("deregister", "--yes").err)
        self.assertTrue(self.home.registration_file.exists())
        self.ok("deregister", "--local", "--yes")
        self.assertFalse(self.home.registration_file.exists())
