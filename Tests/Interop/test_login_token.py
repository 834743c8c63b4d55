"""`login token` with tokens that another program obtained from Glewlwyd."""

import json
import urllib.parse

from .test_grants import GrantCase


class LoginTokenTests(GrantCase):
    def setUp(self):
        super().setUp()
        self.client = self.adopt()

    def obtained(self, scope="openid notes") -> dict:
        """A token response, obtained by an authorization code without sdkctl."""
        web, provider = self.alice(self.client, scope), self.stand.provider
        endpoints = provider.metadata(provider.issuer)
        query = urllib.parse.urlencode({
            "response_type": "code", "client_id": self.client, "redirect_uri": self.redirect,
            "scope": scope, "state": "s", "nonce": "n"})
        answer = web.get(f"{endpoints['authorization_endpoint']}?{query}&g_continue")
        self.assertEqual(answer.status, 302, answer)
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.fields["Location"]).query)["code"][0]
        answer = web.post(endpoints["token_endpoint"], basic=(self.client, self.secret), form={
            "grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect})
        self.assertEqual(answer.status, 200, answer)
        return answer.json()

    def file(self, content):
        path = self.home.directory / "tokens.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        path.chmod(0o600)
        return path

    def assertLoggedIn(self, result):
        self.assertEqual(self.jsonOf(result)["slot"], "user")
        self.ok("fetch", "--user", "/api/me")

    def test_a_token_response_is_taken_over_and_renewed(self):
        given = self.obtained()
        result = self.ok("login", "token", "--token-file", self.file(given), "--json")
        self.assertLoggedIn(result)
        self.assertTrue(self.jsonOf(result)["subject"])
        self.assertEqual(self.ok("token", "--id-token", "--field", "sub").text.strip(),
                         self.jsonOf(result)["subject"])
        self.assertNotEqual(self.ok("token").text.strip(), given["access_token"])
        self.home.expire()
        self.ok("fetch", "--user", "/api/me")
        for secret in (given["access_token"], given["refresh_token"], given["id_token"]):
            self.assertNotIn(secret, result.text + result.err)

    def test_a_refresh_token_alone_is_taken_over(self):
        given = self.obtained()
        self.assertLoggedIn(self.ok("login", "token", "--token-file", "-", "--json",
                                    input=given["refresh_token"] + "\n"))

    def test_an_access_token_alone_is_tried_at_the_userinfo_endpoint(self):
        given = self.obtained()
        del given["refresh_token"]
        result = self.ok("login", "token", "--token-file", self.file(given), "--json")
        self.assertLoggedIn(result)
        self.assertEqual(self.ok("token").text.strip(), given["access_token"])
        self.assertIn("gave no refresh token", result.err)

    def test_what_the_server_refuses_is_not_stored(self):
        given = self.obtained()
        other = self.obtained()
        refused = self.fails(5, "login", "token", "--token-file", "-", input="no-such-token")
        self.assertFalse(self.home.slot_file().exists())
        self.assertNotIn("no-such-token", refused.err)
        bad = {"access_token": "no-such-token", "token_type": "bearer"}
        self.fails(5, "login", "token", "--token-file", self.file(bad))
        # The hash of the ID token is that of another access token.
        mixed = given | {"id_token": other["id_token"]}
        self.fails(11, "login", "token", "--token-file", self.file(mixed))
        head, payload, signature = given["id_token"].split(".")
        forged = given | {"id_token": f"{head}.{payload}.{'A' * len(signature)}"}
        self.fails(11, "login", "token", "--token-file", self.file(forged))
        self.assertFalse(self.home.slot_file().exists())
        # Nothing of that has used the refresh token.
        self.ok("login", "token", "--token-file", self.file(given))

    def test_tokens_of_another_client_are_refused(self):
        given = self.obtained()
        self.home.registration_file.unlink()
        self.adopt()
        self.fails((5, 11), "login", "token", "--token-file", self.file(given))
        self.fails(5, "login", "token", "--token-file", "-", input=given["refresh_token"])
        self.assertFalse(self.home.slot_file().exists())
