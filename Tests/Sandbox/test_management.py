"""How a client proves itself, manages its registration and ends it, at the sandbox."""

import base64
import json

from Servers.client import Client
from Servers.sandbox import SandboxCase

METHODS = ("client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt")
GARBLED = {"garbage": 6, "html": 6, "wrong-length": 6, "cut-body": 6, "500": 6, "503": 6}


class ManagementCase(SandboxCase):
    def setUp(self):
        super().setUp()
        self.ok("profile", "set", "scope=openid read", "anonymousScope=application-details")

    def kept(self) -> dict:
        return json.loads(self.home.registration_file.read_text())

    def change(self, **members):
        """Puts members into the kept client as no command would."""
        document = self.kept()
        document["client"].update(members)
        self.home.registration_file.write_text(json.dumps(document))

    def shown(self, *arguments) -> dict:
        return self.jsonOf(self.ok("register", *arguments, "--json"))

    def device_token(self) -> str:
        return self.ok("token", "--anonymous", "--fresh").text.strip()


class AuthenticationTests(ManagementCase):
    def test_every_method_at_token_and_revocation_endpoint(self):
        for method in METHODS:
            with self.subTest(method):
                facts = self.shown("--replace", "--auth-method", method)
                self.assertEqual((facts["authMethod"], facts["confidential"]), (method, True))
                token = self.device_token()
                self.assertTrue(self.sandbox.introspect(token)["active"])
                self.ok("logout", "--anonymous")
                self.assertFalse(self.sandbox.introspect(token)["active"])

    def test_a_user_logs_in_with_a_client_that_signs(self):
        for method in ("private_key_jwt", "client_secret_jwt", "none"):
            with self.subTest(method):
                self.ok("register", "--replace", "--auth-method", method)
                self.use_person()
                self.ok("login")
                self.ok("token", "--fresh")
                self.ok("logout")

    def test_the_private_key_stays_here(self):
        result = self.ok("register", "--auth-method", "private_key_jwt", "-v", "--json")
        key = self.kept()["key"]
        self.assertEqual(key["alg"], "ES256")
        secret = key["pem"].splitlines()[1]
        self.assertEqual(self.home.unsafe_modes(), [])
        shown = self.ok("register", "show", "--json")
        for seen in (result, shown):
            self.assertNotIn(secret, seen.text + seen.err)
        [public] = self.jsonOf(shown)["metadata"]["jwks"]["keys"]
        self.assertEqual((public["kty"], public["crv"], "d" in public), ("EC", "P-256", False))

    def test_a_key_of_ones_own(self):
        self.ok("register", "--auth-method", "private_key_jwt")
        kept = self.kept()
        file = self.home.directory / "key.pem"
        file.write_text(kept["key"]["pem"])
        file.chmod(0o600)
        given = ("register", "--replace", "--client-id", kept["client"]["client_id"],
                 "--client-key-file")
        self.ok(*given, file)
        self.device_token()
        file.chmod(0o644)
        self.assertIn("chmod", self.fails(3, *given, file).hint)
        file.chmod(0o600)
        file.write_text("-----BEGIN NOTHING-----\n")
        self.assertError(self.fails(2, *given, file), "could not use the client key")

    def test_another_key_or_secret_is_refused(self):
        self.ok("register", "--auth-method", "private_key_jwt")
        right = self.kept()["client"]["client_id"]
        self.ok("register", "--replace", "--auth-method", "private_key_jwt")
        self.change(client_id=right)
        self.assertError(self.fails(5, "login", "--anonymous"), "invalid_client")
        self.ok("register", "--replace", "--auth-method", "client_secret_jwt")
        self.change(client_secret="x" * 43)
        self.assertError(self.fails(5, "login", "--anonymous"), "invalid_client")
        self.change(client_secret="short")
        self.assertError(self.fails(1, "login", "--anonymous"), "shorter than the 32 bytes")


