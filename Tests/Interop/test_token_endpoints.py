"""`token refresh`, `revoke`, `introspect` and `userinfo` at Glewlwyd and at LemonLDAP::NG."""

from Servers.case import Case
from Servers.stand import LemonLDAPStand

from .providers import ProviderCase


class GlewlwydEndpointTests(Case):
    def setUp(self):
        super().setUp()
        self.add_session()
        self.provider = self.stand.provider

    def token(self) -> str:
        return self.ok("token").text.strip()

    def test_refresh_makes_a_new_token_and_prints_none(self):
        old = self.token()
        result = self.ok("token", "refresh", "--json")
        facts = self.jsonOf(result)
        self.assertEqual((facts["profile"], facts["slot"], facts["refreshable"]),
                         (self.home.name, "user", True))
        new = self.token()
        self.assertNotEqual(new, old)
        for token in (old, new):
            self.assertNotIn(token, result.text + result.err)
        self.assertEqual(self.ok("token", "refresh").out, b"")

    def test_a_revoked_access_token_is_refused_by_the_server_and_replaced_here(self):
        old = self.token()
        self.assertTrue(self.provider.introspect(old)["active"])
        self.assertEqual(self.jsonOf(self.ok("token", "revoke", "--json"))["revoked"],
                         "access_token")
        self.assertFalse(self.provider.introspect(old)["active"])
        new = self.token()
        self.assertNotEqual(new, old)
        self.assertTrue(self.provider.introspect(new)["active"])

    def test_a_token_of_a_file_is_revoked_and_the_stored_one_stays(self):
        stored = self.token()
        other = self.ok("token", "--fresh").text.strip()
        self.ok("token", "revoke", "-", input=stored + "\n")
        self.assertEqual(self.token(), other)
        self.assertTrue(self.provider.introspect(other)["active"])
        self.assertFalse(self.provider.introspect(stored)["active"])

    def test_a_revoked_refresh_token_is_erased(self):
        self.ok("token", "revoke", "--refresh-token")
        self.assertError(self.fails(4, "token", "--fresh"), "no refresh token|not logged in")

    def test_userinfo_is_of_the_user_and_its_fields_are_values(self):
        claims = self.jsonOf(self.ok("token", "userinfo"))
        subject = self.ok("token", "--id-token", "--field", "sub").text.strip()
        self.assertEqual(claims["sub"], subject)
        self.assertEqual(self.ok("token", "userinfo", "--field", "sub").text.strip(), subject)

    def test_introspection_tells_active_from_inactive(self):
        self.assertEqual(self.ok("token", "introspect", "--field", "active").text, "true\n")
        old = self.token()
        self.ok("token", "revoke")
        answer = self.jsonOf(self.ok("token", "introspect", "-", input=old))
        self.assertEqual(answer["active"], False)


class LemonLDAPEndpointTests(ProviderCase):
    stand_type = LemonLDAPStand

    def test_introspect_and_userinfo(self):
        self.add_session()
        facts = self.jsonOf(self.ok("token", "introspect"))
        self.assertEqual((facts["active"], facts["sub"]), (True, "dwho"))
        self.assertEqual(self.jsonOf(self.ok("token", "userinfo"))["sub"], "dwho")
        # Version 2.0 has no revocation endpoint, and this client may not refresh.
        self.assertError(self.fails(1, "token", "revoke"), "offers no revocation endpoint")
        self.assertTrue(self.jsonOf(self.ok("token", "introspect"))["active"])
        self.fails(4, "token", "refresh")
