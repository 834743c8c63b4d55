"""Tokens and keys of programs that we did not write: joserfc, jose, openssl."""

import base64
import json
import subprocess

from Servers.case import Case
from Servers.virtual_environment import VirtualEnvironment

ENVIRONMENT = VirtualEnvironment("joserfc")

SIGNATURES = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512",
              "ES256K", "EdDSA", "Ed25519", "Ed448")
SECRETS = {"HS256": 32, "HS384": 48, "HS512": 64}
PAIRS = ("RSA-OAEP", "RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW",
         "ECDH-ES+A256KW")
SHARED = {"A128KW": 16, "A192KW": 24, "A256KW": 32}
CONTENTS = {"A128GCM": 16, "A192GCM": 24, "A256GCM": 32, "A128CBC-HS256": 32, "A192CBC-HS384": 48,
            "A256CBC-HS512": 64}
CLAIMS = {"iss": "https://id.test", "sub": "alice", "aud": ["api"], "exp": 4102444800,
          "name": "Zoë \U0001F600", "deep": {"list": [1, 2.5, None, True]}}


class JoserfcTests(Case):
    """Keys are made by sdkctl, so joserfc reads what sdkctl writes and the other way round."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        ENVIRONMENT.use()
        from joserfc import jwe, jwk, jwt
        cls.jwe, cls.jwk, cls.jwt = jwe, jwk, jwt

    def generate(self, algorithm) -> tuple:
        """A key pair of sdkctl: the private file, and the public JWK."""
        path = self.home.directory / "private.jwk"
        result = self.home.run("token", "jwk", "--generate", algorithm, "--replace", "--output",
                               path)
        self.assertEqual(result.exit, 0, result)
        return path, json.loads(result.text)

    def test_tokens_that_joserfc_signs_are_valid_and_changed_ones_are_not(self):
        for algorithm in SIGNATURES:
            with self.subTest(algorithm):
                path, public = self.generate(algorithm)
                key = self.jwk.import_key(json.loads(path.read_text()))
                token = self.jwt.encode(
                    {"alg": algorithm, "kid": public["kid"]}, CLAIMS, key, algorithms=[algorithm])
                option = ["--alg", algorithm] if algorithm == "ES256K" else []
                good = self.home.run("token", "verify", "--key", self.write("public", public),
                                     "--iss", "https://id.test", "--aud", "api", *option,
                                     self.write("token", token))
                self.assertEqual(good.exit, 0, good)
                head, payload, signature = token.split(".")
                wrong = ("A" if signature[5] != "A" else "B")
                changed = f"{head}.{payload}.{signature[:5]}{wrong}{signature[6:]}"
                bad = self.home.run("token", "verify", "--key", self.write("public", public),
                                    *option, self.write("token", changed))
                self.assertEqual(bad.exit, 11, bad)
                self.assertIn("signature", bad.err)

    def test_es256k_is_refused_unless_it_is_named(self):
        path, public = self.generate("ES256K")
        key = self.jwk.import_key(json.loads(path.read_text()))
        token = self.jwt.encode({"alg": "ES256K"}, CLAIMS, key, algorithms=["ES256K"])
        result = self.home.run("token", "verify", "--key", path, self.write("token", token))
        self.assertEqual(result.exit, 11, result)
        self.assertIn("alg: ", result.err)

    def test_tokens_with_a_shared_secret_are_valid_only_with_it(self):
        for algorithm, length in SECRETS.items():
            with self.subTest(algorithm):
                secret = "s" * length
                key = self.jwk.OctKey.import_key(secret)
                token = self.jwt.encode({"alg": algorithm}, CLAIMS, key, algorithms=[algorithm])
                file = self.write("token", token)
                good = self.home.run("token", "verify", "--secret-file",
                                     self.write("secret", secret), file)
                self.assertEqual(good.exit, 0, good)
                bad = self.home.run("token", "verify", "--secret-file",
                                    self.write("secret", "t" * length), file)
                self.assertEqual(bad.exit, 11, bad)

    def test_what_joserfc_encrypts_is_decrypted(self):
        for algorithm in PAIRS:
            path, public = self.generate(algorithm)
            key = self.jwk.import_key(public)
            for content in CONTENTS:
                with self.subTest(f"{algorithm} {content}"):
                    self.check_decryption(algorithm, content, key, path)
        path, public = self.generate("X25519")
        self.check_decryption("ECDH-ES", "A256GCM", self.jwk.import_key(public), path)

    def test_what_joserfc_encrypts_with_a_shared_key_is_decrypted(self):
        rows = [(algorithm, content, length) for algorithm, length in SHARED.items()
                for content in CONTENTS]
        rows += [("dir", content, length) for content, length in CONTENTS.items()]
        for algorithm, content, length in rows:
            with self.subTest(f"{algorithm} {content}"):
                key = self.jwk.OctKey.generate_key(length * 8, private=True)
                self.check_decryption(algorithm, content, key,
                                      self.write("shared", key.as_dict(private=True)))

    def check_decryption(self, algorithm, content, key, path):
        token = self.jwe.encrypt_compact({"alg": algorithm, "enc": content}, json.dumps(CLAIMS),
                                         key, algorithms=[algorithm, content])
        file = self.write("token", token)
        good = self.home.run("token", "decode", "--json", "--key", path, file)
        self.assertEqual(good.exit, 0, good)
        self.assertEqual(json.loads(good.text)["payload"], CLAIMS)
        parts = token.split(".")
        parts[3] = ("A" if parts[3][0] != "A" else "B") + parts[3][1:]
        bad = self.home.run("token", "decode", "--key", path, self.write("bad", ".".join(parts)))
        self.assertEqual(bad.exit, 1, bad)
        self.assertIn("could not be decrypted", bad.err)

    def test_a_nested_token_is_decrypted_and_verified_inside(self):
        path, public = self.generate("ECDH-ES+A256KW")
        signer = self.jwk.ECKey.generate_key("P-256", private=True)
        inner = self.jwt.encode({"alg": "ES256"}, CLAIMS, signer)
        outer = self.jwe.encrypt_compact(
            {"alg": "ECDH-ES+A256KW", "enc": "A256GCM", "cty": "JWT"}, inner,
            self.jwk.import_key(public), algorithms=["ECDH-ES+A256KW", "A256GCM"])
        keys = {"keys": [json.loads(path.read_text()), signer.as_dict(private=False)]}
        result = self.home.run("token", "decode", "--json", "--key", self.write("keys", keys),
                               self.write("token", outer))
        self.assertEqual(result.exit, 0, result)
        document = json.loads(result.text)
        self.assertEqual(document["payload"], CLAIMS)
        self.assertEqual(document["header"]["alg"], "ES256")
        self.assertEqual(document["outer"][0]["enc"], "A256GCM")
        self.assertEqual(document["signature"]["status"], "verified")

    def test_thumbprints_are_those_of_joserfc(self):
        for algorithm in ("RS256", "ES512", "EdDSA", "X25519"):
            with self.subTest(algorithm):
                path, public = self.generate(algorithm)
                result = self.home.run("token", "jwk", "--thumbprint", path)
                self.assertEqual(result.text.strip(), self.jwk.import_key(public).thumbprint())


class OpenSSLKeyTests(Case):
    """Keys in PEM, which openssl reads."""

    def test_keys_become_pem_that_openssl_reads_and_jwk_again(self):
        for algorithm in ("RS256", "ES256", "ES384", "ES512", "ES256K", "EdDSA", "X25519"):
            with self.subTest(algorithm):
                made = self.home.run("token", "jwk", "--generate", algorithm, "--replace",
                                     "--output", self.home.directory / "k.jwk")
                self.assertEqual(made.exit, 0, made)
                pem = self.home.directory / "k.pem"
                pem.unlink(missing_ok=True)
                done = self.home.run("token", "jwk", "--private", "--pem", "--output", pem,
                                     self.home.directory / "k.jwk")
                self.assertEqual(done.exit, 0, done)
                self.assertEqual(pem.stat().st_mode & 0o777, 0o600)
                public = subprocess.run(["openssl", "pkey", "-in", pem, "-pubout"],
                                        capture_output=True, check=True, text=True).stdout
                ours = self.home.run("token", "jwk", "--pem", pem)
                self.assertEqual(ours.text, public)
                back = self.home.run("token", "jwk", "--thumbprint", pem)
                self.assertEqual(back.text.strip(), json.loads(made.text)["kid"])

    def test_the_hash_of_a_certificate_is_that_of_openssl(self):
        directory = self.home.directory
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=x", "-keyout",
                        directory / "k", "-out", directory / "c"], check=True, capture_output=True)
        hash = subprocess.run(
            f"openssl x509 -in {directory}/c -outform DER | openssl dgst -sha256 -binary | "
            "basenc --base64url | tr -d '=\\n'", shell=True, check=True, capture_output=True,
            text=True).stdout
        result = self.home.run("token", "jwk", "--thumbprint", "--field", "x5t#S256", directory / "c")
        self.assertEqual(result.text.strip(), hash)

    def certificate(self, name) -> str:
        """The certificate of a new RSA key, as base64; the key is in `name`."""
        directory = self.home.directory
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj",
                        "/CN=x", "-keyout", directory / name, "-out", directory / "c"],
                       check=True, capture_output=True)
        der = subprocess.run(["openssl", "x509", "-in", directory / "c", "-outform", "DER"],
                             check=True, capture_output=True).stdout
        return base64.b64encode(der).decode()

    def test_a_key_with_the_certificate_of_another_key_is_not_trusted(self):
        own, foreign = self.certificate("own"), self.certificate("other")
        directory = self.home.directory
        key = json.loads(self.home.run("token", "jwk", directory / "own").text)
        for certificate, is_trusted in ((own, True), (foreign, False)):
            path = directory / "key.jwk"
            path.write_text(json.dumps(key | {"x5c": [certificate]}))
            shown = self.home.run("token", "jwk", path)
            self.assertEqual(shown.exit, 0, shown)
            self.assertEqual(b"'x5c' has another key" in shown.errors, not is_trusted, shown)
            verified = self.home.run("token", "verify", "--key", path, "-",
                                     input=b"eyJhbGciOiJSUzI1NiJ9.e30.AAAA")
            self.assertEqual(b"'x5c' has another key" in verified.errors, not is_trusted, verified)
