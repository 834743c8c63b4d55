"""What other programs make of the sandbox: curl and openssl of its chain, jose of its tokens."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

from client import Client, header
from program import shared


def command(*words, input=None, check=True):
    done = subprocess.run(words, input=input, capture_output=True, text=True)
    if check and done.returncode != 0:
        raise AssertionError(f"{words}: {done.stderr}")
    return done


def need(program):
    return unittest.skipUnless(
        shutil.which(program) or os.environ.get("CI"), f"{program} is not installed")


class Foreign(unittest.TestCase):
    @need("curl")
    def test_curl_accepts_the_chain_by_every_name_of_loopback(self):
        port, authority = shared().port, shared().ca_file
        for host in ("localhost", "127.0.0.1", "[::1]"):
            address = f"https://{host}:{port}/resources/unauthenticated"
            done = command("curl", "-sS", "-g", "--cacert", authority, address, check=False)
            if host == "[::1]" and done.returncode == 7:
                self.skipTest("no IPv6 here")
            self.assertEqual((done.returncode, done.stdout), (0, "OK"), done.stderr)

    @need("openssl")
    def test_openssl_sees_leaf_and_intermediate_and_verifies_to_the_root(self):
        done = command(
            "openssl", "s_client", "-connect", f"127.0.0.1:{shared().port}", "-CAfile",
            shared().ca_file, "-servername", "localhost", "-verify_return_error", "-showcerts",
            "-verify_hostname", "localhost", input="")
        self.assertEqual(done.stdout.count("BEGIN CERTIFICATE"), 2)
        self.assertIn("Verify return code: 0 (ok)", done.stdout)
        chain = os.path.join(shared().directory, "chain.pem")
        command(
            "openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile",
            shared().ca_file, "-untrusted", chain, chain)
        text = command("openssl", "x509", "-in", chain, "-noout", "-ext", "subjectAltName").stdout
        for name in ("DNS:localhost", "IP Address:127.0.0.1", "IP Address:0:0:0:0:0:0:0:1"):
            self.assertIn(name, text)

    @need("jose")
    def test_jose_verifies_tokens_of_both_algorithms(self):
        for algorithm in ("RS256", "ES256"):
            client = Client(shared(), id_token_signed_response_alg=algorithm)
            tokens = client.login()
            self.assertEqual(header(tokens["id_token"])["alg"], algorithm)
            with tempfile.NamedTemporaryFile("w", suffix=".jwks") as keys:
                json.dump(client.http.get("/jwks").json, keys)
                keys.flush()
                for token in (tokens["id_token"], tokens["access_token"]):
                    command("jose", "jws", "ver", "-i", "-", "-k", keys.name, input=token)
                forged = client.login(fault="bad-signature")["id_token"]
                done = command(
                    "jose", "jws", "ver", "-i", "-", "-k", keys.name, input=forged, check=False)
                self.assertNotEqual(done.returncode, 0)
