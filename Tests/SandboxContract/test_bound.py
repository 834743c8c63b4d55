"""Tokens that are bound to a certificate (RFC 8705 section 3), and how certificates are made."""

import os
import subprocess
import unittest

from browser import HTTP
from certificates import OWN, jwk_of, thumbprint, x5c
from client import Client, Key, basic, claims
from program import PROGRAM, folder, run, shared


class Bound(unittest.TestCase):
    def setUp(self):
        self.mine, self.other = shared().certificate("binder"), shared().certificate("thief")
        self.web = HTTP(shared(), self.mine)

    def gateway(self, token, http, scheme="Bearer"):
        return http.get("/resources/devices", fields={"Authorization": f"{scheme} {token}"})

    def check(self, tokens):
        token = tokens["access_token"]
        self.assertEqual(claims(token)["cnf"], {"x5t#S256": thumbprint(self.mine)})
        self.assertEqual(tokens["token_type"], "Bearer")
        self.assertEqual(self.gateway(token, self.web).status, 200)
        for http in (
            HTTP(shared(), self.other), HTTP(shared()), HTTP(shared(), mutual=True),
        ):
            answer = self.gateway(token, http)
            self.assertEqual((answer.status, answer.json["error"]), (401, "invalid_token"))
            self.assertIn("another certificate", answer.field("WWW-Authenticate"))
            bearer = {"Authorization": f"Bearer {token}"}
            self.assertEqual(http.get("/userinfo", fields=bearer).status, 401)
        bearer = {"Authorization": f"Bearer {token}"}
        self.assertEqual(self.web.get("/userinfo", fields=bearer).status, 200)
        gateway = shared().status()["gateway"]
        facts = HTTP(shared()).post("/introspect", form={"token": token}, fields={
            "Authorization": basic(gateway["client_id"], gateway["client_secret"])}).json
        self.assertEqual(facts["cnf"], {"x5t#S256": thumbprint(self.mine)})

    def exchange(self, client, tokens):
        return client.token(
            "urn:ietf:params:oauth:grant-type:token-exchange",
            subject_token=tokens["access_token"], scope="openid",
            subject_token_type="urn:ietf:params:oauth:token-type:access_token").json

    def test_a_public_clients_tokens_are_bound(self):
        client = Client(
            shared(), http=self.web, token_endpoint_auth_method="none",
            tls_client_certificate_bound_access_tokens=True)
        tokens = client.login()
        self.check(tokens)
        client.http = HTTP(shared())
        without = client.refresh(tokens["refresh_token"])
        self.assertEqual((without.status, without.json["error"]), (400, "invalid_request"))
        client.http = HTTP(shared(), self.other)
        self.assertEqual(self.exchange(client, tokens).get("error"), "invalid_request")
        stolen = client.refresh(tokens["refresh_token"])
        self.assertEqual((stolen.status, stolen.json["error"]), (400, "invalid_grant"))
        client.http = self.web
        self.check(client.refresh(tokens["refresh_token"]).json)

    def test_a_certified_clients_tokens_are_bound_and_exchanged_with_the_certificate(self):
        client = Client(
            shared(), http=self.web, token_endpoint_auth_method=OWN,
            tls_client_auth_san_dns="binder", tls_client_certificate_bound_access_tokens=True)
        tokens = client.login()
        self.check(tokens)
        part = self.exchange(client, tokens)
        self.assertEqual(claims(part["access_token"])["cnf"], {"x5t#S256": thumbprint(self.mine)})

    def test_tokens_of_a_client_that_did_not_ask_are_not_bound(self):
        client = Client(
            shared(), http=self.web, token_endpoint_auth_method=OWN,
            tls_client_auth_san_dns="binder")
        token = client.login()["access_token"]
        self.assertNotIn("cnf", claims(token))
        self.assertEqual(self.gateway(token, HTTP(shared())).status, 200)

    def test_a_proof_and_a_certificate_bind_together(self):
        key, endpoint = Key(), shared().facts["mtlsURL"] + "/token"
        client = Client(
            shared(), http=self.web, token_endpoint_auth_method="none",
            tls_client_certificate_bound_access_tokens=True)
        code = client.code()
        nonce = client.redeem(
            code, fields={"DPoP": key.proof("POST", endpoint)}).field("DPoP-Nonce")
        tokens = client.redeem(code, fields={"DPoP": key.proof("POST", endpoint, nonce)}).json
        token = tokens["access_token"]
        self.assertEqual(
            claims(token)["cnf"], {"x5t#S256": thumbprint(self.mine), "jkt": key.thumbprint})
        for http, status in ((self.web, 200), (HTTP(shared(), self.other), 401)):
            address = shared().facts["mtlsURL"] + "/resources/devices"
            answer = http.get("/resources/devices", fields={
                "Authorization": f"DPoP {token}",
                "DPoP": key.proof("GET", address, nonce, token)})
            self.assertEqual(answer.status, status)


class CertificateCommand(unittest.TestCase):
    def test_mistakes(self):
        empty = folder(self)
        for words, code, text in (
            (["certificate"], 2, "NAME is missing"), (["certificate", "a b"], 2, "letters"),
            (["certificate", "a", f"--dir={empty}"], 3, "before its first start"),
        ):
            done = run(*words, check=False)
            self.assertEqual(done.returncode, code, words)
            self.assertIn(text, done.stderr)
        self.assertEqual(os.listdir(empty), [])

    def test_the_key_is_for_its_owner_only_and_signs_for_the_certificate(self):
        made = shared().certificate("owner")
        for file in (made["certificate"], made["key"]):
            self.assertEqual(os.stat(file).st_mode & 0o777, 0o600)
        halves = [
            subprocess.run(words, check=True, capture_output=True).stdout for words in (
                ["openssl", "pkey", "-in", made["key"], "-pubout"],
                ["openssl", "x509", "-in", made["certificate"], "-pubkey", "-noout"])]
        self.assertEqual(*halves)
        self.assertEqual(made["jwk"]["x5c"], [x5c(made)])
        self.assertEqual(made["jwk"]["x"], jwk_of(made)["x"])

    def test_without_json_it_says_where_and_who(self):
        here = folder(self)
        text = subprocess.run(
            [PROGRAM, "certificate", "desk",
             "--self-signed"], cwd=here, check=True, capture_output=True, text=True).stdout
        self.assertIn("desk.pem, its key in desk-key.pem", text)
        self.assertIn("CN=desk,O=sdkctl sandbox", text)
        self.assertEqual(sorted(os.listdir(here)), ["desk-key.pem", "desk.pem"])
