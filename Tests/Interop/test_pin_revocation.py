"""OCSP responses that `openssl ocsp` makes and `openssl s_server` staples, in `pin show` and `pin check`."""

import subprocess

from Servers.case import Case
from Servers.process import answers, free_port, wait_until

REASONS = {"good": "V\t{end}\t\t{serial}\tunknown\t/CN=localhost\n",
           "revoked": "R\t{end}\t260102030405Z,keyCompromise\t{serial}\tunknown\t/CN=localhost\n",
           "unknown": ""}

# openssl makes no responses of other times. The names of the certificate are hashed with SHA-256 here.
MAKER = """
import sys, datetime
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509 import ocsp
read = lambda name: open(name, "rb").read()
ca, leaf = (x509.load_pem_x509_certificate(read(name)) for name in ("ca.crt", "server.crt"))
key = serialization.load_pem_private_key(read("ca.key"), None)
start, end = (datetime.datetime.utcnow() + datetime.timedelta(hours=int(word)) for word in sys.argv[1:])
response = ocsp.OCSPResponseBuilder().add_response(
    cert=leaf, issuer=ca, algorithm=hashes.SHA256(), cert_status=ocsp.OCSPCertStatus.GOOD,
    this_update=start, next_update=end, revocation_time=None, revocation_reason=None,
).responder_id(ocsp.OCSPResponderEncoding.HASH, ca).sign(key, hashes.SHA256())
open("response.der", "wb").write(response.public_bytes(serialization.Encoding.DER))
"""


class RevocationTests(Case):
    def setUp(self):
        super().setUp()
        self.place = self.home.directory / "authority"
        self.place.mkdir()
        ec = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        for name in ("ca", "stranger"):
            self.openssl("req", "-x509", *ec, "-keyout", f"{name}.key", "-out", f"{name}.crt", "-days", "3",
                         "-subj", f"/CN={name}")
        self.issue("server", "subjectAltName=DNS:localhost")
        self.issue("responder", "extendedKeyUsage=OCSPSigning")
        self.issue("client", "extendedKeyUsage=clientAuth")
        self.ok("profile", "add", "t", "--issuer", "https://id.invalid", "--resource-url",
                "https://localhost", "--ca-file", self.place / "ca.crt")
        self.ok("profile", "use", "t")

    def openssl(self, *words):
        return subprocess.run(["openssl", *map(str, words)], cwd=self.place, check=True,
                              capture_output=True, text=True).stdout

    def issue(self, name, extension):
        (self.place / "ext").write_text(extension + "\n")
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                     f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key",
                     "-CAcreateserial", "-days", "2", "-extfile", "ext", "-out", f"{name}.crt")

    def respond(self, state, signer="ca", about="server", *words):
        """An OCSP response about a certificate."""
        serial = self.openssl("x509", "-in", f"{about}.crt", "-noout", "-serial").strip().split("=")[1]
        (self.place / "index").write_text(REASONS[state].format(end="400101000000Z", serial=serial))
        self.openssl("ocsp", "-index", "index", "-CA", "ca.crt", "-rsigner", f"{signer}.crt", "-rkey",
                     f"{signer}.key", "-issuer", "ca.crt", "-cert", f"{about}.crt", "-respout",
                     "response.der", "-ndays", "1", *words)
        return ["-status_file", "response.der"]

    def serve(self, *words) -> int:
        port = free_port()
        process = subprocess.Popen(
            ["openssl", "s_server", "-quiet", "-accept", f"127.0.0.1:{port}", "-cert", "server.crt", "-key",
             "server.key", *words], cwd=self.place, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        wait_until(lambda: answers(port), f"port {port}")
        return port

    def shown(self, port) -> dict:
        result = self.home.run("pin", "show", f"localhost:{port}", "--json")
        return self.jsonOf(result)[0]["revocation"]

    def check(self, port, *words):
        self.home.run("pin", "remove", f"localhost:{port}", "--yes")
        self.ok("pin", "add", self.place / "server.crt", "--host", f"localhost:{port}", "--yes")
        result = self.home.run("pin", "check", "--within", "0", f"localhost:{port}", "--json", *words)
        row = self.jsonOf(result)[0]
        return result.exit, row["status"], row["revocation"]

    def test_good_revoked_and_unknown_are_told_apart(self):
        for state in REASONS:
            for version in ("-tls1_2", "-tls1_3"):
                with self.subTest(state, version=version):
                    port = self.serve(version, *self.respond(state))
                    shown = self.shown(port)
                    self.assertEqual(shown["state"], state)
                    self.assertTrue(shown["updated"])
                    if state == "revoked":
                        self.assertEqual((shown["revoked"], shown["reason"]),
                                         ("2026-01-02T03:04:05Z", "keyCompromise"))
                    self.assertIn(f"revocation: {state}", self.home.run(
                        "pin", "show", f"localhost:{port}").text)
                    self.assertEqual(self.check(port), (0, "OK", state))
                    soft = (11, "REVOKED") if state == "revoked" else (0, "OK")
                    self.assertEqual(self.check(port, "--revocation"), (*soft, state))
                    hard = soft if state != "unknown" else (11, "NO-STATUS")
                    self.assertEqual(
                        self.check(port, "--revocation", "--require-status"), (*hard, state))

    def test_a_responder_may_sign_that_the_issuer_has_authorised(self):
        port = self.serve(*self.respond("good", "responder"))
        self.assertEqual(self.shown(port)["state"], "good")

    def test_what_nobody_may_sign_and_what_is_about_something_else_is_invalid(self):
        for words, reason in (
                (("good", "stranger"), "signed"), (("good", "client"), "signed"),
                (("good", "ca", "client"), "another certificate"),
                (("revoked", "stranger"), "signed")):
            with self.subTest(words):
                port = self.serve(*self.respond(*words))
                shown = self.shown(port)
                self.assertEqual(shown["state"], "invalid")
                self.assertIn(reason, shown["reason"])
                self.assertEqual(self.check(port, "--revocation")[:2], (0, "OK"))
                self.assertEqual(
                    self.check(port, "--revocation", "--require-status")[:2], (11, "NO-STATUS"))

    def test_an_outdated_response_and_one_of_the_future_are_invalid(self):
        for start, end, state in ((-3, -1, "invalid"), (1, 2, "invalid"), (-1, 1, "good")):
            with self.subTest(start):
                subprocess.run(["/usr/bin/python3", "-c", MAKER, str(start), str(end)], cwd=self.place,
                               check=True, capture_output=True)
                shown = self.shown(self.serve("-status_file", "response.der"))
                self.assertEqual(shown["state"], state, shown)
                if state == "invalid":
                    self.assertIn("outdated", shown["reason"])

    def test_without_a_response_nothing_is_known(self):
        port = self.serve()
        self.assertEqual(self.shown(port)["state"], "none")
        self.assertEqual(self.check(port, "--revocation"), (0, "OK", "none"))
        self.assertEqual(self.check(port, "--revocation", "--require-status"), (11, "NO-STATUS", "none"))
