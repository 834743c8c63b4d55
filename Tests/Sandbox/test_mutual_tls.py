"""Clients that prove themselves by a certificate (RFC 8705), at the sandbox."""

import base64
import json
import re
import subprocess

from Servers.client import Client
from Servers.sandbox import SCOPE, SandboxCase
from Servers.sdkctl import BINARY

SELF = "self_signed_tls_client_auth"


class MutualTLSTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.base = self.sandbox.facts["mtlsURL"]
        self.ok("profile", "set", f"resourceURL={self.base}/resources")

    def identity(self) -> dict:
        """The files of the certificate that the client proves itself by."""
        directory = self.home.store / "state/profiles" / self.home.name / "identities/registration"
        files = {path: path.read_text() for path in directory.iterdir() if path.is_file()}
        self.assertTrue(files)
        return files

    def kept(self) -> dict:
        return json.loads(self.home.registration_file.read_text())

    def bound(self, slot="user") -> str:
        token = self.ok("token", self.home.slot_option(slot)).text.strip()
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        self.assertIn("x5t#S256", claims["cnf"])
        return token

    def made(self, name, *options) -> dict:
        chain, key = (self.home.directory / f"{name}{end}.pem" for end in ("", "-key"))
        return json.loads(self.sandbox.command(
            "certificate", name, "--json", "--out", chain, "--key-out", key, *options).out)

    def files(self, facts) -> list:
        return ["--client-certificate", facts["certificate"], "--client-key-file", facts["key"]]

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

    def test_another_certificate_is_refused_and_the_right_one_can_be_renewed(self):
        self.ok("register", "--auth-method", SELF)
        first = self.identity()
        self.ok("register", "update", "--auth-method", SELF)
        self.assertNotEqual(first, self.identity())
        self.ok("login", "--anonymous")
        for path, text in first.items():
            path.write_text(text)
        self.fails(5, "token", "--anonymous", "--fresh")

    def test_a_sealed_key_is_replaced_by_a_sealed_one_whenever_a_kill_comes(self):
        file, pem = self.home.directory / "passphrase", self.home.directory / "r.pem"
        file.write_text("correct horse\n")
        file.chmod(0o600)
        opened = ["--passphrase-file", file]

        def register(*options):
            self.ok("register", "--auth-method", SELF, *options)
            self.ok("identity", "export", "registration", "-o", pem)
            self.ok("identity", "import", pem, "--name", "registration", "--replace", *opened)

        register()
        self.assertEqual(
            self.jsonOf(self.ok("--json", "identity", "show", "registration"))["origin"],
            "self-signed")
        for number in range(1, 30):
            # Killed as it enters the call that would put the n-th file in its place.
            done = subprocess.run(
                ["strace", "-f", "-o", "/dev/null", "-e",
                 f"inject=rename,renameat,renameat2:signal=KILL:when={number}", BINARY,
                 *map(str, ["identity", "renew", "registration", *opened])],
                env=self.home.environment, capture_output=True)
            for path in self.home.store.rglob("*"):
                if path.is_file():
                    self.assertNotIn(b"PRIVATE KEY", path.read_bytes(), f"{number}: {path}")
            if done.returncode == 0:
                break
            if done.returncode == 5:
                # The kill before came between the server's new token and its file.
                self.assertIn(b"register --replace", done.stderr)
                register("--replace")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(number, 2, "nothing was killed")
        self.fails(9, "login", "--anonymous")
        self.ok("login", "--anonymous", *opened)
        # An update by hand seals the new key too.
        self.ok("register", "update", "--auth-method", SELF, *opened)
        self.assertNotIn("PRIVATE KEY", "".join(self.identity().values()))
        self.ok("token", "--anonymous", "--fresh", *opened)

    def test_each_name_of_a_certificate_of_an_authority(self):
        robot = self.made("robot")
        for kind in ("subject", "dns", "uri", "ip", "email"):
            with self.subTest(kind):
                chosen = [] if kind == "subject" else ["--certificate-san", kind]
                self.ok("register", "--replace", "--auth-method", "tls_client_auth",
                        *self.files(robot), *chosen)
                self.ok("login", "--anonymous")
                self.bound("anonymous")
        self.assertRegex(self.ok("register", "show").text,
                         "certificate: CN=robot,O=sdkctl sandbox, expires 20")
        shown = self.jsonOf(self.ok("register", "show", "--json"))
        self.assertEqual(shown["certificate"]["subject"], "CN=robot,O=sdkctl sandbox")
        self.assertEqual(shown["metadata"]["tls_client_auth_san_email"], "robot@example.com")

    def test_an_expired_certificate_is_neither_taken_nor_shown(self):
        old = self.made("old", "--expired")
        refused = self.fails(2, "register", "--auth-method", "tls_client_auth", *self.files(old))
        self.assertIn("it expired at", refused.err)
        self.ok("register", "--auth-method", "tls_client_auth", *self.files(self.made("young")))
        document = self.kept()
        document["certificate"] = open(old["certificate"]).read()
        self.home.registration_file.write_text(json.dumps(document))
        before = self.sandbox.requests("token")
        late = self.fails(9, "login", "--anonymous")
        self.assertRegex(late.err, "client certificate cannot be used: it expired at")
        self.assertRegex(late.err, "hint: .*register update --auth-method tls_client_auth")
        self.fails(9, "login")
        self.assertEqual(self.sandbox.requests("token"), before)

    def test_a_code_for_another_device_is_asked_for_at_the_alias(self):
        self.ok("register", "--auth-method", SELF)
        process = self.home.start("-v", "login", "--device")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        said = b""
        for line in process.stderr:
            said += line
            if re.search(rb"< HTTP/\S+ 200", line) and b"/device" in said:
                break
        self.assertIn(f"POST {self.base}/device", said.decode())
