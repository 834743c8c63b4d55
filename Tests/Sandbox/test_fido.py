"""FIDO UAF at the sandbox: registration, logins with cookies and JWTs, the 401 flow, and what goes wrong."""

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from Servers.pseudo_terminal import PseudoTerminal
from Servers.sandbox import SandboxCase, SandboxHome
from Servers.sdkctl import BINARY, REPOSITORY

PASSCODE = "271828"


class FIDOCase(SandboxCase):
    """Tests whose user alice has logged in by form."""

    def setUp(self):
        super().setUp()
        self.ok("profile", "set", f"fido.url={self.sandbox.issuer}/nevisfido", "fido.user=alice",
                f"form.url={self.sandbox.issuer}/auth/pwd", "form.page=false",
                "form.userField=isiwebuserid", "form.passwordField=isiwebpasswd",
                "form.user=alice", "reauthenticate=fido")
        self.ok("login", "form", "--password-file", "-", input="wonderland\n")

    def fido(self, *settings):
        """Sets how the server behaves, and returns its state."""
        return json.loads(self.sandbox.command("fido", *settings, "--json").out)

    def add_key(self, *options):
        return self.ok("fido", "register", "--passcode-file", "-", *options, input=PASSCODE + "\n")

    def use_passcode_file(self, passcode=PASSCODE):
        path = self.home.directory / "passcode"
        path.write_text(passcode + "\n")
        path.chmod(0o600)
        self.ok("profile", "set", f"fido.passcodeFile={path}")

    def log_in(self, passcode=PASSCODE):
        return self.ok("fido", "login", "--passcode-file", "-", input=passcode + "\n")

    def keys(self):
        return [row["authenticator"] for row in self.jsonOf(self.ok("token", "list", "--json"))
                if row["slot"] == "fido"]


class OperationTests(FIDOCase):
    def test_a_key_is_registered_and_logs_in_with_cookies(self):
        key = self.jsonOf(self.add_key("--json"))
        self.assertEqual([found["keyId"] for found in self.fido()["keys"]], [key["keyID"]])
        result = self.log_in()
        self.assertIn("cookies: ", result.err)
        before = self.home.slot_file().read_bytes()
        for _ in range(2):  # the response sets another cookie, which is not taken
            self.assertIn("sub", self.jsonOf(self.ok("fetch", "/cookie-protected")))
        self.assertEqual(self.home.slot_file().read_bytes(), before)
        self.assertEqual(self.home.unsafe_modes(), [])

    def test_the_jwt_is_found_wherever_the_server_puts_it(self):
        self.add_key()
        for place in ("jwt-field", "jwt-member", "jwt-token"):
            with self.subTest(place):
                self.fido(f"result={place}")
                self.assertIn("(a JWT)", self.log_in().err)
                self.assertIn("sub", self.jsonOf(self.ok("fetch", "/jwt-protected")))

    def test_each_form_of_keys_and_attestations(self):
        for settings in (["fido.encoding=raw"], ["fido.attestation=surrogate"],
                         ["fido.encoding=raw", "fido.attestation=surrogate"]):
            with self.subTest(settings):
                self.ok("profile", "set", "fido.encoding=der", "fido.attestation=full", *settings)
                self.add_key()
                self.log_in()
                self.ok("fido", "deregister", "--yes")
                self.ok("login", "form", "--password-file", "-", input="wonderland\n")

    def test_deregistration_needs_a_login_with_the_key(self):
        self.add_key()
        self.fails(4, "fido", "deregister", "--yes")  # the session is that of the form
        self.log_in()
        self.ok("fido", "deregister", "--yes")
        self.assertEqual((self.keys(), self.fido()["keys"]), ([], []))

    def test_the_paths_of_an_identity_suite(self):
        self.add_key()
        self.ok("profile", "set", f"fido.url={self.sandbox.issuer}",
                "fido.authenticationRequestPath=/auth/fidouaf", "fido.requestForm=username",
                "fido.authenticationResponsePath=/auth/fidouaf/authenticationresponse/")
        self.log_in()

    def test_a_transaction_is_not_signed_without_a_person(self):
        self.add_key()
        self.fido("transaction=pay 5 to bob")
        result = self.home.run("fido", "login", "--passcode-file", "-", input=PASSCODE)
        self.assertEqual(result.exit, 2, result)
        self.assertIn("confirm:\npay 5 to bob\n", result.err)
        self.assertEqual(self.fido()["authentications"], 0)

    def test_a_transaction_is_shown_on_the_terminal_and_its_hash_is_signed(self):
        self.add_key()
        self.use_passcode_file()
        self.fido("transaction=Zahle 5 € an Bob")
        terminal = PseudoTerminal(self.home, BINARY, "fido", "login")
        terminal.wait_for("Zahle 5 € an Bob".encode())
        terminal.wait_for(b"[y/N] ")
        terminal.type("y\n")
        status, shown = terminal.end()
        self.assertEqual((status, self.fido()["authentications"]), (0, 1), shown)

    def test_the_passcode_is_changed(self):
        self.add_key()
        old, new = self.home.directory / "old", self.home.directory / "new"
        for path, passcode in ((old, PASSCODE), (new, "314159")):
            path.write_text(passcode + "\n")
            path.chmod(0o600)
        self.ok("fido", "passcode", "--passcode-file", old, "--new-passcode-file", new)
        self.fails(4, "fido", "login", "--passcode-file", old)
        self.ok("fido", "login", "--passcode-file", new)


