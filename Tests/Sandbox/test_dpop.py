"""Tokens that are bound to a key (RFC 9449), at a server that wants nonces in the proofs."""

import json
import os
import shutil
import subprocess

from Servers.sandbox import SandboxCase

JOSE = shutil.which("jose")


class BoundTokenCase(SandboxCase):
    def setUp(self):
        super().setUp()
        self.ok("profile", "set", "dpop=on")

    def log_in(self, *arguments):
        self.register()
        self.use_person()
        return self.ok("login", *arguments)

    def facts(self, slot="user"):
        return self.jsonOf(self.ok("token", "--json", self.home.slot_option(slot)))

    def url(self, path):
        return self.sandbox.url.rstrip("/") + path


class LifeTests(BoundTokenCase):
    def test_a_login_binds_its_tokens_to_the_key_of_the_profile(self):
        self.log_in()
        facts = self.facts()
        self.assertEqual(facts["tokenType"], "DPoP")
        self.assertEqual(self.sandbox.introspect(facts["accessToken"])["cnf"]["jkt"], facts["jkt"])
        shown = self.jsonOf(self.ok("profile", "show", "--json"))
        self.assertEqual(shown["state"]["dpopKey"], facts["jkt"])
        self.assertIn("DPoP key: " + facts["jkt"], self.ok("profile", "show").err)
        self.assertEqual(self.home.unsafe_modes(), [])
        self.ok("fetch", "--user", "/devices")
        self.home.expire()
        self.ok("fetch", "--user", "/devices")
        self.assertEqual(self.facts()["jkt"], facts["jkt"])


class ProofTests(BoundTokenCase):
    def setUp(self):
        super().setUp()
        self.log_in()
        self.ok("fetch", "--user", "/devices")  # learns the nonce

    def test_curl_sends_it(self):
        url = self.url("/devices")
        configuration = self.ok("token", "--curl", "--proof-for", "GET " + url).text
        answer = subprocess.run(
            ["curl", "--silent", "--show-error", "--fail", "--cacert", self.sandbox.ca_file,
             "--config", "-", url], input=configuration, capture_output=True, text=True, timeout=30)
        self.assertIn("devices", answer.stdout, answer.stderr)

    def test_another_implementation_finds_it_right(self):
        if not JOSE and "CI" not in os.environ:
            self.skipTest("jose is not installed")
        folder = self.home.directory
        facts = self.jsonOf(self.ok("token", "--json", "--proof-for", f"PUT {self.url('/a?b=c')}"))
        decoded = lambda part: json.loads(
            subprocess.run([JOSE, "b64", "dec", "-i", "-"], input=part.encode(),
                           capture_output=True, check=True).stdout)
        header, claims = map(decoded, facts["proof"].split(".")[:2])
        (folder / "jwk").write_text(json.dumps(header.pop("jwk")))
        (folder / "token").write_text(facts["accessToken"])
        run = lambda *words, **more: subprocess.run(
            [JOSE, *words], cwd=folder, capture_output=True, check=True, **more).stdout
        run("jws", "ver", "-i", "-", "-k", "jwk", input=facts["proof"].encode())
        thumbprint = run("jwk", "thp", "-a", "S256", "-i", "jwk").decode().strip()
        self.assertEqual(thumbprint, facts["jkt"])
        digest = subprocess.run(["openssl", "dgst", "-sha256", "-binary", "token"], cwd=folder,
                                capture_output=True, check=True).stdout
        ath = run("b64", "enc", "-I", "-", input=digest).decode().strip()
        self.assertEqual(header, {"typ": "dpop+jwt", "alg": "ES256"})
        self.assertEqual((claims["htm"], claims["htu"]), ("PUT", self.url("/a")))
        self.assertEqual(claims["ath"], ath)
        self.assertEqual(set(claims), {"jti", "htm", "htu", "iat", "ath", "nonce"})
        self.assertEqual(set(json.loads((folder / "jwk").read_text())), {"kty", "crv", "x", "y"})
