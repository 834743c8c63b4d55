"""The stand proves itself: a whole OAuth session with urllib, and what the listeners show."""

import base64
import hashlib
import os
import secrets
import socket
import ssl
import subprocess
import sys
import unittest
import urllib.error
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from Servers.client import Client
from Servers.http_server import Handler, HTTPServer
from Servers.listener import Listener
from Servers.process import LOOPBACK
from Servers.relay import Relay
from Servers.sdkctl import PERSON
from Servers.stand import Stand


class ProviderTests(unittest.TestCase):
    def setUp(self):
        self.stand = Stand.shared()
        self.web = Client(self.stand.ca_file)

    def test_a_person_logs_in_refreshes_fetches_and_revokes(self):
        metadata = self.stand.provider.metadata()
        self.assertEqual(metadata["issuer"], self.stand.provider.issuer)
        callback = Callback().start()
        self.addCleanup(callback.stop)
        client = self.register(metadata, callback.uri)
        code = self.authorize(metadata, client, callback)
        basic = (client["client_id"], client["client_secret"])
        tokens = self.web.post(metadata["token_endpoint"], basic=basic, form={
            "grant_type": "authorization_code", "code": code["code"],
            "redirect_uri": callback.uri, "code_verifier": VERIFIER}).json()
        self.assertIn("id_token", tokens)
        self.assertEqual(self.fetch("/api/me", tokens["access_token"]).status, 200)
        events = self.stand.provider.events()
        refresh = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
        renewed = self.web.post(metadata["token_endpoint"], basic=basic, form=refresh)
        self.assertEqual(renewed.status, 200)
        self.assertNotEqual(renewed.json()["refresh_token"], tokens["refresh_token"])
        self.assertEqual(events.count("Refresh token generated"), 1)
        stale = self.web.post(metadata["token_endpoint"], basic=basic, form=refresh)
        # RFC 6749 wants invalid_grant here; this provider sends no body at all.
        self.assertEqual((stale.status, stale.body), (400, b""))
        refresh["refresh_token"] = renewed.json()["refresh_token"]
        after = self.web.post(metadata["token_endpoint"], basic=basic, form=refresh)
        self.assertEqual(after.status, 400, "reuse should have ended the whole family")

    def test_revocation_makes_a_token_inactive(self):
        metadata = self.stand.provider.metadata()
        client = self.register(metadata, "http://127.0.0.1:9/callback")
        basic = (client["client_id"], client["client_secret"])
        answer = self.web.post(metadata["token_endpoint"], basic=basic, form={
            "grant_type": "client_credentials", "scope": "openid"})
        self.assertEqual(answer.status, 200, answer)
        token = answer.json()["access_token"]
        self.assertTrue(self.stand.provider.introspect(token)["active"])
        revoked = self.web.post(metadata["revocation_endpoint"], basic=basic,
                                form={"token": token, "token_type_hint": "access_token"})
        self.assertEqual(revoked.status, 200)
        self.assertFalse(self.stand.provider.introspect(token)["active"])

    def test_the_guarded_issuer_registers_only_with_an_initial_access_token(self):
        guarded = self.stand.provider.guarded
        metadata = self.stand.provider.metadata(guarded)
        self.assertEqual(self.web.post(metadata["registration_endpoint"],
                                       json_body=CLIENT).status, 401)
        bearer = "Bearer " + self.stand.provider.service_token("register", guarded)
        answer = self.web.post(metadata["registration_endpoint"], json_body=CLIENT,
                               fields={"Authorization": bearer})
        self.assertIn(answer.status, (200, 201), answer)

    def register(self, metadata, redirect_uri) -> dict:
        answer = self.web.post(metadata["registration_endpoint"],
                               json_body=CLIENT | {"redirect_uris": [redirect_uri]})
        self.assertIn(answer.status, (200, 201), answer)
        return answer.json()

    def authorize(self, metadata, client, callback) -> dict:
        challenge = hashlib.sha256(VERIFIER.encode()).digest()
        state = secrets.token_urlsafe()
        url = metadata["authorization_endpoint"] + "?" + urllib.parse.urlencode({
            "response_type": "code", "client_id": client["client_id"], "state": state,
            "redirect_uri": callback.uri, "scope": "openid notes", "nonce": "n0nce",
            "code_challenge": base64.urlsafe_b64encode(challenge).rstrip(b"=").decode(),
            "code_challenge_method": "S256"})
        environment = os.environ | {"STAND_CA": str(self.stand.ca_file)}
        subprocess.run([sys.executable, PERSON, url], env=environment, check=True, timeout=30)
        self.assertEqual(callback.query["state"], state)
        return callback.query

    def fetch(self, path, token):
        return self.web.get(self.stand.gateway.url + path,
                            fields={"Authorization": "Bearer " + token})


