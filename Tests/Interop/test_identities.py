"""The walk-through of docs/identities.md, and PKCS #12 files of other programs."""

import datetime
import json
import os
import re
import shutil
import subprocess
import unittest

from Servers.authority import run
from Servers.case import Case
from Servers.process import free_port
from Servers.sdkctl import REPOSITORY

try:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import pkcs12
except ImportError:
    pkcs12 = None


def needs(isThere, what):
    """Skips without the program, but not in CI."""
    return unittest.skipUnless(isThere or "CI" in os.environ, f"needs {what}")


class WalkThroughTests(Case):
    """Runs the commands of the page, in their order, in one shell."""

    def test_nginx_with_mutual_tls_from_nothing_to_a_request(self):
        page = (REPOSITORY / "docs/identities.md").read_text()
        section = page.partition("\n## From nothing to a request\n")[2].partition("\n## ")[0]
        blocks = re.findall(r"^```sh\n(.*?)^```$", section, re.S | re.M)
        self.assertGreater(len(blocks), 5)
        script = "set -e\n" + "\n".join(blocks)
        script = script.replace("8443", str(free_port()))
        folder = self.home.directory / "walk"
        folder.mkdir()
        script = script.replace("events {}", "user root;\nevents {}" if os.getuid() == 0
                                else "events {}")
        try:
            done = subprocess.run(["bash", "-c", script], cwd=folder, env=self.home.environment | {
                "PATH": self.home.environment["PATH"] + ":/usr/sbin:/sbin"},
                stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        finally:
            pid = folder / "nginx.pid"
            if pid.exists():
                os.kill(int(pid.read_text()), 15)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        # curl and fetch, one after the other.
        self.assertEqual(done.stdout.decode().splitlines()[-2:], ["hello CN=alice,O=Example"] * 2)
        self.assertEqual(self.home.unsafe_modes(), [])


class FileTests(Case):
    def setUp(self):
        super().setUp()
        self.ok("profile", "add", self.home.name, "--issuer", "https://id.invalid",
                "--resource-url", "https://api.invalid")
        self.ok("profile", "use", self.home.name)
        self.folder = self.home.directory
        (self.folder / "password").write_text("sécret 1\n")
        (self.folder / "password").chmod(0o600)
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout",
            self.folder / "k.pem", "-out", self.folder / "c.pem", "-subj", "/O=Tests/CN=alice",
            "-days", "30")

    def imported(self, file, *options):
        (self.folder / file).chmod(0o600)
        self.ok("identity", "import", self.folder / file, "--name", "a", "--replace", *options)
        shown = json.loads(self.ok("identity", "show", "a", "--json").text)
        self.assertEqual(shown["subject"], "CN=alice,O=Tests")
        return shown

    def exported(self, *options):
        file = self.folder / "ours.p12"
        file.unlink(missing_ok=True)
        self.ok("identity", "export", "a", "--format", "pkcs12", "-o", file, *options)
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        return file

    PASSWORD = ("--password-file", "password")

    def test_files_of_openssl_in_every_form_and_ours_there(self):
        common = ["openssl", "pkcs12", "-export", "-inkey", self.folder / "k.pem",
                  "-in", self.folder / "c.pem", "-out", self.folder / "f.p12"]
        rows = [
            (["-passout", "pass:sécret 1"], self.PASSWORD), (["-passout", "pass:"], ()),
            (["-passout", "pass:sécret 1", "-keypbe", "NONE", "-certpbe", "NONE"], self.PASSWORD),
            (["-passout", "pass:", "-nomac", "-keypbe", "NONE", "-certpbe", "NONE"], ()),
            (["-passout", "pass:sécret 1", "-legacy"], (*self.PASSWORD, "--legacy")),
            (["-passout", "pass:", "-legacy"], ("--legacy",)),
        ]
        for made, options in rows:
            with self.subTest(made):
                run(*common, *made)
                self.imported("f.p12", *options)
        for options, password in [(self.PASSWORD, "sécret 1"), (("--no-password",), ""),
                                  ((*self.PASSWORD, "--legacy"), "sécret 1")]:
            with self.subTest(options):
                file = self.exported(*options)
                text = run("openssl", "pkcs12", "-in", file, "-passin", f"pass:{password}",
                           "-nodes")
                self.assertIn(b"BEGIN PRIVATE KEY", text)
                self.assertRegex(text, b"CN ?= ?alice")  # OpenSSL 3.2 and later write no blanks

    def test_old_algorithms_are_refused_with_the_option_that_allows_them(self):
        run("openssl", "pkcs12", "-export", "-legacy", "-inkey", self.folder / "k.pem", "-in",
            self.folder / "c.pem", "-out", self.folder / "f.p12", "-passout", "pass:sécret 1")
        words = ("identity", "import", self.folder / "f.p12", *self.PASSWORD)
        self.assertIn("--legacy", self.assertError(self.fails(2, *words), "old algorithm") or
                      self.home.run(*words).err)
        self.assertError(self.home.run("identity", "import", self.folder / "f.p12"), "password")

    @needs(shutil.which("keytool"), "keytool")
    def test_files_of_java_and_ours_there(self):
        store = self.folder / "java.p12"
        run("keytool", "-genkeypair", "-alias", "alice", "-keyalg", "EC", "-groupname", "secp256r1",
            "-dname", "CN=alice, O=Tests", "-validity", "30", "-storetype", "PKCS12", "-keystore",
            store, "-storepass", "secret-1", "-keypass", "secret-1")
        password = self.folder / "java-password"
        password.write_text("secret-1\n")
        password.chmod(0o600)
        given = ("--password-file", password)
        shown = self.imported("java.p12", *given)
        ours = self.exported(*given)
        listed = run("keytool", "-list", "-v", "-keystore", ours, "-storepass", "secret-1",
                     "-storetype", "PKCS12").decode()
        self.assertIn("PrivateKeyEntry", listed)
        self.assertIn(shown["sha256"].upper(), listed.replace(":", ""))
        run("keytool", "-importkeystore", "-srckeystore", ours, "-srcstorepass", "secret-1",
            "-destkeystore", self.folder / "copy.p12", "-deststorepass", "secret-2")

    @needs(pkcs12, "python3-cryptography")
    def test_files_of_python_cryptography_and_ours_there(self):
        key = ec.generate_private_key(ec.SECP384R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.ORGANIZATION_NAME, "Tests"),
                          x509.NameAttribute(x509.NameOID.COMMON_NAME, "alice")])
        now = datetime.datetime.utcnow()
        certificate = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name)
            .public_key(key.public_key()).serial_number(7)
            .not_valid_before(now - datetime.timedelta(hours=1))
            .not_valid_after(now + datetime.timedelta(days=9)).sign(key, hashes.SHA256()))
        for encryption, options in [
                (serialization.BestAvailableEncryption("sécret 1".encode()), self.PASSWORD),
                (serialization.NoEncryption(), ())]:
            (self.folder / "py.p12").write_bytes(pkcs12.serialize_key_and_certificates(
                b"alice", key, certificate, None, encryption))
            self.imported("py.p12", *options)
        for options, password in [(self.PASSWORD, "sécret 1".encode()), (("--no-password",), b"")]:
            loaded = pkcs12.load_key_and_certificates(
                self.exported(*options).read_bytes(), password)
            self.assertEqual(loaded[0].private_numbers(), key.private_numbers())
            self.assertEqual(loaded[1], certificate)

    @needs(pkcs12, "python3-cryptography")
    def test_a_request_is_valid_for_python_cryptography(self):
        rows = [("p256", ec.EllipticCurvePublicKey), ("ed25519", object), ("rsa3072", object)]
        for kind, _ in rows:
            request = x509.load_pem_x509_csr(self.ok(
                "identity", "csr", kind, "--subject", "CN=alice,O=Tests", "--key-type", kind,
                "--dns", "a.example", "--ip", "192.0.2.1", "--email", "a@b.example").out)
            self.assertTrue(request.is_signature_valid)
            self.assertEqual(request.subject.rfc4514_string(), "CN=alice,O=Tests")
            names = request.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
            self.assertEqual(names.get_values_for_type(x509.DNSName), ["a.example"])
            self.assertEqual([str(a) for a in names.get_values_for_type(x509.IPAddress)],
                             ["192.0.2.1"])
