import json
import unittest

from browser import HTTP
from client import REDIRECT, Client, b64url
from program import Sandbox, shared


class Registration(unittest.TestCase):
    def setUp(self):
        self.http = HTTP(shared())

    def test_defaults_are_filled_in(self):
        facts = self.http.post("/register", document={"redirect_uris": [REDIRECT]}).json
        self.assertEqual(facts["token_endpoint_auth_method"], "client_secret_basic")
        self.assertEqual(facts["grant_types"], ["authorization_code"])
        self.assertEqual(facts["response_types"], ["code"])
        self.assertEqual(facts["client_secret_expires_at"], 0)
        self.assertTrue(facts["registration_client_uri"].endswith(facts["client_id"]))

    def test_apps_register_schemes_of_their_own(self):
        for address in ("com.example.app:/callback", "authapp://Default/Authcallback",
                        "oneginisdk:/callback"):
            answer = self.http.post("/register", document={"redirect_uris": [address]})
            self.assertEqual(answer.status, 201, address)

    def test_a_software_statement_stands_above_the_request(self):
        statement = ".".join(b64url(json.dumps(part).encode()) for part in (
            {"alg": "RS256"}, {"iss": "publisher", "client_name": "Stated", "software_id": "s1"},
        )) + ".AA"
        facts = self.http.post("/register", document={
            "redirect_uris": [REDIRECT], "client_name": "Asked",
            "software_statement": statement}).json
        self.assertEqual((facts["client_name"], facts["software_id"]), ("Stated", "s1"))
        self.assertEqual(facts["software_statement"], statement)
        self.assertNotIn("iss", facts)

    def test_an_initial_access_token_must_be_good_if_sent(self):
        token = shared().status()["initialAccessToken"]
        for value, status in ((token, 201), ("wrong", 401)):
            answer = self.http.post(
                "/register", document={"redirect_uris": [REDIRECT]},
                fields={"Authorization": f"Bearer {value}"})
            self.assertEqual(answer.status, status)

    def test_a_closed_registration_wants_the_token(self):
        closed = Sandbox("--closed")
        self.addCleanup(closed.stop)
        http = HTTP(closed)
        document = {"redirect_uris": [REDIRECT]}
        for fields in ({}, {"Authorization": "Bearer x"}):
            answer = http.post("/register", document=document, fields=fields)
            self.assertEqual((answer.status, answer.json["error"]), (401, "invalid_token"))
        good = {"Authorization": "Bearer " + closed.status()["initialAccessToken"]}
        self.assertEqual(http.post("/register", document=document, fields=good).status, 201)


class Management(unittest.TestCase):
    def setUp(self):
        self.client = Client(shared())
        self.facts = self.client.registration

    def manage(self, method, token=None, document=None):
        token = token or self.facts["registration_access_token"]
        return self.client.http.send(
            method, f"/register/{self.client.id}", document=document,
            fields={"Authorization": f"Bearer {token}"})

    def test_reading_needs_the_token_and_changes_nothing(self):
        self.assertEqual(self.manage("GET").json, self.facts)
        for method in ("GET", "DELETE"):
            self.assertEqual(self.manage(method, token="wrong").status, 401)
            bare = self.client.http.send(method, f"/register/{self.client.id}")
            self.assertEqual(bare.status, 401)

    def test_an_update_replaces_metadata_and_token(self):
        wanted = {
            "client_id": self.client.id, "client_name": "New name",
            "redirect_uris": ["https://example.com/new"]}
        updated = self.manage("PUT", document=wanted).json
        self.assertEqual(updated["client_name"], "New name")
        self.assertEqual(updated["redirect_uris"], ["https://example.com/new"])
        self.assertEqual(updated["grant_types"], ["authorization_code"])
        self.assertEqual(updated["client_secret"], self.client.secret)
        self.assertEqual(self.manage("GET").status, 401)
        self.assertEqual(
            self.manage("GET", updated["registration_access_token"]).status, 200)

    def test_an_update_must_name_its_client(self):
        for more in ({}, {"client_id": "another"}, {
                "client_id": self.client.id, "client_secret": "chosen"}):
            answer = self.manage("PUT", document={"redirect_uris": [REDIRECT], **more})
            self.assertEqual(answer.json["error"], "invalid_request", more)

    def test_a_deleted_client_is_gone_with_its_tokens(self):
        token = self.client.login()["access_token"]
        self.assertEqual(self.manage("DELETE").status, 204)
        self.assertEqual(self.manage("GET").status, 401)
        self.assertEqual(self.client.resource("/devices", token).status, 401)
        self.assertEqual(self.client.token("client_credentials").status, 401)


class Discovery(unittest.TestCase):
    def test_both_addresses_show_the_same_document(self):
        http = HTTP(shared())
        one = http.get("/.well-known/openid-configuration").json
        self.assertEqual(one, http.get("/.well-known/oauth-authorization-server").json)
        self.assertEqual(one["issuer"], shared().issuer)
        self.assertEqual(one["code_challenge_methods_supported"], ["S256"])
        for name, value in one.items():
            if name.endswith("_endpoint") or name == "jwks_uri":
                self.assertTrue(value.startswith(shared().issuer + "/"), name)
                status = http.get(value.removeprefix(shared().issuer)).status
                self.assertIn(status, (200, 400, 401, 404), name)
