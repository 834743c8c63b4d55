"""Payload encryption against the sandbox, whose side is written with swift-crypto."""

import json

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
