"""Who the user is: claims of the userinfo endpoint, ID tokens of refreshes, and rotated keys."""

import base64
import json

from Servers.sandbox import SandboxCase


class IdentityTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.add_session()

    def test_userinfo_is_about_who_logged_in(self):
        claims = self.jsonOf(self.ok("token", "userinfo"))
        self.assertEqual(claims["sub"], self.id_token()["sub"])
        self.assertEqual(self.jsonOf(self.ok("token", "userinfo", "--json")), claims)

    def test_userinfo_about_somebody_else_is_refused(self):
        slot = json.loads(self.home.slot_file().read_text())
        slot["idToken"] = altered(slot["idToken"], sub="somebody-else")
        self.home.slot_file().write_text(json.dumps(slot))
        result = self.fails(11, "token", "userinfo")
        self.assertEqual(result.out, b"")
        self.assertError(result, "another user than the id token")

    def test_userinfo_is_told_for_a_bound_token_too(self):
        self.ok("profile", "set", "dpop=on")
        self.ok("login")
        claims = self.jsonOf(self.ok("token", "userinfo"))
        self.assertEqual(claims["sub"], self.id_token()["sub"])

    def test_userinfo_of_another_person_is_refused(self):
        self.sandbox.fault("other-sub")
        result = self.fails(11, "token", "userinfo")
        self.assertEqual((result.out, self.sandbox.struck("other-sub")), (b"", 1))
        self.assertError(result, "another user than the id token")
        self.ok("token", "userinfo")

    def test_a_clock_that_differs_is_told_once_at_a_login(self):
        self.sandbox.fault("date-skew", "--on", "token")
        result = self.ok("login")
        self.assertEqual(result.err.count("this machine's clock is"), 1, result)
        self.assertRegex(result.err, r"clock is 3[56]\d\d seconds ahead of")
        self.assertNotIn("clock", self.ok("login").err)

    def test_userinfo_without_an_id_token_says_so(self):
        token = self.ok("token").text.strip()
        result = self.ok("token", "userinfo", environment={"SDKCTL_TOKEN": token})
        self.assertIn("no ID token", result.err)
        self.assertEqual(self.jsonOf(result)["sub"], self.id_token()["sub"])

    def test_userinfo_renews_a_token_that_was_revoked(self):
        self.home.expire()
        self.ok("token", "userinfo")
        self.assertEqual(self.sandbox.grants("refresh_token"), 1)

    def test_the_id_token_of_a_refresh_is_kept_when_it_is_of_the_same_user(self):
        before = self.id_token()
        self.ok("token", "--fresh")
        after = self.id_token()
        for claim in ("iss", "sub", "aud"):
            self.assertEqual(after[claim], before[claim])

    def test_the_id_token_of_a_refresh_about_somebody_else_is_refused(self):
        slot = json.loads(self.home.slot_file().read_text())
        slot["idToken"] = altered(slot["idToken"], sub="somebody-else")
        self.home.slot_file().write_text(json.dumps(slot))
        before = self.home.slot_file().read_bytes()
        result = self.fails(11, "token", "--fresh")
        self.assertError(result, "the token is about 'user-[^']*', not 'somebody-else'")
        self.assertEqual(self.home.slot_file().read_bytes(), before)

    def test_keys_are_asked_for_once_and_again_when_they_rotate(self):
        count = self.sandbox.requests("jwks")
        self.ok("login")
        self.assertEqual(self.sandbox.requests("jwks"), count)
        self.sandbox.command("rotate")
        self.ok("login")
        self.assertEqual(self.sandbox.requests("jwks"), count + 1)
        self.ok("login")
        self.assertEqual(self.sandbox.requests("jwks"), count + 1)

    def test_forged_tokens_make_no_storm_of_requests(self):
        count = self.sandbox.requests("jwks")
        for _ in range(3):
            self.home.forget_failed_login()
            self.sandbox.fault("bad-signature")
            self.assertEqual(self.home.run("login").exit, 11)
        self.assertLessEqual(self.sandbox.requests("jwks"), count + 2)

    def test_encrypted_answers_need_a_server_that_encrypts(self):
        before = self.home.registration_file.read_bytes()
        result = self.fails(1, "register", "--replace", "--encrypted-responses")
        self.assertError(result, "encrypts no id tokens")
        self.assertEqual(self.home.registration_file.read_bytes(), before)

    def id_token(self) -> dict:
        slot = json.loads(self.home.slot_file().read_text())
        return json.loads(base64.urlsafe_b64decode(slot["idToken"].split(".")[1] + "=="))


def altered(token: str, **claims) -> str:
    """The same token with other claims, whose signature is then none."""
    header, payload, signature = token.split(".")
    document = json.loads(base64.urlsafe_b64decode(payload + "==")) | claims
    text = base64.urlsafe_b64encode(json.dumps(document).encode()).rstrip(b"=").decode()
    return ".".join([header, text, signature])