class DescriptionTests(ManagementCase):
    def test_what_is_said_of_the_software_reaches_the_server(self):
        def part(value):
            return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

        statement = ".".join([part({"alg": "ES256"}), part({"software_version": "9"}), "AAAA"])
        file = self.home.directory / "statement"
        file.write_text(statement + "\n")
        self.ok("register", "--software-id", "4NRB1", "--software-version", "1", "--contact",
                "a@example.com", "--contact", "b@example.com", "--software-statement-file", file)
        metadata = self.shown("show")["metadata"]
        self.assertEqual(metadata["software_id"], "4NRB1")
        self.assertEqual(metadata["contacts"], ["a@example.com", "b@example.com"])
        self.assertEqual(metadata["software_version"], "9")  # the statement stands above
        self.assertEqual(metadata["software_statement"], statement)

    def test_a_statement_that_is_none_is_not_sent(self):
        file = self.home.directory / "statement"
        for text in ("", "no statement", "a.b.c", "\0", "{}"):
            with self.subTest(text):
                file.write_text(text)
                self.assertError(self.fails(2, "register", "--software-statement-file", file),
                                 "could not use the software statement")
        self.fails(1, "register", "--software-statement-file", self.home.directory / "none")
        self.assertEqual(self.sandbox.requests("register"), 0)

    def test_combinations_that_make_no_sense(self):
        for words in (["show", "--client-name", "a"], ["show", "--replace"], ["show", "--scope", "a"],
                      ["show", "--contact", "a"], ["update", "--replace"],
                      ["update", "--client-id", "a"], ["update", "--client-secret-file", "-"],
                      ["--client-key-file", "k"], ["--client-id", "a", "--software-id", "b"],
                      ["--client-id", "a", "--auth-method", "private_key_jwt"],
                      ["--client-id", "a", "--client-key-file", "k", "--auth-method", "none"]):
            with self.subTest(words):
                self.fails(2, "register", *words)


class UpdateTests(ManagementCase):
    def test_show_prints_what_the_server_knows_and_no_credential(self):
        facts = self.shown("--client-name", "First")
        secrets = [self.kept()["client"][name]
                   for name in ("client_secret", "registration_access_token")]
        for words in ([], ["--json"], ["-v"]):
            result = self.ok("register", "show", *words)
            for secret in secrets:
                self.assertNotIn(secret, result.text + result.err)
        shown = self.shown("show")
        self.assertEqual(shown["metadata"]["client_name"], "First")
        self.assertEqual(shown | {"metadata": None}, facts)
        self.assertRegex(self.ok("register", "show").text, "(?m)^client_name: First$")

    def test_update_changes_what_is_named_and_keeps_the_rest(self):
        before = self.shown("--client-name", "First", "--software-id", "id")["redirectURIs"]
        token = self.device_token()
        rotated = set()
        for name in ("Second", "Third"):
            metadata = self.shown("update", "--client-name", name)["metadata"]
            self.assertEqual(metadata["client_name"], name)
            self.assertEqual((metadata["software_id"], metadata["redirect_uris"]), ("id", before))
            rotated.add(self.kept()["client"]["registration_access_token"])
        self.assertEqual(len(rotated), 2)  # the sandbox gives a new one each time
        self.assertEqual(self.home.unsafe_modes(), [])
        self.assertTrue(self.sandbox.introspect(token)["active"])
        self.assertEqual(self.ok("token", "--anonymous").text.strip(), token)

    def test_update_goes_from_method_to_method(self):
        self.ok("register")
        for method in ("private_key_jwt", "client_secret_jwt", "none", "client_secret_post"):
            with self.subTest(method):
                facts = self.shown("update", "--auth-method", method)
                self.assertEqual((facts["authMethod"], facts["confidential"]),
                                 (method, method != "none"))
                if method != "none":
                    self.device_token()
                self.assertEqual("key" in self.kept(), method == "private_key_jwt")

    def test_a_new_port_is_that_of_the_next_login(self):
        self.ok("register")
        uri = "http://127.0.0.1:61999/callback"
        self.assertEqual(self.shown("update", "--callback-port", "61999")["redirectURIs"], [uri])
        self.use_person()
        self.ok("login")
        self.assertIn("61999", self.home.urls.read_text())

    def test_an_expired_secret_is_noticed_and_renewed(self):
        self.ok("register")
        self.change(client_secret_expires_at=978307200)
        asked = self.sandbox.requests("token")
        self.use_person()
        for words in (["token", "--anonymous"], ["login"], ["login", "--anonymous"]):
            result = self.fails(4, *words)
            self.assertError(result, "the client secret expired at 2001-01-01")
            self.assertEqual(result.hint, "sdkctl -p sandbox register update")
        self.assertEqual(self.sandbox.requests("token"), asked)
        self.assertEqual(self.home.paste(result.hint).exit, 0)
        self.device_token()

    def test_many_updates_at_once_lose_no_token(self):
        self.ok("register")
        processes = [self.home.start("register", "update", "--client-name", f"n{number}")
                     for number in range(10)]
        for process in processes:
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, errors)
        self.ok("register", "show")

    def test_a_wrong_registration_token_is_refused_with_a_way_out(self):
        self.ok("register")
        self.change(registration_access_token="wrong")
        before = self.home.registration_file.read_bytes()
        for words in (["show"], ["update", "--scope", "read"]):
            result = self.fails(5, "register", *words)
            self.assertError(result, "invalid_token")
            self.assertEqual(self.home.registration_file.read_bytes(), before)
        self.assertEqual(self.home.paste(result.hint).exit, 0)
        self.ok("register", "show")

    def test_answers_that_are_missing_or_broken_change_nothing(self):
        self.ok("register")
        before = self.home.registration_file.read_bytes()
        for fault, code in GARBLED.items():
            with self.subTest(fault):
                self.sandbox.fault(fault, "--on", "manage")
                self.fails(code, "register", "show")
                self.assertEqual(self.sandbox.struck(fault), 1)
                self.assertEqual(self.home.registration_file.read_bytes(), before)

    def test_what_nobody_manages_cannot_be_changed(self):
        self.assertEqual(self.fails(4, "register", "show").hint, "sdkctl -p sandbox register")
        self.ok("register", "--client-id", "mine")
        self.assertError(self.fails(1, "register", "update"), "given, not registered from here")
        # The server is asked whether it knows the client.
        self.assertError(self.fails(5, "register", "show"), "the client is not registered")
        self.assertEqual(self.sandbox.requests("manage"), 0)


