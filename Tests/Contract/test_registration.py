"""Registration at servers with habits: one grant, Basic credentials that are not decoded, metadata
in two documents. The server is a few lines on a loopback port, over http."""

import base64
import json
from urllib.parse import parse_qs

from Servers.case import Case
from Servers.http_server import Handler, HTTPServer

SECRET = "s/1+2=="
REGISTER = "registration_endpoint"


class Provider(HTTPServer):
    """Refuses client_credentials at registration, and reads Basic credentials as they stand."""

    def __init__(self):
        super().__init__(Replies)
        self.issuer = self.url
        self.members = {"issuer": self.issuer, "authorization_endpoint": self.issuer + "/auth",
                        "token_endpoint": self.issuer + "/token",
                        REGISTER: self.issuer + "/register",
                        "scopes_supported": ["openid", "email"]}
        self.others = None  # the members of the document of RFC 8414
        self.lines, self.forms, self.credentials = [], [], []

    def answer(self, path, body, authorization):
        if path == "/.well-known/openid-configuration":
            return 200, self.members
        if path == "/.well-known/oauth-authorization-server" and self.others is not None:
            return 200, self.members | self.others
        if path == "/register":
            self.forms.append(json.loads(body))
            if "client_credentials" in self.forms[-1]["grant_types"]:
                return 400, {"error": "invalid_client_metadata"}
            return 201, {"client_id": "made", "client_secret": SECRET}
        if path in ("/token", "/revoke"):
            self.forms.append(parse_qs(body.decode()))
            pair = base64.b64decode(authorization.removeprefix("Basic ")).decode()
            self.credentials.append(pair)
            if pair.partition(":")[2] != SECRET:
                return 401, {"error": "invalid_client"}
            return 200, {"access_token": "at-1", "token_type": "Bearer", "expires_in": 300}
        return (200, {}) if path == "/x" else (404, {})


class Replies(Handler):
    def serve(self):
        self.server.lines.append(f"{self.command} {self.path}")
        status, document = self.server.answer(
            self.path, self.body(), self.headers.get("Authorization", ""))
        self.respond(status, json.dumps(document).encode(), "application/json")


class RegistrationCase(Case):
    def setUp(self):
        super().setUp()
        self.provider = Provider().start()
        self.addCleanup(self.provider.stop)

    def add(self, *options):
        self.ok("profile", "add", "test", "--issuer", self.provider.issuer,
                "--resource-url", self.provider.issuer, "--insecure-loopback", *options)

    def give(self, secret=SECRET):
        return self.ok("register", "--client-id", "given", "--client-secret-file", "-",
                       input=secret + "\n")


class HabitTests(RegistrationCase):
    def test_fewer_grants_are_registered_and_the_rest_is_told(self):
        self.add()
        result = self.ok("register")
        self.assertIn("does not let this client use: client_credentials", result.err)
        self.assertIn("login --anonymous", result.err)
        grants = ["authorization_code", "refresh_token"]
        self.assertEqual(self.provider.forms[-1]["grant_types"], grants)
        self.assertEqual(self.provider.forms[-1]["scope"], "openid email")
        report = json.loads(self.ok("register", "--replace", "--json").out)
        self.assertEqual(report["refusedGrants"], ["client_credentials"])

    def test_a_basic_credential_is_sent_as_it_stands_after_a_refusal_and_remembered(self):
        self.add()
        self.give()
        self.ok("login", "--anonymous")
        encoded = "given:s%2F1%2B2%3D%3D"
        self.assertEqual(self.provider.credentials, [encoded, "given:" + SECRET])
        self.ok("token", "--anonymous", "--fresh")
        self.assertEqual(self.provider.credentials[2:], ["given:" + SECRET])
        self.ok("profile", "set", "basicEncoding=form")
        result = self.fails(5, "token", "--anonymous", "--fresh")
        self.assertEqual(self.provider.credentials[3:], [encoded])
        self.assertEqual(result.hint, "sdkctl -p test profile set basicEncoding=raw")
        self.ok(*result.hint.split()[1:])
        self.ok("token", "--anonymous", "--fresh")

    def test_a_given_client_that_is_refused_is_never_to_be_replaced(self):
        self.add()
        for secret in ("wrong", "wr/ng"):
            with self.subTest(secret):
                self.home.run("deregister", "--local", "--yes")
                self.give(secret)
                result = self.fails(5, "login", "--anonymous")
                self.assertNotIn("register --replace", result.err)
                self.assertIn("compare the client id and its secret", result.err)

    def test_revocation_that_only_the_other_document_names_is_used(self):
        self.provider.others = {"revocation_endpoint": self.provider.issuer + "/revoke"}
        self.add()
        self.give()
        self.ok("login", "--anonymous")
        self.ok("logout", "--anonymous")
        self.assertEqual(self.provider.forms[-1]["token"], ["at-1"])

    def test_a_registration_that_was_switched_on_is_found_within_the_hour(self):
        endpoint = self.provider.members.pop(REGISTER)
        self.add()
        self.assertIn("offers no registration endpoint", self.home.run("register").err)
        self.provider.members[REGISTER] = endpoint
        self.ok("register")

    def test_a_relative_endpoint_that_nobody_needs_blocks_nothing(self):
        self.provider.members["userinfo_endpoint"] = "/userinfo"
        self.add()
        self.ok("register")