class UnauthorizedTests(FIDOCase):
    def setUp(self):
        super().setUp()
        self.add_key()
        self.use_passcode_file()
        self.ok("fido", "login")

    def authentications(self):
        return self.fido()["authentications"]

    def test_a_401_leads_to_an_authentication_and_the_request_is_sent_again(self):
        before = self.home.slot_file().read_bytes()
        self.sandbox.command("fido", "--end-sessions")
        self.assertIn("sub", self.jsonOf(self.ok("fetch", "/cookie-protected")))
        self.assertEqual(self.authentications(), 2)
        self.assertNotEqual(self.home.slot_file().read_bytes(), before)

    def test_a_jwt_is_replaced_too(self):
        self.fido("result=jwt-field")
        self.ok("fido", "login")
        self.sandbox.command("fido", "--end-sessions")
        self.assertIn("sub", self.jsonOf(self.ok("fetch", "/jwt-protected")))
        self.assertEqual(self.authentications(), 3)

    def test_many_processes_authenticate_once(self):
        self.sandbox.command("fido", "--end-sessions")
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(
                lambda _: self.home.run("fetch", "/cookie-protected"), range(8)))
        self.assertEqual([result.exit for result in results], [0] * 8, results)
        self.assertEqual(self.authentications(), 2)

    def test_a_server_that_does_not_know_the_key_yet_is_asked_again(self):
        self.fido("status=1481")
        self.sandbox.command("fido", "--end-sessions")
        self.ok("fetch", "/cookie-protected")

    def test_without_the_passcode_the_user_is_told_to_log_in(self):
        self.ok("profile", "unset", "fido.passcodeFile")
        self.sandbox.command("fido", "--end-sessions")
        self.assertIn("fido login", self.fails(4, "fetch", "/cookie-protected").err)


