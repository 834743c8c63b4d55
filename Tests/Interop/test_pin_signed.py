"""Signed pin sets: made and read by jose, jwcrypto and joserfc, and refused if they are not genuine and new."""

import base64
import json
import subprocess
import time

from Servers.case import NO_PIN
from Servers.virtual_environment import VirtualEnvironment

from .test_pin_chains import HostCase

JWCRYPTO = """
import json, sys
from jwcrypto import jwk, jws
asked = json.load(sys.stdin)
key = jwk.JWK(**asked["key"])
token = jws.JWS(asked.get("payload"))
if "token" in asked:
    token.deserialize(asked["token"], key)
    print(token.payload.decode())
else:
    token.allowed_algs = [asked["header"]["alg"]]
    token.add_signature(key, protected=json.dumps(asked["header"]))
    print(token.serialize(compact=True))
"""

JOSERFC = """
import json, sys
from joserfc import jwk, jws
asked = json.load(sys.stdin)
key = jwk.import_key(asked["key"])
if "token" in asked:
    print(jws.deserialize_compact(asked["token"], key).payload.decode())
else:
    algorithms = [asked["header"]["alg"]]
    print(jws.serialize_compact(asked["header"], asked["payload"], key, algorithms=algorithms))
"""


class SignedPinTests(HostCase):
    def setUp(self):
        super().setUp()
        self.pin("local")
        self.team = self.jose("jwk", "gen", "-i", '{"alg":"ES256"}', "-o", "-")
        self.write("team.jwk", self.team)
        self.write("public.jwk", self.jose("jwk", "pub", "-i", "team.jwk", "-o", "-"))
        self.now = int(time.time())

    def jose(self, *words, **keywords):
        done = subprocess.run(["jose", *words], cwd=self.home.directory, check=True, text=True,
                              capture_output=True, **keywords)
        return done.stdout

    def jwcrypto(self, **asked):
        done = subprocess.run(["/usr/bin/python3", "-c", JWCRYPTO], input=json.dumps(asked),
                              check=True, text=True, capture_output=True)
        return done.stdout.strip()

    def joserfc(self, **asked):
        environment = VirtualEnvironment("joserfc").provide()
        done = subprocess.run([environment.program("python3"), "-c", JOSERFC],
                              input=json.dumps(asked), text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def payload(self, *names, host="localhost", **members):
        keys = [{"pin": name if name == NO_PIN else self.authority.pin(name), "role": "leaf"}
                for name in names]
        return {"version": 1, "iat": self.now, "exp": self.now + 3600,
                "hosts": {host: {"keys": keys}}} | members

    def signed(self, payload, name="set.jws", header=None, key="team.jwk"):
        self.write("payload.json", json.dumps(payload))
        template = {"protected": header or {"alg": "ES256", "typ": "pins+jwt"}}
        self.jose("jws", "sig", "-I", "payload.json", "-k", key, "-s", json.dumps(template), "-c",
                  "-o", name)
        return name

    def pins(self, host="localhost"):
        (entry,) = [entry for entry in self.jsonOf(self.ok("pin", "list", "--json"))
                    if entry["host"] == host]
        return [key["pin"] for key in entry["keys"]]

    def take(self, source, *words, key="public.jwk"):
        return self.home.run("pin", "import", source, "--signed-by", key, "--yes", *words)

    def assertRefused(self, source, cause, key="public.jwk", code=11):
        before = self.home.pins_file.read_bytes()
        result = self.take(source, key=key)
        self.assertFailed(result, code)
        self.assertIn(cause, result.err)
        self.assertEqual(self.home.pins_file.read_bytes(), before)

    def test_what_jose_signs_is_verified_shown_and_merged(self):
        local, rotated = self.authority.pin("local"), self.authority.pin("rotated")
        name = self.signed(self.payload("rotated"))
        result = self.home.run("pin", "import", name, "--signed-by", "public.jwk", "-q")
        self.assertEqual(result.exit, 2, result)
        self.assertIn("--yes", result.err)
        self.assertEqual(self.pins(), [local])
        result = self.take(name)
        self.assertEqual(result.exit, 0, result)
        self.assertIn(f"+ {rotated}", result.err)
        self.assertEqual(self.pins(), [local, rotated])
        again = self.take(name)
        self.assertIn("there already", again.err)
        # With --replace, keys that the set does not have go.
        result = self.take(name, "--replace")
        self.assertIn(f"- {local}", result.err)
        self.assertEqual(self.pins(), [rotated])

    def test_what_jwcrypto_and_joserfc_sign_is_accepted_with_every_type_of_key(self):
        for sign, kind, algorithm in (
                (self.jwcrypto, "rsa2048", "PS256"), (self.joserfc, "rsa3072", "RS256"),
                (self.joserfc, "p256", "ES256"), (self.jwcrypto, "p384", "ES384"),
                (self.jwcrypto, "p521", "ES512"), (self.jwcrypto, "ed25519", "EdDSA")):
            with self.subTest(kind):
                private = self.ok("token", "jwk", "--private", self.authority.key(kind), "--json")
                text = sign(key=json.loads(private.text), payload=json.dumps(self.payload(kind)),
                            header={"alg": algorithm, "typ": "pins+jwt"})
                self.write("foreign.jws", text)
                result = self.take("foreign.jws", key=self.authority.certificate(kind))
                self.assertEqual(result.exit, 0, result)
                self.assertIn(self.authority.pin(kind), self.pins())

    def test_what_we_sign_is_verified_by_jose_jwcrypto_and_joserfc(self):
        exported = self.jsonOf(self.ok("pin", "export"))
        text = self.ok("pin", "export", "--sign", "team.jwk", "--valid", "1h").text
        self.write("ours.jws", text.strip())
        payload = self.jose("jws", "ver", "-i", "ours.jws", "-k", "public.jwk", "-O", "-")
        public = json.loads((self.home.directory / "public.jwk").read_text())
        asked = {"key": public, "token": text.strip()}
        for read in (payload, self.jwcrypto(**asked), self.joserfc(**asked)):
            document = json.loads(read)
            self.assertEqual(document.pop("exp") - document.pop("iat"), 3600)
            self.assertEqual(document, exported)
        self.assertEqual(self.take("ours.jws").exit, 0)

    def test_what_is_not_genuine_is_refused_and_nothing_changes(self):
        good = (self.home.directory / self.signed(self.payload("rotated"))).read_text().strip()
        head, body, signature = good.split(".")
        other = json.dumps(self.payload("rotated", NO_PIN)).encode()
        forged = base64.urlsafe_b64encode(other).decode().rstrip("=")
        self.assertRefused(self.write("a", f"{head}.{forged}.{signature}"), "not valid")
        unsigned = base64.urlsafe_b64encode(b'{"alg":"none","typ":"pins+jwt"}').decode().rstrip("=")
        self.assertRefused(self.write("b", f"{unsigned}.{body}."), "unsigned")
        secret = self.jose("jwk", "gen", "-i", '{"alg":"HS256"}', "-o", "-")
        self.write("secret.jwk", secret)
        name = self.signed(self.payload("rotated"), "c", {"alg": "HS256", "typ": "pins+jwt"},
                           "secret.jwk")
        self.assertRefused(name, "HS256")
        self.assertRefused(name, "shared secret", key="secret.jwk", code=1)
        stranger = self.jose("jwk", "gen", "-i", '{"alg":"ES256"}', "-o", "-")
        self.write("stranger.jwk", stranger)
        self.assertRefused(self.signed(self.payload("rotated"), "d", key="stranger.jwk"), "not valid")
        for members, cause in (({"exp": self.now - 1}, "expired"),
                               ({"iat": self.now + 3600}, "in the future"),
                               ({"exp": None}, "'exp' is missing"), ({"hosts": {}}, "no pins")):
            with self.subTest(cause):
                self.assertRefused(
                    self.signed(self.payload("rotated", **members), "e"), cause)
        self.assertRefused(self.signed(self.payload("rotated"), "f", {"alg": "ES256"}), "type")
        self.assertRefused(self.write("g", "not a JWS"), "could not read", code=1)

    def test_an_older_set_of_the_same_key_is_refused(self):
        old = self.signed(self.payload("local", NO_PIN, iat=self.now - 60), "old.jws")
        new = self.signed(self.payload("local", "rotated"), "new.jws")
        self.assertEqual(self.take(new).exit, 0)
        self.assertRefused(old, "a newer one")
        # Another key has its own order.
        self.write("other.jwk", self.jose("jwk", "gen", "-i", '{"alg":"ES256"}', "-o", "-"))
        other = self.signed(self.payload("p256", iat=self.now - 60), "o.jws", key="other.jwk")
        self.assertEqual(self.take(other, key="other.jwk").exit, 0)

    def test_a_set_comes_from_a_pinned_server_and_its_key_from_the_profile(self):
        url = self.hosts.at("other", "other.localhost") + "/files/work.jws"
        thumbprint = self.jose("jwk", "thp", "-i", "public.jwk").strip()
        text = self.ok("pin", "export", "--sign", "team.jwk").text
        self.hosts.serve("work.jws", text)
        command = ["pin", "import", url, "--yes"]
        self.write("work.jws", text)
        self.assertIn("--signed-by", self.fails(2, "pin", "import", "work.jws", "--yes").err)
        self.ok("profile", "set", f"pinUpdateKey={thumbprint}")
        self.fails(8, *command)
        self.assertNoRequest(self.log)
        self.pin("intermediate", host="other.localhost")
        self.ok(*command)
        stranger = self.jose("jwk", "thp", "-i", "-", input=self.jose(
            "jwk", "gen", "-i", '{"alg":"ES256"}', "-o", "-")).strip()
        self.ok("profile", "set", f"pinUpdateKey={stranger}")
        self.assertIn(thumbprint, self.fails(11, *command).err)

    def test_a_file_that_is_named_like_a_thumbprint_is_read(self):
        self.write("stranger.jwk", self.jose("jwk", "gen", "-i", '{"alg":"ES256"}', "-o", "-"))
        thumbprint = self.jose("jwk", "thp", "-i", "stranger.jwk").strip()
        self.write("set.jws", self.ok("pin", "export", "--sign", "stranger.jwk").text)
        self.assertEqual(self.take("set.jws", key=thumbprint).exit, 0)
        self.write(thumbprint, (self.home.directory / "public.jwk").read_text())
        self.assertRefused("set.jws", "not valid", key=thumbprint)
