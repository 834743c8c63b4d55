"""Client certificates in files: what `register` takes, keeps and shows, without any server."""

import json

from Servers.authority import EXPIRED, run
from Servers.case import Case


class CertificateFileTests(Case):
    def setUp(self):
        super().setUp()
        self.ok("profile", "add", self.home.name, "--issuer", "https://id.invalid",
                "--resource-url", "https://api.invalid")
        self.ok("profile", "use", self.home.name)
        self.chain, self.key = self.made("own")

    def made(self, name, *options):
        chain, key = self.home.directory / f"{name}.pem", self.home.directory / f"{name}.key"
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-keyout", key, "-out", chain, "-subj", f"/O=Tests/CN={name}",
            *(options or ("-days", "30")))
        key.chmod(0o600)
        return chain, key

    def expired(self, name):
        chain, key = self.made(name)
        run("openssl", "x509", "-in", chain, "-signkey", key, *EXPIRED, "-out", chain)
        return chain, key

    def register(self, chain, key=None, *options):
        keyed = ["--client-key-file", key] if key else []
        return ("register", "--client-id", "app", "--auth-method", "tls_client_auth",
                "--client-certificate", chain, *keyed, *options)

    def test_a_certificate_is_kept_and_shown_without_its_key(self):
        self.ok(*self.register(self.chain, self.key))
        self.assertEqual(self.home.unsafe_modes(), [])
        report = self.ok("profile", "show")
        self.assertRegex(report.err, "client certificate CN=own,O=Tests, expires 20")
        state = self.jsonOf(self.ok("profile", "show", "--json"))["state"]
        self.assertEqual(state["certificate"]["subject"], "CN=own,O=Tests")
        self.assertNotIn("PRIVATE", report.out.decode() + report.err + json.dumps(state))

    def test_the_key_may_be_in_the_same_file_if_that_is_secret(self):
        both = self.home.directory / "both.pem"
        both.write_text(self.chain.read_text() + self.key.read_text())
        both.chmod(0o644)
        self.assertError(self.fails(3, *self.register(both)), "chmod 600")
        both.chmod(0o600)
        report = self.jsonOf(self.ok(*self.register(both), "--json"))
        self.assertEqual(report["certificate"]["subject"], "CN=own,O=Tests")

    def test_what_does_not_fit_is_refused(self):
        other = self.made("other")[1]
        old = self.expired("old")
        rows = [
            (2, "it is not for the client key", (self.chain, other)),
            (2, "it expired at 20", old),
            (2, "the file contains no certificate", (self.key, self.key)),
            (2, "it has no name of the kind dns",
             (self.chain, self.key, "--certificate-san", "dns")),
            (1, "could not read the client certificate", (self.home.directory / "no", self.key)),
            (1, "could not read the client key", (self.chain, self.home.directory / "no")),
        ]
        for code, words, arguments in rows:
            with self.subTest(words):
                self.assertError(self.fails(code, *self.register(*arguments)), words)
                self.assertFalse(self.home.registration_file.exists())
