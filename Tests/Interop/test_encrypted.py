"""Answers that are signed or encrypted, as Glewlwyd makes them."""

import base64
import json

from Servers.case import Case


class EncryptedTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()
        self.ok("profile", "set", "scope=openid notes")
        self.home.use_browser(self.stand)

    def test_an_authorization_response_may_be_a_token(self):
        self.ok("register")
        for mode in ("query.jwt", "form_post.jwt"):
            with self.subTest(mode):
                self.ok("login", "--response-mode", mode)
                self.ok("token", "--force-new")

    def test_id_tokens_and_claims_are_encrypted(self):
        self.ok("register", "--encrypted-answers")
        # Glewlwyd keeps the keys of a registration and nothing else of it.
        self.ask_for_encryption()
        self.ok("login")
        claims = self.id_token()
        self.assertEqual(claims["iss"], self.stand.provider.issuer)
        self.assertEqual(self.jsonOf(self.ok("token", "userinfo"))["sub"], claims["sub"])
        self.ok("token", "--force-new")
        self.assertEqual(self.id_token()["sub"], claims["sub"])

    def test_an_id_token_in_clear_is_refused_once_encryption_was_registered(self):
        self.ok("register", "--encrypted-answers")
        result = self.home.run("login")
        self.assertEqual(result.exit, 11, result)
        self.assertError(result, "it is not encrypted, though the client registered that it is")
        self.assertFalse(self.home.slot_file().exists())

    def test_claims_come_as_json_without_encryption(self):
        self.ok("register")
        self.ok("login")
        self.assertEqual(self.jsonOf(self.ok("token", "userinfo"))["sub"], self.id_token()["sub"])

    def ask_for_encryption(self):
        """What the administrator must set of a client for its answers to be encrypted."""
        client = json.loads(self.home.registration_file.read_text())["client"]
        key = next(key for key in client["jwks"]["keys"] if key["use"] == "enc")
        self.stand.provider.furnish_client(
            client["client_id"], alg=client["id_token_encrypted_response_alg"],
            enc=client["id_token_encrypted_response_enc"], alg_kid=key["kid"],
            encrypt_id_token="1", encrypt_userinfo="1")

    def id_token(self) -> dict:
        slot = json.loads(self.home.slot_file().read_text())
        return json.loads(base64.urlsafe_b64decode(slot["idToken"].split(".")[1] + "=="))
