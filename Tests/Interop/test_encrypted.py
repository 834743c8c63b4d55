"""Answers that are signed or encrypted, as Glewlwyd makes them."""

import base64
import itertools
import json

from Servers.authority import run
from Servers.case import Case

CURVE = ("ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW")
RSA = ("RSA-OAEP", "RSA-OAEP-256")
# Directly agreed keys of more than 256 bits come out wrong in rhonabwy 1.1.11 (its issue 28).
DIRECT = ("A128CBC-HS256", "A128GCM", "A192GCM", "A256GCM")
WRAPPED = ("A192CBC-HS384", "A256CBC-HS512", "A256GCM")


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
                self.ok("profile", "set", "responseMode=" + mode)
                self.ok("login")
                self.ok("token", "--fresh")

    def test_id_tokens_and_claims_are_encrypted(self):
        self.ok("register", "--encrypted-responses")
        # Glewlwyd keeps the keys of a registration and nothing else of it.
        self.ask_for_encryption()
        self.decrypted(CURVE[0], "login")
        claims = self.id_token()
        self.assertEqual(claims["iss"], self.stand.provider.issuer)
        self.assertEqual(self.jsonOf(self.ok("token", "userinfo"))["sub"], claims["sub"])
        self.decrypted(CURVE[0], "token", "--fresh")
        self.assertEqual(self.id_token()["sub"], claims["sub"])

    def test_every_algorithm_that_both_know(self):
        self.ok("register", "--encrypted-responses")
        before = self.kept()["encryptionKey"]["pem"]
        rsa = run("openssl", "genrsa", "2048").decode()
        for algorithm, content in ([(CURVE[0], content) for content in DIRECT]
                                   + list(itertools.product(CURVE[1:] + RSA, WRAPPED))):
            with self.subTest(algorithm, content=content):
                document = self.kept()
                document["encryptionKey"] = {
                    "alg": algorithm, "pem": rsa if algorithm in RSA else before}
                for answer in ("id_token", "userinfo"):
                    document["client"][f"{answer}_encrypted_response_alg"] = algorithm
                    document["client"][f"{answer}_encrypted_response_enc"] = content
                if algorithm in RSA:
                    document["client"]["jwks"] = {"keys": [rsa_key(rsa)]}
                self.home.registration_file.write_text(json.dumps(document))
                self.ask_for_encryption()
                self.decrypted(algorithm, "login")
                self.decrypted(algorithm, "token", "userinfo")

    def test_an_id_token_in_clear_is_refused_once_encryption_was_registered(self):
        self.ok("register", "--encrypted-responses")
        result = self.home.run("login")
        self.assertEqual(result.exit, 11, result)
        self.assertError(result, "it is not encrypted, though the client registered that it is")
        self.assertFalse(self.home.slot_file().exists())

    def test_claims_come_as_json_without_encryption(self):
        self.ok("register")
        self.ok("login")
        self.assertEqual(self.jsonOf(self.ok("token", "userinfo"))["sub"], self.id_token()["sub"])

    def decrypted(self, algorithm, *command):
        """Runs a command until rhonabwy has drawn a shared secret that does not begin with a zero.

        It strips such zeros (one secret of 256 has them), and then derives another key than the
        rest of the world. What we do with such a secret is in JOSETests/ZeroSecretTests.
        """
        for _ in range(3 if algorithm in CURVE else 0):
            result = self.home.run(*command)
            if "the token could not be decrypted" not in result.err:
                self.assertEqual(result.exit, 0, result)
                return
            self.home.forget_failed_login()
        self.ok(*command)

    def ask_for_encryption(self):
        """What the administrator must set of a client for its answers to be encrypted."""
        client = self.kept()["client"]
        key = next(key for key in client["jwks"]["keys"] if key["use"] == "enc")
        self.stand.provider.furnish_client(
            client["client_id"], alg=client["id_token_encrypted_response_alg"],
            enc=client["id_token_encrypted_response_enc"], alg_kid=key["kid"],
            encrypt_id_token="1", encrypt_userinfo="1", jwks=client["jwks"])

    def kept(self) -> dict:
        return json.loads(self.home.registration_file.read_text())

    def id_token(self) -> dict:
        slot = json.loads(self.home.slot_file().read_text())
        return json.loads(base64.urlsafe_b64decode(slot["idToken"].split(".")[1] + "=="))


def rsa_key(pem: str) -> dict:
    """The public half of a key as JWK."""
    modulus = run("openssl", "rsa", "-noout", "-modulus", stdin=pem.encode()).decode()
    number = bytes.fromhex(modulus.strip().partition("=")[2])
    text = base64.urlsafe_b64encode(number).rstrip(b"=").decode()
    return {"kty": "RSA", "use": "enc", "kid": "rsa", "n": text, "e": "AQAB"}
