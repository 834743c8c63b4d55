"""Clients that prove themselves by a certificate (RFC 8705), at the sandbox."""

import base64
import json

from Servers.client import Client
from Servers.sandbox import SCOPE, SandboxCase

SELF = "self_signed_tls_client_auth"


class MutualTLSTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.base = self.sandbox.facts["mtlsURL"]
        self.ok("profile", "set", f"resourceURL={self.base}/resources")

    def kept(self) -> dict:
        return json.loads(self.home.registration_file.read_text())

    def bound(self, slot="user") -> str:
        token = self.ok("token", self.home.slot_option(slot)).text.strip()
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        self.assertIn("x5t#S256", claims["cnf"])
        return token

    def status(self, token) -> int:
        """What the resource answers to the token alone."""
        return Client(self.sandbox.ca_file).get(
            self.base + "/resources/devices", fields={"Authorization": "Bearer " + token}).status

    def test_a_certificate_that_is_made_here_carries_a_user_through(self):
        self.ok("profile", "set", "scope=" + SCOPE)
        self.ok("register", "--auth-method", SELF)
        self.assertEqual(self.home.unsafe_modes(), [])
        client = self.kept()["client"]
        self.assertTrue(client["tls_client_certificate_bound_access_tokens"])
        self.use_person()
        said = self.ok("-v", "login").err
        self.assertIn(f"POST {self.base}/token", said)
        self.ok("fetch", "--user", "/devices")
        self.assertIn(f"GET {self.base}/userinfo", self.ok("-v", "token", "userinfo").err)
        self.assertIn(f"POST {self.base}/token", self.ok("-v", "token", "--fresh").err)
        self.assertEqual(self.status(self.bound()), 401)
        self.assertIn(f"POST {self.base}/revoke", self.ok("-v", "logout").err)