class GivenClientTests(RegistrationCase):
    def test_the_redirect_uri_to_allow_is_printed_and_kept(self):
        self.add()
        result = self.give()
        uri = result.err.partition("allow this redirect URI at the provider: ")[2].split()[0]
        self.assertRegex(uri, r"^http://127\.0\.0\.1:\d+/callback$")
        self.assertIn(uri, self.home.registration_file.read_text().replace("\\/", "/"))
        report = json.loads(self.ok("register", "--replace", "--client-id", "given", "--json",
                                    "--callback-port", "61999").out)
        self.assertEqual(report["redirectURIs"], ["http://127.0.0.1:61999/callback"])
        self.assertIn("/callback", self.ok("register", "--help").text)


class ClearingTests(RegistrationCase):
    def test_a_registration_that_nobody_can_delete_is_not_to_be_tried_again(self):
        self.add()
        self.ok("register")
        result = self.home.run("deregister", "--yes")
        self.assertNotEqual(result.exit, 0, result)
        hints = [line for line in result.err.splitlines() if "hint: " in line]
        self.assertEqual(len(hints), 1, result)
        self.assertEqual(result.hint, "sdkctl -p test deregister --local")

    def test_a_damaged_registration_is_cleared_on_this_machine(self):
        self.add()
        self.give()
        self.home.registration_file.write_text("{")
        self.fails(3, "deregister", "--yes")
        result = self.ok("deregister", "--local", "--yes")
        self.assertIn("it is damaged", result.err)
        self.assertFalse(self.home.registration_file.exists())
        self.give()

    def test_a_broken_profile_is_removed(self):
        self.add()
        self.give()
        (self.home.store / "config/profiles/test/profile.json").write_text("{")
        self.fails(3, "profile", "show", "test")
        result = self.ok("profile", "remove", "test", "--yes")
        self.assertIn("whose settings were damaged", result.err)
        self.assertFalse(self.home.registration_file.exists())
        self.add()


class SettingTests(RegistrationCase):
    def test_http_to_this_machine_needs_an_option_that_the_hint_names(self):
        result = self.fails(3, "profile", "add", "test", "--issuer", self.provider.issuer,
                            "--resource-url", self.provider.issuer)
        self.assertTrue(result.hint.endswith(" --insecure-loopback"), result)
        self.ok(*result.hint.split()[1:])
        self.ok("register")
        far = self.fails(3, "profile", "add", "far", "--issuer", "http://id.test",
                         "--resource-url", "https://api.test", "--insecure-loopback")
        self.assertEqual(far.hint, "")

    def test_a_method_in_lower_case_is_sent_in_capitals(self):
        self.add()
        for arguments, line in ((["get", "/x"], "GET /x"), (["-X", "patch", "/x"], "PATCH /x"),
                                (["-X", "Get", "/x"], "GET /x")):
            with self.subTest(line):
                self.home.run("fetch", "--unauth", *arguments)
                self.assertEqual(self.provider.lines[-1], line)

    def test_without_any_profile_the_error_has_domain_and_number(self):
        error = json.loads(self.fails(3, "token", "--json").err)["error"]
        self.assertEqual((error["domain"], error["number"]), ("generic", 10001))

    def test_the_settings_are_a_list(self):
        text = self.ok("help", "profiles").text
        for name in ("issuer", "basicEncoding", "endpoints.token"):
            self.assertIn(f"\n* {name}: ", text)

    def test_usage_of_fetch_promises_one_address(self):
        self.assertNotIn("URL...", self.ok("fetch", "--help").text)
        self.fails(2, "fetch", "GET", "/x", "/y")
