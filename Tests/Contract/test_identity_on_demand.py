"""Client certificates on demand: the behaviours of SAP's UserIdentityObserver, against the sandbox."""

import base64
import json
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from Servers.authority import run
from Servers.kills import ROUNDS, Kills
from Servers.pseudo_terminal import PseudoTerminal
from Servers.sandbox import SandboxCase
from Servers.sdkctl import BINARY
from Servers.tokens import PIN, SoftToken


class OnDemandTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.facts = self.sandbox.status()
        self.password = self.home.directory / "password"
        self.password.write_text("wonderland\n")
        self.password.chmod(0o600)
        self.ok("profile", "set", "identity.obtain=est", f"identity.url={self.sandbox.issuer}",
                "identity.user=alice", f"identity.passwordFile={self.password}",
                "allowedHosts=" + ",".join(
                    url.removeprefix("https://") for url in self.facts["gateways"].values()))

    def gateway(self, name="required", path="/resources/identity"):
        return self.facts["gateways"][name] + path

    def fetch(self, *words, name="required", code=0):
        result = self.run_("fetch", "--unauth", *words, self.gateway(name))
        self.assertEqual(result.exit, code, result)
        return json.loads(result.out) if code == 0 else result.err

    def run_(self, *words):
        return self.home.run(*words)

    def enrolments(self) -> int:
        return self.sandbox.status()["enrolments"]["count"]

    def revoke(self):
        self.sandbox.command("revoke")

    @property
    def folder(self):
        return self.home.registration_file.parent / "identities"

    def identities(self) -> list:
        return sorted(entry.parent.name for entry in self.folder.glob("*/identity.json"))

    def kept(self, name="localhost") -> dict:
        return json.loads((self.folder / name / "identity.json").read_text())

    def test_one_is_obtained_stored_and_shown_with_every_version_of_tls(self):
        for number, name in enumerate(("required", "required12", "optional")):
            with self.subTest(name):
                subject = self.fetch(name=name)["subject"]
                self.assertIn("alice", subject)
                # The store has it by host: no other is obtained for another port.
                self.assertEqual(self.enrolments(), 1)
        self.assertEqual(self.identities(), ["localhost"])

    def test_many_processes_obtain_one(self):
        with ThreadPoolExecutor(50) as pool:
            results = list(pool.map(
                lambda _: self.run_("fetch", "--unauth", self.gateway()), range(50)))
        self.assertEqual([result.exit for result in results], [0] * 50, results[0])
        self.assertEqual(len({json.loads(result.out)["serial"] for result in results}), 1)
        self.assertEqual(self.enrolments(), 1)

    def test_a_kill_during_the_enrolment_leaves_nothing_half(self):
        def enrol():
            shutil.rmtree(self.folder, ignore_errors=True)
            self.fetch()

        kills = Kills.of(enrol)
        begun, stored = self.enrolments(), 0
        for _ in range(ROUNDS):
            shutil.rmtree(self.folder, ignore_errors=True)
            kills.strike(self.home, "fetch", "--unauth", self.gateway())
            where = kills.where
            for name in self.identities():
                kept = self.kept(name)
                key = run("openssl", "pkey", "-pubout", stdin=kept["key"]["pem"].encode())
                certificate = run("openssl", "x509", "-noout", "-pubkey",
                                  stdin=kept["chain"].encode())
                self.assertEqual(key, certificate, where)
                stored += 1
            self.assertEqual(self.home.unsafe_modes(), [], where)
        kills.assert_enough(self)
        # The kills were before, during and after enrolments.
        self.assertGreater(self.enrolments(), begun)
        self.assertLess(stored, ROUNDS)
        # The next run has no lock to wait for, and uses or replaces what is there.
        began = time.monotonic()
        self.fetch()
        self.assertLess(time.monotonic() - began, 25)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.fetch()

    def test_a_certificate_is_renewed_for_the_same_key_of_a_security_token(self):
        token = SoftToken(self.home.directory / "hsm")
        token.generate("alice", "01")
        self.home.environment |= token.environment
        pin = self.home.directory / "pin"
        pin.write_text(PIN + "\n")
        pin.chmod(0o600)
        opened = ["--passphrase-file", pin]
        uri = "pkcs11:token=work;object=alice"
        csr, pem = (self.home.directory / name for name in ("alice.csr", "alice.pem"))
        csr.write_bytes(self.ok("identity", "csr", "--subject", "CN=alice", "--key-uri", uri,
                                *opened).out)
        # EST with curl and openssl alone: the first certificate is not ours to obtain.
        der = run("openssl", "req", "-in", csr, "-outform", "DER")
        answer = subprocess.run(
            ["curl", "-sSf", "--cacert", self.sandbox.ca_file, "-u", "alice:wonderland", "-H",
             "Content-Type: application/pkcs10", "--data-binary", base64.b64encode(der),
             f"{self.sandbox.issuer}/.well-known/est/simpleenroll"], check=True,
            capture_output=True).stdout
        pem.write_bytes(subprocess.run(
            ["openssl", "pkcs7", "-inform", "DER", "-print_certs"], input=base64.b64decode(answer),
            check=True, capture_output=True).stdout)
        self.ok("identity", "import", pem)
        self.assertIn("CN=alice", self.fetch(*opened)["subject"])
        before = self.jsonOf(self.ok("--json", "identity", "show"))
        self.ok("identity", "renew", *opened)
        after = self.jsonOf(self.ok("--json", "identity", "show"))
        self.assertNotEqual(before["serial"], after["serial"])
        self.assertEqual((before["keyURI"], after["keyPlace"]), (after["keyURI"], "security token"))
        self.assertIn("CN=alice", self.fetch(*opened)["subject"])

    def test_saps_certificate_service_needs_a_login(self):
        url = f"{self.sandbox.issuer}/certificate-service"
        self.ok("profile", "set", "identity.obtain=sap", f"identity.attributesURL={url}/attributes",
                f"identity.requestURL={url}/request", f"identity.retireURL={url}/retire")
        self.fetch(code=4)
        self.assertEqual(self.enrolments(), 0)
        # The login that it needs, by a person at a browser.
        self.register()
        self.use_person()
        self.fetch(code=4)
        subject = self.fetch("--interactive")["subject"]
        self.assertIn("CN=alice", subject)
        self.assertEqual(self.enrolments(), 1)

    def test_a_secure_login_asks_in_rounds(self):
        self.ok("profile", "set", "identity.obtain=sls", f"identity.url={self.sandbox.issuer}",
                "identity.label=5f1d0d6e", f"identity.passwordFile={self.password}")
        # The second round asks for a code, which nobody can type here.
        self.assertIn("could not ask for 'One-time code': there is no terminal", self.fetch(code=9))
        terminal = PseudoTerminal(self.home, BINARY, "fetch", "--unauth", self.gateway())
        terminal.wait_for(b"One-time code: ")
        terminal.type("246810\n")
        code, shown = terminal.end()
        self.assertEqual(code, 0, shown)
        self.assertEqual(self.enrolments(), 1)