class GatewayTests(unittest.TestCase):
    def setUp(self):
        self.stand = Stand.shared()
        self.web = Client(self.stand.ca_file)
        self.url = self.stand.gateway.url

    def test_without_a_token_the_gateway_challenges(self):
        answer = self.web.get(self.url + "/api/me")
        self.assertEqual((answer.status, answer.body), (401, b""))
        self.assertEqual(answer.fields.get_all("WWW-Authenticate"), ['Bearer realm="sdkctl tests"'])

    def test_an_unknown_token_is_named_invalid(self):
        answer = self.web.get(self.url + "/api/me", fields={"Authorization": "Bearer x.y.z"})
        self.assertEqual((answer.status, answer.json()["error"]), (401, "invalid_token"))
        self.assertIn('error="invalid_token"', answer.fields["WWW-Authenticate"])

    def test_a_token_without_the_scope_is_forbidden(self):
        token = self.stand.provider.service_token("introspect")
        bearer = {"Authorization": "Bearer " + token}
        self.assertEqual(self.web.get(self.url + "/api/me", fields=bearer).status, 200)
        answer = self.web.get(self.url + "/api/notes", fields=bearer)
        self.assertEqual((answer.status, answer.json()), (403, {"error": "insufficient_scope"}))
        self.assertNotIn("WWW-Authenticate", answer.fields)

    def test_open_paths(self):
        log = self.stand.gateway.requests()
        self.assertEqual(self.web.get(self.url + "/public").body, b"ok\n")
        self.assertEqual(len(self.web.get(self.url + "/bytes/70000").body), 70000)
        self.assertEqual(self.web.get(self.url + "/status/503").status, 503)
        echo = self.web.post(self.url + "/echo?a=b", body=b"hello", fields={"X-Y": "z"}).json()
        self.assertEqual((echo["method"], echo["query"], echo["body"], echo["fields"]["x-y"]),
                         ("POST", "a=b", "hello", ["z"]))
        redirect = self.web.get(self.url + "/redirect/other")
        self.assertTrue(redirect.fields["Location"].startswith("https://127.0.0.1:"))
        self.assertEqual(len(log.lines()), 5)

    def test_broken_listeners_are_refused_and_log_no_request(self):
        reasons = {"expired": "expired", "wronghost": "mismatch", "old": "version|protocol|sigalg"}
        log = self.stand.gateway.requests()
        for name, reason in reasons.items():
            with self.subTest(name), self.assertRaises((urllib.error.URLError, ssl.SSLError)) as it:
                self.web.get(self.stand.gateway.at(name) + "/public")
            self.assertRegex(str(it.exception).lower(), reason)
        self.assertEqual(log.lines(), [])


class HostileTests(unittest.TestCase):
    def test_faults_reach_the_client_as_written(self):
        stand = Stand.shared()
        web = Client(stand.ca_file)
        honest = stand.hostile.issuer("honest")
        asked = stand.hostile.count("honest", "token")
        self.assertEqual(web.get(honest + "/.well-known/openid-configuration").json()["issuer"],
                         honest)
        self.assertEqual(web.post(honest + "/token").json()["access_token"], "at-1")
        self.assertIn(b"<!doctype", web.post(stand.hostile.issuer("token-html") + "/token").body)
        self.assertEqual(len(web.post(stand.hostile.issuer("token-huge") + "/token").body), 10 << 20)
        self.assertEqual(stand.hostile.count("honest", "token"), asked + 1)


class RelayTests(unittest.TestCase):
    def test_nothing_is_on_its_way_once_it_has_settled(self):
        class Sink(Listener):
            received = b""

            def serve(self, stream):
                with stream:
                    while piece := stream.recv(100):
                        self.received += piece

        sink = Sink().start()
        self.addCleanup(sink.stop)
        relay = Relay(sink.port)
        self.addCleanup(relay.stop)
        with socket.create_connection((LOOPBACK, relay.port)) as client:
            client.sendall(b"from somebody who is gone")
        with ThreadPoolExecutor(1) as pool:
            settled = pool.submit(relay.settle)
            # The relay has accepted nobody yet: as if its thread got no processor.
            with self.assertRaises(TimeoutError):
                settled.result(0.3)
            relay.start()
            settled.result()
        sink.settle()
        self.assertEqual(sink.received, b"from somebody who is gone")


class Callback(HTTPServer):
    """A loopback redirect URI that remembers the query."""

    def __init__(self):
        super().__init__(_Callback)
        self.uri = self.url + "/callback"


class _Callback(Handler):
    def do_GET(self):
        split = urllib.parse.urlsplit(self.path)
        self.server.query = dict(urllib.parse.parse_qsl(split.query))
        self.respond(200)


VERIFIER = "a-verifier-that-is-long-enough-to-be-used-once-000"
CLIENT = {"client_name": "self-test", "redirect_uris": ["http://127.0.0.1:9/callback"],
          "token_endpoint_auth_method": "client_secret_basic", "response_types": ["code"],
          "grant_types": ["authorization_code", "refresh_token", "client_credentials"]}

if __name__ == "__main__":
    unittest.main()