class DeregisterTests(ManagementCase):
    def session(self, sandbox=None):
        self.ok("register")
        self.home.use_browser(sandbox or self.sandbox)
        self.ok("login")
        self.user, self.device = self.ok("token").text.strip(), self.device_token()

    def steps(self, result) -> list:
        return [(step["step"], step["slot"], step["outcome"]) for step in
                self.jsonOf(result)["steps"]]

    def test_it_ends_everything_and_says_so(self):
        self.session()
        client = self.kept()["client"]
        result = self.ok("deregister", "--yes", "--json")
        self.assertEqual(self.steps(result), [
            ("revoke_refresh_token", "user", "done"), ("revoke_access_token", "user", "done"),
            ("erase", "user", "done"), ("revoke_access_token", "anonymous", "done"),
            ("erase", "anonymous", "done"), ("delete_registration", None, "done"),
            ("erase_registration", None, "done")])
        for token in (self.user, self.device):
            self.assertFalse(self.sandbox.introspect(token)["active"])
        gone = Client(self.sandbox.ca_file).get(
            client["registration_client_uri"],
            fields={"Authorization": "Bearer " + client["registration_access_token"]})
        self.assertEqual(gone.status, 401)
        self.assertEqual(list((self.home.store / "state").rglob("*.json")), [])
        self.assertIn("was not registered", self.ok("deregister", "--yes").err)
        self.fails(4, "token")

    def test_it_asks_first(self):
        self.ok("register")
        before = self.home.registration_file.read_bytes()
        self.assertError(self.fails(2, "deregister"), "--yes agrees")
        self.fails(2, "deregister", "--local")
        self.assertEqual(self.home.registration_file.read_bytes(), before)
        self.assertEqual(self.sandbox.requests("manage"), 0)

    def test_a_refused_deletion_keeps_the_registration(self):
        self.session()
        self.change(registration_access_token="wrong")
        result = self.home.run("deregister", "--yes", "--json")
        self.assertEqual(result.exit, 5, result)
        self.assertIn("may still hold the registration", self.jsonError(result)["message"])
        self.assertEqual(self.steps(result)[-2:], [
            ("delete_registration", None, "failed"), ("erase_registration", None, "skipped")])
        self.assertFalse(self.home.slot_file().exists())
        self.assertTrue(self.home.registration_file.exists())
        self.ok("deregister", "--local", "--yes")
        self.assertFalse(self.home.registration_file.exists())

    def test_a_server_that_fails_can_be_asked_again(self):
        self.ok("register")
        self.sandbox.fault("503", "--on", "manage")
        result = self.home.run("deregister", "--yes")
        self.assertEqual(result.exit, 6, result)
        self.assertIn("may still hold the registration", result.err)
        self.assertIn("sdkctl -p sandbox deregister", result.hint)
        self.ok("deregister", "--yes")

    def test_a_server_that_is_gone_is_left_with_local(self):
        own = self.own()
        self.home = own.home
        self.session(own)
        own.crash()
        for words in (["register", "show"], ["register", "update"]):
            self.fails(6, *words)
        result = self.home.run("deregister", "--yes")
        self.assertEqual(result.exit, 6, result)
        self.assertTrue(self.home.registration_file.exists())
        self.assertFalse(self.home.slot_file().exists())
        self.assertIn("erase the stored registration: done",
                      self.ok("deregister", "--local", "--yes").err)
        self.assertFalse(self.home.registration_file.exists())

    def test_a_given_client_is_only_forgotten(self):
        self.ok("register", "--client-id", "mine")
        result = self.ok("deregister", "--yes", "--json")
        self.assertEqual(self.steps(result), [
            ("delete_registration", None, "skipped"), ("erase_registration", None, "done")])
        self.assertEqual(self.sandbox.requests("manage"), 0)
