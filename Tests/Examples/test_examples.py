"""The programs of Examples/, which use the library as any dependent package does."""

import functools
import http.server
import json
import subprocess
import tempfile
import threading
from pathlib import Path

from Servers.authority import Authority, run
from Servers.case import Case
from Servers.process import free_port
from Servers.sandbox import SandboxCase
from Servers.sdkctl import PERSON, REPOSITORY
from Servers.vendors import Sequencing

PROGRAMS = REPOSITORY / ".build/debug"


class Programs:
    """The programs, and how a test runs one in its home."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not (PROGRAMS / "log-in").exists():
            raise FileNotFoundError(
                f"{PROGRAMS} is not built: make tests")

    def example(self, name, *arguments, code=0, input="") -> list:
        """Runs a program, which must end with that status, and returns the lines that it printed."""
        done = subprocess.run(
            [PROGRAMS / name, *map(str, arguments)], env=self.home.environment, text=True,
            input=input, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout.splitlines()


class ExampleTests(Programs, SandboxCase):
    def browser(self, user="alice"):
        """A program in which a person signs in, and which prints where the browser arrived."""
        last = self.home.directory / "last"
        script = self.home.directory / f"browser-{user}"
        script.write_text(
            f"#!/bin/sh\nexport STAND_CA='{self.sandbox.ca_file}' "
            f"STAND_LAST='{last}' STAND_USER={user}\n'{PERSON}' \"$1\" >&2\ncat '{last}'\n")
        script.chmod(0o755)
        return script

    def test_a_program_makes_a_profile_of_the_configuration_of_an_app(self):
        folder = self.home.directory / "export"
        (folder / "certificates").mkdir(parents=True)
        (folder / "certificates/ca.pem").write_bytes(Path(self.sandbox.ca_file).read_bytes())
        (folder / "config.json").write_text(json.dumps({
            "token_server_uri": self.sandbox.issuer, "redirect_url": "oneginisdk://loginsuccess",
            "resource_gateway_uri": [f"{self.sandbox.issuer}/resources/"],
            "application_identifier": "App", "application_version": "1"}))
        lines = self.example("import-configuration", "imported", folder)
        self.assertRegex(lines[0], "imported, pinned 1 hosts$")
        shown = self.jsonOf(self.ok("-p", "imported", "profile", "show", "--json"))
        self.assertEqual(shown["redirectURI"], "oneginisdk://loginsuccess")

    def test_a_program_registers_logs_in_by_answering_the_challenge_and_logs_out(self):
        lines = self.example("log-in", "sandbox", self.browser())
        self.assertRegex(lines[0], r"^registered as client-")
        self.assertRegex(lines[1], r"^logged in: user-")
        self.assertEqual(lines[2].split()[:2], ["scope:", "openid"])
        self.assertEqual(lines[3:], ["revokeRefreshToken: done", "revokeAccessToken: done",
                                     "erase: done"])
        self.assertFalse(self.home.slot_file().exists())
        # The registration stays, and the command line uses it.
        self.assertNotIn("registered", self.example("log-in", "sandbox", self.browser())[0])

    def test_a_program_registers_a_key_and_logs_in_with_it(self):
        self.add_session()
        self.ok("profile", "set", f"fido.url={self.sandbox.issuer}/nevisfido", "fido.user=alice")
        lines = self.example("use-key", "sandbox", "/cookie-protected", input="271828\n")
        self.assertEqual(lines[0], "registered a key of alice at FFFF#0001")
        self.assertEqual(lines[1], "logged in: cookies")
        self.assertRegex(lines[2], r'^200 \{"sub":"user-')
        self.assertEqual(lines[3], "deleted 1 key")

    def test_a_program_logs_in_by_password_once_and_with_a_key_from_then_on(self):
        self.ok("profile", "set", f"fido.url={self.sandbox.issuer}/nevisfido",
                f"form.url={self.sandbox.issuer}/auth/pwd", "form.page=false",
                "form.userField=isiwebuserid", "form.passwordField=isiwebpasswd")
        lines = self.example("enrol-key", "sandbox", "alice", "/cookie-protected",
                             input="wonderland\n271828\n")
        self.assertEqual(lines[:3], ["logged in by password: cookies", "registered a key of alice",
                                     "logged in by key: cookies"])
        self.assertRegex(lines[3], r'^200 \{"sub":"user-')

    def test_a_program_uses_the_login_of_the_command_line(self):
        self.add_session()
        lines = self.fetched()
        self.assertRegex(lines[0], r'^200 \{"devices":')
        self.assertRegex(lines[1], r'^200 \{"decorated_user_id":')
        self.assertRegex(lines[2], r'^200 \{"application_identifier":')
        self.assertEqual(lines[3], "200 OK")

    def test_the_shortest_program_sends_one_request(self):
        self.add_session()
        self.assertRegex(self.example("one-request")[0], r'^200 \{"devices":')

    def test_a_program_is_told_that_nobody_is_logged_in(self):
        self.register()
        lines = self.fetched()
        self.assertEqual(lines[0], "nobody is logged in")
        self.assertEqual(lines[2], "200 OK")

    def fetched(self) -> list:
        return self.example("fetch-resource", "sandbox", "/devices", "/user-id-decorated",
                            "/application-details", "/unauthenticated")

    def test_a_program_registers_a_user_in_a_web_view(self):
        self.register()
        lines = self.example("register-user", "sandbox", self.browser())
        self.assertRegex(lines[0], "^registered: user-")
        self.assertEqual(lines[1].split()[:2], ["scope:", "openid"])
        self.assertIn("devices", self.ok("fetch", "--user", "/devices").text)

    def test_a_web_view_that_the_person_closes_changes_nothing(self):
        self.register()
        self.assertEqual(self.example("register-user", "sandbox", "/bin/true"),
                         ["the person has closed the page"])
        self.assertFalse(self.home.slot_file().exists())

    def test_a_program_shows_a_certificate_that_its_own_server_has(self):
        gateway = self.sandbox.status()["gateways"]["required"]
        password, file = self.home.directory / "password", self.home.directory / "identity.p12"
        password.write_text("wonderland\n")
        password.chmod(0o600)
        self.ok("profile", "set", f"resourceURL={gateway}/resources", "identity.obtain=est",
                f"identity.url={self.sandbox.issuer}", "identity.user=alice",
                f"identity.passwordFile={password}")
        self.ok("fetch", "--unauth", "/identity")
        self.ok("identity", "export", "--format", "pkcs12", "--password-file", password, "-o", file)
        self.ok("identity", "remove", "localhost", "--yes")
        self.ok("profile", "unset", "identity.obtain")
        handler = functools.partial(http.server.SimpleHTTPRequestHandler,
                                    directory=self.home.directory)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{server.server_port}/identity.p12"
            lines = self.example("show-identity", "sandbox", "/identity", url,
                                 input="wonderland\n")
            server.shutdown()
        self.assertEqual(lines[0], "new identity for localhost")
        self.assertRegex(lines[1], r'^200 \{.*"subject":"CN=alice')
        self.assertIn("own-server", self.ok("identity", "show", "localhost").text)

    def test_a_program_verifies_a_token_without_a_profile(self):
        self.add_session()
        token = self.ok("token").text
        audience = self.ok("token", "decode", "--user", "--field", "aud").text.strip()
        for expected, code, lines in (
                (audience, 0, ["valid"]),
                ("another", 1, [f"aud: the token is for '{audience}', not for 'another'", "invalid"])):
            with self.subTest(expected):
                self.assertEqual(lines, self.example(
                    "verify-token", self.sandbox.issuer, expected, self.sandbox.ca_file, code=code,
                    input=token))

    def test_a_program_pins_a_host_and_evaluates_its_chain(self):
        self.ok("pin", "remove", "localhost", "--yes")
        lines = self.example("pin-host", "sandbox", "localhost", self.sandbox.port)
        self.assertEqual([line.split()[0] for line in lines[:-1]], ["leaf", "intermediate", "root"])
        pin = lines[0].split()[1]
        self.assertEqual(lines[-1], f"pinned: {pin}")
        self.assertIn(pin, self.ok("pin", "list").text)

    def test_a_program_evaluates_a_chain_without_the_command(self):
        with tempfile.TemporaryDirectory(prefix="sdkctl-chain.") as name:
            authority = Authority(Path(name) / "ca")
            path = []
            for part in ("good", "intermediate", "root"):
                path.append(authority.path(part + ".der"))
                run("openssl", "x509", "-in", authority.certificate(part), "-outform", "DER", "-out",
                    path[-1])
            root, stranger = authority.pin("root"), authority.pin("stranger")
            past = {"keys": [{"pin": root}], "expires": "2020-01-01T00:00:00Z"}
            pins = Path(name) / "pins.json"
            pins.write_text(json.dumps({"version": 1, "hosts": {
                "**.api.test": {"keys": [{"pin": root}]}, "old.test": past,
                "other.test:8443": {"keys": [{"pin": stranger}]}}}))
            for host, port, code, line in (
                    ("b.api.test", 443, 0, f"matched: {root}, pinned for **.api.test"),
                    ("evil-api.test", 443, 1, "not pinned: evil-api.test"),
                    ("old.test", 443, 1, "expired: the pins of old.test"),
                    ("other.test", 443, 1, "not pinned: other.test"),
                    ("other.test", 8443, 1, "chain of other.test:")):
                with self.subTest(host, port=port):
                    lines = self.example("evaluate-chain", pins, host, port, *path, code=code)
                    self.assertEqual(lines[0], line)
            self.assertIn(stranger, "\n".join(lines))


class ChoiceTests(Programs, Case):
    """A provider that keeps files for a person, who chooses one."""

    def setUp(self):
        super().setUp()
        self.vendor = Sequencing(self.stand.authority).start()
        self.addCleanup(self.vendor.stop)
        origin = self.vendor.origin
        self.ok("profile", "add", "genes", "--preset", "sequencing", "--issuer", origin,
                "--resource-url", origin, "--scope", "demo", "--ca-file", self.stand.ca_file)
        self.ok("-p", "genes", "profile", "set",
                f"endpoints.authorization={origin}{Sequencing.AUTHORIZE}",
                f"endpoints.token={origin}{Sequencing.TOKEN}")
        self.ok("-p", "genes", "pin", "add", origin, "--yes")
        self.ok("-p", "genes", "register", "--client-id", Sequencing.CLIENT, "--client-secret-file",
                "-", "--redirect-uri", f"http://127.0.0.1:{free_port()}/Authcallback",
                input=Sequencing.SECRET)
        self.home.use_browser(self.stand)
        self.browser = self.home.directory / "browser"

    def test_a_person_logs_in_and_chooses_a_file(self):
        lines = self.example("choose-file", "genes", self.browser, input="father.vcf\n")
        self.assertEqual(lines[:3], ["authorized: demo", "mother.vcf", "father.vcf"])
        self.assertEqual(json.loads(lines[3]), {"file": "father.vcf"})

    def test_a_login_that_is_refused_or_cancelled_is_no_error_of_the_program(self):
        for error, line in (("access_denied", "cancelled"), ("invalid_request", "not authorized: ")):
            with self.subTest(error):
                self.vendor.refusal = {"error": error}
                self.home.forget_failed_login()
                [printed] = self.example("choose-file", "genes", self.browser, code=1)
                self.assertTrue(printed.startswith(line), printed)