class TroubleTests(FIDOCase):
    def test_a_new_key_is_repeated_until_the_server_knows_it(self):
        self.fido("late=2")
        self.add_key()
        self.log_in()
        self.assertEqual(self.fido()["authentications"], 1)

    def test_a_key_that_stays_unknown_is_deleted(self):
        self.fido("late=4")
        self.add_key()
        result = self.fails(4, "fido", "login", "--passcode-file", "-", input=PASSCODE)
        self.assertIn("(1481)", result.err)
        self.assertEqual(self.keys(), [])

    def test_two_processes_log_in_at_once(self):
        self.add_key()
        self.use_passcode_file()
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(lambda _: self.home.run("fido", "login"), range(4)))
        self.assertEqual([result.exit for result in results], [0] * 4, results)
        self.assertEqual(self.fido()["authentications"], 4)

    def test_wrong_passcodes_lock_the_authenticator_for_all_processes(self):
        self.add_key()
        self.ok("profile", "set", "fido.passcodeAttempts=2")
        for _ in range(2):
            self.fails((4, 10), "fido", "login", "--passcode-file", "-", input="000001")
        result = self.fails(10, "fido", "login", "--passcode-file", "-", input=PASSCODE)
        self.assertIn("locked", result.err)
        self.assertEqual(self.fido()["authentications"], 0)
        self.ok("fido", "deregister", "--local", "--yes")
        self.add_key()
        self.log_in()

    def test_what_a_server_must_not_send(self):
        self.add_key()
        for fault, code, words in (
            ("uaf-wrong-op", 1, "not a authentication request"),
            ("uaf-wrong-version", 1, "versions"), ("uaf-foreign-app", (6, 8, 11), ""),
            ("uaf-critical-extension", 1, "extension"), ("uaf-challenge-number", 1, "challenge"),
            ("uaf-short-challenge", 1, "challenge"), ("uaf-no-match", 4, "no key"),
            ("uaf-oversize", 1, "1048576 bytes"), ("uaf-garbage", 1, "not JSON"),
        ):
            with self.subTest(fault):
                self.sandbox.fault(fault)
                result = self.fails(code, "fido", "login", "--passcode-file", "-", input=PASSCODE)
                self.assertIn(words, result.err)
        self.assertEqual(self.fido()["authentications"], 0)
        self.log_in()

    def test_a_policy_without_this_authenticator_is_a_refusal_of_the_server(self):
        self.sandbox.fault("uaf-no-match")
        result = self.fails(5, "fido", "register", "--passcode-file", "-", input=PASSCODE)
        self.assertIn("does not accept the authenticator", result.err)

    def test_an_application_that_does_not_list_the_facet_gets_no_signature(self):
        for fault in ("facet-unlisted", "facets-redirected"):
            with self.subTest(fault):
                self.sandbox.fault(fault)
                self.fails(11, "fido", "register", "--passcode-file", "-", input=PASSCODE)
        self.assertEqual(self.fido()["keys"], [])
        self.ok("profile", "set", "fido.appID=https://elsewhere.example/facets")
        self.fails(11, "fido", "register", "--passcode-file", "-", input=PASSCODE)

    def test_the_statuses_of_the_server(self):
        self.add_key()
        for status, code in ((1400, 5), (1491, 5), (1498, 5), (1500, 6)):
            with self.subTest(status):
                self.fido(f"status={status}")
                result = self.fails(code, "fido", "login", "--passcode-file", "-", input=PASSCODE)
                self.assertIn(f"({status})", result.err)
        self.assertEqual(len(self.keys()), 1)


class DispatchTargetTests(FIDOCase):
    def test_targets_need_a_login_with_a_key_and_a_name_of_their_own(self):
        self.fails(4, "fido", "target", "add", "laptop")  # the session is that of the form
        self.add_key()
        self.log_in()
        self.ok("fido", "target", "add", "laptop")
        result = self.fails(5, "fido", "target", "add", "laptop")
        self.assertIn("the name is in use", result.err)
        self.fails(5, "fido", "target", "add", "other", "--dispatcher", "pigeon")
        listed = self.jsonOf(self.ok("fido", "target", "list", "--json"))
        self.assertEqual([one["name"] for one in listed], ["laptop"])
        self.assertEqual(self.home.unsafe_modes(), [])

    def test_the_metadata_statement_is_what_a_strict_server_needs(self):
        statement = self.home.directory / "statement.json"
        self.fido("attestation=loaded")
        self.fails(5, "fido", "register", "--passcode-file", "-", input=PASSCODE)
        statement.write_text(self.ok("fido", "metadata").text)
        self.sandbox.command("fido", "--load", str(statement))
        self.add_key()
        self.log_in()


class WalkThroughTests(SandboxCase):
    """Runs the commands of docs/fido.md, in their order, in one shell."""

    def test_from_nothing_to_a_request_and_a_dispatch_target(self):
        page = (REPOSITORY / "docs/fido.md").read_text()
        start = page.index("\n## From nothing to a request\n")
        sections = page[start:page.index("\n## For the operator of the server\n")]
        blocks = re.findall(r"^```sh\n(.*?)^```$", sections, re.S | re.M)
        self.assertGreater(len(blocks), 5)
        home = SandboxHome()
        self.addCleanup(home.remove)
        self.addCleanup(lambda: home.run("sandbox", "stop"))
        done = subprocess.run(
            ["bash", "-c", "set -e\n" + "\n".join(blocks)], env=home.environment,
            cwd=home.directory, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count('{"sub":"user-'), 2, done.stdout)
        self.assertIn("\tlaptop\tfirebase-cloud-messaging\there\n", done.stdout)
        self.assertIn("(a JWT)", done.stderr)
        self.assertIn("deleted the FIDO key", done.stderr)
        self.assertIn("removed the dispatch target", done.stderr)
