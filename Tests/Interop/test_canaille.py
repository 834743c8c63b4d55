"""Every step of the job at Canaille, whose habits are those of authlib."""

import time

from Servers.process import wait_until
from Servers.stand import CanailleStand

from .providers import ProviderCase


class CanailleTests(ProviderCase):
    stand_type = CanailleStand

    def await_next_second(self):
        """Two tokens of one second are the same, which the database refuses."""
        issued = time.time()
        wait_until(lambda: int(time.time()) > int(issued), "the next second")

    def renewed(self) -> dict:
        before = self.facts()
        self.await_next_second()
        after = self.facts("--fresh")
        self.assertNotEqual(after["accessToken"], before["accessToken"])
        return after

    def test_the_whole_job(self):
        self.add_session()
        token = self.token()
        self.assertTrue(self.provider.introspect(token)["active"])
        self.assertEqual(self.jsonOf(self.ok("token", "userinfo"))["sub"], "alice")
        self.assertBearerReaches("/api/me", "--user")
        self.assertEqual(self.home.unsafe_modes(), [])
        self.ok("logout")
        self.assertFalse(self.provider.introspect(token)["active"])
        self.fails(4, "token")

    def test_a_refresh_rotates(self):
        self.add_session()
        kept = self.home.copy()
        self.addCleanup(kept.remove)
        self.assertTrue(self.provider.introspect(self.renewed()["accessToken"])["active"])
        kept.expire()
        self.assertEqual(kept.run("token").exit, 4)  # the old refresh token is used up

    def test_each_way_of_client_authentication(self):
        """Revocation takes Basic credentials only, and its metadata says so."""
        for method in ("client_secret_basic", "client_secret_post", "private_key_jwt"):
            with self.subTest(method):
                self.ok("register", "--replace", "--auth-method", method)
                self.ok("login")
                self.renewed()
                self.assertIn("sub", self.jsonOf(self.ok("token", "userinfo")))

    def test_a_client_that_posts_its_secret_revokes_with_basic_credentials(self):
        self.ok("register", "--auth-method", "client_secret_post")
        self.ok("login")
        token = self.token()
        self.ok("logout")
        self.assertFalse(self.provider.introspect(token)["active"])

    def test_a_token_of_less_scope_narrows_no_login_unasked(self):
        """A refresh for less scope binds the new refresh token to it, here as at all of authlib."""
        self.ok("profile", "set", "scope=openid profile")
        self.add_session()
        self.assertError(self.home.run("token", "--scope", "openid"), "narrowedrefresh")
        self.assertEqual(set(self.renewed()["scope"].split()), {"openid", "profile"})
        self.ok("profile", "set", "narrowedRefresh=true")
        self.await_next_second()
        narrowed = self.ok("token", "--scope", "openid")
        self.await_next_second()
        renewed = self.ok("token", "--fresh")
        self.assertRegex(narrowed.err + renewed.err, "scope")

    def test_an_installation_speaks_for_itself(self):
        self.ok("profile", "set", "scope=openid profile", "anonymousScope=profile")
        self.ok("register")
        self.ok("login", "--anonymous")
        self.assertRegex(self.token("--anonymous"), r"\A\S+\Z")

    def test_registration_is_read_updated_and_deleted(self):
        self.ok("register", "--client-name", "First")
        shown = self.jsonOf(self.ok("register", "show", "--json"))["metadata"]
        self.assertEqual(shown["client_name"], "First")
        self.ok("register", "update", "--client-name", "Second")
        shown = self.jsonOf(self.ok("register", "show", "--json"))["metadata"]
        self.assertEqual(shown["client_name"], "Second")
        self.ok("login")
        self.ok("deregister", "--yes")
        self.assertFalse(self.home.registration_file.exists())
        self.assertFalse(self.home.slot_file().exists())

    def test_signed_authorization_requests(self):
        """It announces HS256 and refuses it; what is signed with a key is taken."""
        self.ok("register", "--auth-method", "private_key_jwt")
        self.ok("profile", "set", "jar=true")
        self.ok("login")

    def test_a_person_who_refuses(self):
        self.ok("register")
        self.use_person("cancel-consent")
        result = self.home.run("login")
        self.assertEqual(result.exit, 15, result)
        self.assertFalse(self.home.slot_file().exists())

    def test_a_device_login_is_not_offered(self):
        self.ok("register")
        self.assertError(self.home.run("login", "--device"), "offers no device")
