"""Grants without pages: assertions (RFC 7523) and passwords (RFC 6749 section 4.3)."""

import json
import os
import secrets
import time
import unittest

from client import Client, Key, claims
from program import Sandbox, folder, run, shared

BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


def assertion(key, issuer, sandbox, **more):
    payload = {
        "iss": issuer, "sub": "alice", "aud": sandbox.issuer, "exp": int(time.time()) + 60,
        "jti": secrets.token_hex(8), **more}
    return key.sign({"alg": "ES256"}, {k: v for k, v in payload.items() if v is not None})


class Assertions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.key = Key()
        cls.client = cls.registered(shared())

    @classmethod
    def registered(cls, sandbox):
        return Client(
            sandbox, token_endpoint_auth_method="none", grant_types=[BEARER, "refresh_token"],
            jwks={"keys": [cls.key.jwk]})

    def ask(self, key=None, **more):
        text = assertion(key or self.key, self.client.id, shared(), **more)
        return self.client.token(BEARER, assertion=text, scope="openid read")

    def test_it_is_announced(self):
        facts = self.client.http.get("/.well-known/openid-configuration").json
        for grant in (BEARER, "password"):
            self.assertIn(grant, facts["grant_types_supported"])

    def test_an_assertion_of_the_client_gives_a_token_for_the_person(self):
        for more, name in (
            ({}, "alice"), ({"sub": "bob"}, "bob"), ({"aud": shared().issuer + "/token"}, "alice"),
            ({"aud": ["https://elsewhere.example", shared().issuer]}, "alice"),
        ):
            answer = self.ask(**more)
            self.assertEqual(answer.status, 200, (more, answer.text))
            tokens = answer.json
            self.assertEqual(tokens["scope"], "openid read")
            self.assertNotIn("refresh_token", tokens)
            self.assertEqual(
                self.client.resource("/devices", tokens["access_token"]).status, 200)
            person = self.client.http.get(
                "/userinfo", fields={"Authorization": f"Bearer {tokens['access_token']}"}).json
            self.assertEqual(person["sub"], claims(tokens["id_token"])["sub"])
            again = self.ask(**{**more, "sub": person["sub"]})
            self.assertEqual(claims(again.json["access_token"])["sub"], person["sub"])

    def test_each_defect_is_invalid_grant(self):
        now = int(time.time())
        for more in (
            {"key": Key()}, {"iss": "https://nobody.example"}, {"sub": "nobody"}, {"sub": None},
            {"aud": "https://elsewhere.example"}, {"aud": None}, {"exp": now - 1}, {"exp": None},
            {"exp": now + 7200}, {"jti": None}, {"jti": "a" * 257}, {"nbf": now + 600},
        ):
            answer = self.ask(**more)
            self.assertEqual((answer.status, answer.json["error"]), (400, "invalid_grant"), more)
        for text in ("nothing", "e30.e30."):
            answer = self.client.token(BEARER, assertion=text)
            self.assertEqual(answer.json["error"], "invalid_grant")
        self.assertEqual(self.client.token(BEARER).json["error"], "invalid_request")

    def test_an_issuer_named_at_the_start_is_believed(self):
        theirs = Key()
        keys = os.path.join(folder(self), "keys.json")
        with open(keys, "w") as file:
            json.dump({"keys": [theirs.jwk]}, file)
        sandbox = Sandbox(f"--trust=https://issuer.example={keys}")
        self.addCleanup(sandbox.stop)
        client = self.registered(sandbox)
        for key, name, status in (
            (theirs, "https://issuer.example", 200), (self.key, "https://issuer.example", 400),
            (theirs, client.id, 400), (theirs, "https://issuer.example/", 400),
        ):
            answer = client.token(BEARER, assertion=assertion(key, name, sandbox))
            self.assertEqual(answer.status, status, answer.text)

    def test_mistakes_at_the_start(self):
        empty = os.path.join(folder(self), "keys.json")
        open(empty, "w").close()
        for option, code, text in (
            ("--trust=nothing", 2, "ISSUER=FILE"), (f"--trust=a={empty}", 3, "no JWK set"),
            ("--trust=a=/nowhere", 3, "/nowhere"), ("--client-ca=/nowhere", 3, "/nowhere"),
            (f"--client-ca={empty}", 3, "certificates"), ("--flavour=vanilla", 2, "onegini"),
        ):
            done = run("start", "--background", option, directory=folder(self), check=False)
            self.assertEqual(done.returncode, code, option)
            self.assertIn(text, done.stderr)


class Passwords(unittest.TestCase):
    def setUp(self):
        self.client = Client(shared(), grant_types=["password", "refresh_token"])

    def ask(self, name="alice", password="wonderland", **more):
        return self.client.token("password", username=name, password=password, **more)

    def test_a_password_gives_tokens_that_can_be_refreshed(self):
        tokens = self.ask(scope="openid read").json
        identity = claims(tokens["id_token"])
        self.assertEqual((identity["acr"], identity["amr"]), ("urn:sandbox:pwd", ["pwd"]))
        self.assertAlmostEqual(identity["auth_time"], time.time(), delta=60)
        self.assertEqual(self.client.resource("/devices", tokens["access_token"]).status, 200)
        self.assertEqual(self.client.refresh(tokens["refresh_token"]).status, 200)

    def test_what_is_missing_or_wrong(self):
        for more, error in (
            ({"password": "x"}, "invalid_grant"), ({"name": "nobody"}, "invalid_grant"),
            ({"password": ""}, "invalid_request"), ({"name": ""}, "invalid_request"),
            ({"scope": "openid everything"}, "invalid_scope"),
        ):
            answer = self.ask(**more)
            self.assertEqual((answer.status, answer.json["error"]), (400, error), more)
        self.assertEqual(self.ask().status, 200)

    def test_five_wrong_passwords_make_the_name_wait(self):
        sandbox = Sandbox()
        self.addCleanup(sandbox.stop)
        self.client = Client(sandbox, grant_types=["password"])
        wrong = [self.ask("Bob", "x").status for _ in range(5)]
        self.assertEqual(wrong, [400] * 5)
        waiting = self.ask("bob", "builder")
        self.assertEqual((waiting.status, waiting.json["error"]), (429, "invalid_grant"))
        self.assertTrue(1 <= int(waiting.field("Retry-After")) <= 30)
        self.assertEqual(self.ask().status, 200)
