"""Tokens that `token sign` makes, read by programs that we did not write: PyJWT, jwcrypto, jose."""

import base64
import json
import secrets
import subprocess
from pathlib import Path

from Servers.case import Case
from Servers.tokens import PIN, SoftToken

PAIRS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "ES256K",
         "EdDSA", "Ed25519", "Ed448")
SECRETS = {"HS256": 32, "HS384": 48, "HS512": 64}
# The names of RFC 9864, which these libraries do not know.
NEW_NAMES = ("Ed25519", "Ed448")
READERS = ("RSA-OAEP", "RSA-OAEP-256", "ECDH-ES", "X25519")
CLAIMS = {"iss": "https://id.test", "aud": "api", "sub": "zoë \U0001F600", "deep": {"list": [1, None]}}


class TokenSignTests(Case):
    def generate(self, algorithm, name="private.jwk") -> tuple:
        """A key pair: the private file, and the public JWK."""
        path = self.home.directory / name
        result = self.ok("token", "jwk", "--generate", algorithm, "--replace", "--output", path)
        return path, json.loads(result.text)

    def sign(self, *words) -> str:
        return self.ok("token", "sign", *words, self.write("claims", CLAIMS)).text.strip()

    def assertClaims(self, claims):
        claims = dict(claims)
        for name in ("iat", "exp", "jti"):
            claims.pop(name)
        self.assertEqual(claims, CLAIMS)

    def changed(self, token) -> str:
        head, payload, signature = token.split(".")
        return f"{head}.{payload}.{signature[:5]}{'A' if signature[5] != 'A' else 'B'}{signature[6:]}"

    def read(self, *requests) -> list:
        done = subprocess.run(
            ["/usr/bin/python3", Path(__file__).with_name("debian_readers.py")], check=True,
            input=json.dumps(requests), capture_output=True, text=True)
        return json.loads(done.stdout)

    def check(self, library, token, algorithm, key, error):
        """The token is read, and a changed one is not."""
        good, bad = self.read(*(
            {"library": library, "token": text, "alg": algorithm, "key": key}
            for text in (token, self.changed(token))))
        self.assertIn("text", good, (library, algorithm, token))
        self.assertClaims(json.loads(good["text"]))
        self.assertEqual(bad, {"error": error})

    def check_pyjwt(self, token, algorithm, key):
        self.check("pyjwt", token, algorithm, key, "InvalidSignatureError")

    def check_jwcrypto(self, token, algorithm, key):
        self.check("jwcrypto", token, algorithm, key, "InvalidJWSSignature")

    def decrypted(self, token, key) -> str:
        """What jwcrypto finds in an encrypted token."""
        header = self.header(token)
        self.assertEqual(header["cty"], "JWT")
        [answer] = self.read({"library": "jwcrypto", "token": token, "key": key,
                              "alg": header["alg"], "enc": header["enc"]})
        self.assertIn("text", answer)
        return answer["text"]

    @staticmethod
    def header(token) -> dict:
        text = token.split(".")[0]
        return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))

    def check_jose(self, token, key):
        def verify(text):
            return subprocess.run(
                ["jose", "jws", "ver", "-i", self.write("token", text), "-k",
                 self.write("public", key), "-O-"], capture_output=True)
        good = verify(token)
        self.assertEqual(good.returncode, 0, good)
        self.assertClaims(json.loads(good.stdout))
        self.assertNotEqual(verify(self.changed(token)).returncode, 0)

    def check_ours(self, token, algorithm, *key):
        words = ["--alg", algorithm, "--iss", "https://id.test", "--aud", "api", "--typ", "JWT"]
        self.ok("token", "verify", *key, *words, self.write("token", token))
        bad = self.home.run("token", "verify", *key, *words, self.write("bad", self.changed(token)))
        self.assertEqual(bad.exit, 11, bad)

    def test_key_pairs(self):
        for algorithm in PAIRS:
            with self.subTest(algorithm):
                path, public = self.generate(algorithm)
                pem = self.home.directory / "private.pem"
                self.ok("token", "jwk", "--private", "--pem", "--replace", "--output", pem, path)
                # PEM does not say for which algorithm it is.
                for words in (["--key", path], ["--key", pem, "--alg", algorithm]):
                    token = self.sign(*words)
                    header = self.header(token)
                    self.assertEqual(header, {"alg": algorithm, "typ": "JWT", "kid": public["kid"]})
                    self.check_ours(token, algorithm, "--key", self.write("public", public))
                    if algorithm in NEW_NAMES:
                        continue
                    bare = {name: value for name, value in public.items() if name != "alg"}
                    self.check_jwcrypto(token, algorithm, bare)
                    self.check_pyjwt(token, algorithm, self.public_key(pem))
                    if algorithm not in ("EdDSA", "ES256K"):  # Debian's jose does not know these
                        self.check_jose(token, public)

    def public_key(self, pem) -> str:
        return subprocess.run(["openssl", "pkey", "-in", pem, "-pubout"], check=True,
                              capture_output=True, text=True).stdout

    def test_shared_secrets(self):
        for algorithm, length in SECRETS.items():
            with self.subTest(algorithm):
                secret = secrets.token_hex(length // 2)
                file = self.write("secret", secret)
                token = self.sign("--secret-file", file, "--alg", algorithm)
                key = {"kty": "oct", "k": base64.urlsafe_b64encode(secret.encode()).decode().rstrip("=")}
                self.check_pyjwt(token, algorithm, secret)
                self.check_jwcrypto(token, algorithm, key)
                self.check_jose(token, key)
                self.check_ours(token, algorithm, "--secret-file", file)
                # The same as a JWK, whose alg chooses.
                named = self.write("oct.jwk", {**key, "alg": algorithm, "kid": "s1"})
                token = self.sign("--key", named)
                self.assertEqual(self.header(token)["kid"], "s1")
                self.check_pyjwt(token, algorithm, secret)

    def test_keys_that_jose_and_openssl_make(self):
        for algorithm in ("RS256", "ES512", "HS256"):
            with self.subTest(algorithm):
                made = subprocess.run(["jose", "jwk", "gen", "-i", json.dumps({"alg": algorithm})],
                                      check=True, capture_output=True, text=True).stdout
                key = self.write("jose.jwk", made)
                token = self.sign("--key", key)
                self.assertEqual(self.header(token)["alg"], algorithm)
                self.check_jose(token, json.loads(made))
        pem = self.home.directory / "openssl.pem"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", pem], check=True)
        self.check_pyjwt(self.sign("--key", pem), "EdDSA", self.public_key(pem))

    def test_a_key_in_a_security_token(self):
        token = SoftToken(self.home.directory / "hsm")
        self.home.environment |= token.environment
        pin = self.write("pin", PIN)
        for kind, algorithm in (("EC:prime256v1", "ES256"), ("rsa:2048", "RS256")):
            with self.subTest(algorithm):
                token.generate(algorithm, {"ES256": "01", "RS256": "02"}[algorithm], kind)
                signed = self.sign("--key-uri", f"pkcs11:token=work;object={algorithm}",
                                   "--passphrase-file", pin)
                self.assertEqual(self.header(signed)["alg"], algorithm)
                der = self.home.directory / "public.der"
                token._tool("--read-object", "--type", "pubkey", "--label", algorithm,
                            "--output-file", der)
                pem = subprocess.run(["openssl", "pkey", "-pubin", "-inform", "DER", "-in", der],
                                     check=True, capture_output=True, text=True).stdout
                self.check_pyjwt(signed, algorithm, pem)
        missing = self.home.run("token", "sign", "--key-uri", "pkcs11:token=work;object=none",
                                "--passphrase-file", pin)
        self.assertEqual(missing.exit, 9, missing)

    def test_what_is_encrypted_is_read_by_jwcrypto_and_jose(self):
        signer, public = self.generate("ES256", "signer.jwk")
        for algorithm in READERS:
            with self.subTest(algorithm):
                path, reader = self.generate(algorithm, "reader.jwk")
                token = self.sign("--key", signer, "--encrypt-to", self.write("to", reader))
                private = json.loads(path.read_text())
                self.check_jwcrypto(self.decrypted(token, private), "ES256", public)
                if algorithm == "ECDH-ES":  # Debian's jose does not know the others
                    done = subprocess.run(
                        ["jose", "jwe", "dec", "-i", self.write("token", token), "-k", path, "-O-"],
                        capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, done)
                    self.check_jose(done.stdout, public)
        shared = {"kty": "oct", "k": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode().rstrip("=")}
        for words, alg, enc in (([], "A256KW", "A256GCM"),
                                (["--encrypt-alg", "dir", "--encrypt-enc", "A128CBC-HS256"], "dir",
                                 "A128CBC-HS256")):
            token = self.sign("--key", signer, "--encrypt-to", self.write("shared", shared), *words)
            header = self.header(token)
            self.assertEqual((header["alg"], header["enc"]), (alg, enc))
            self.check_jwcrypto(self.decrypted(token, shared), "ES256", public)

    def test_lint_finds_nothing_in_the_defaults(self):
        path, _ = self.generate("EdDSA")
        token = self.ok("token", "sign", "--key", path, "--iss", "https://id.test", "--aud", "api").text
        self.assertEqual(self.ok("token", "lint", "--strict", "-", input=token).text, "no findings\n")
