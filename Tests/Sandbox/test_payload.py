"""Payload encryption against the sandbox, whose side is written with swift-crypto."""

import http.client
import json
import ssl
import urllib.parse

from Servers.http_server import Handler, HTTPServer
from Servers.sandbox import SandboxCase


class SandboxPayloadTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.key = json.loads(self.ok("fetch", "--unauth", f"{self.sandbox.issuer}/payload-key").out)

    def test_every_kind_of_request_is_encrypted_and_answered(self):
        self.add_session()
        for key in (json.dumps(self.key["jwk"]), self.key["hex"]):
            with self.subTest(key):
                self.ok("profile", "set", "payloadEncryption=true", f"serverPublicKey={key}")
                self.assertEqual(self.ok("fetch", "--unauth", "/unauthenticated").out, b"OK")
                self.assertIn("devices", self.jsonOf(self.ok("fetch", "/devices")))
                self.ok("fetch", "--anonymous", "/application-details")
                self.ok("fetch", "--implicit", "/user-id-decorated")
                echoed = self.ok("fetch", "POST", self.sandbox.url, "--data", "Grüße", "-H",
                                 "Content-Type: text/plain")
                self.assertEqual(echoed.text, "Grüße")

    def test_a_request_that_is_sent_a_second_time_is_refused_by_the_gateway(self):
        """An eavesdropper between us and the gateway repeats what it has seen, byte by byte."""
        taken = []

        class Eavesdropper(Handler):
            def do_POST(self):
                taken.append((self.path, dict(self.headers), self.body()))
                self.respond(502)

        server = HTTPServer(Eavesdropper).start()
        self.addCleanup(server.stop)
        self.ok("profile", "set", "payloadEncryption=true", f"serverPublicKey={self.key['hex']}",
                "insecureLoopback=true", f"resourceURL={server.url}/resources")
        for _ in range(2):
            self.fails(11, "fetch", "--unauth", "/unauthenticated")
        gateway = urllib.parse.urlsplit(self.sandbox.issuer)
        trust = ssl.create_default_context(cafile=self.sandbox.ca_file)
        statuses = []
        # Two requests of ours have different identifiers; each is good once.
        for path, fields, body in [taken[0], taken[0], taken[1], taken[1], taken[0]]:
            connection = http.client.HTTPSConnection(gateway.hostname, gateway.port, context=trust)
            connection.request("POST", path, body, fields)
            statuses.append(connection.getresponse().status)
            connection.close()
        self.assertEqual(statuses, [200, 400, 200, 400, 400])
