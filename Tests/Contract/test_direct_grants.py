"""Logins without a browser on the wire, byte by byte, and whom the token is for (RFC 8707)."""

import json
import urllib.parse

from Servers.case import Case
from Servers.vendors import Onegini

TYPE = "urn:ietf:params:oauth:token-type:"
GRANT = "urn:ietf:params:oauth:grant-type:"
RESOURCES = ["https://a.test/", "https://b.test/x"]


class DirectGrantTests(Case):
    def setUp(self):
        super().setUp()
        self.vendor = Onegini(self.stand.authority).start()
        self.addCleanup(self.vendor.stop)
        self.ok("profile", "add", self.home.name, "--issuer", self.vendor.origin,
                "--resource-url", self.vendor.origin, "--ca-file", self.stand.ca_file, "--pin",
                "--yes")
        self.ok("profile", "use", self.home.name)
        self.ok("register", "--client-id", "app", "--client-secret-file", "-", input="s3cret")

    def form(self):
        return urllib.parse.parse_qs(self.vendor.to("/token")[-1][3])

    def secret_file(self, text):
        file = self.home.directory / "secret"
        file.write_text(text + "\n")
        file.chmod(0o600)
        return str(file)

    def test_an_assertion_from_standard_input_and_from_a_file(self):
        self.ok("login", "assertion", "--assertion-file", "-", "--scope", "a b", input="h.p.s\n")
        self.assertEqual(self.form(), {
            "grant_type": [GRANT + "jwt-bearer"], "assertion": ["h.p.s"], "scope": ["a b"],
            "client_id": ["app"]})
        self.ok("login", "assertion", "--assertion-file", self.secret_file("h.p.t"))
        self.assertEqual(self.form()["assertion"], ["h.p.t"])

    def test_an_exchange_with_every_type(self):
        for word in ("access_token", "id_token", "jwt"):
            with self.subTest(word):
                self.ok("login", "exchange", "--token-file", "-", "--token-type", word, "--audience",
                        "one", "--audience", "two", input="foreign")
                self.assertEqual(self.form(), {
                    "grant_type": [GRANT + "token-exchange"], "subject_token": ["foreign"],
                    "subject_token_type": [TYPE + word], "audience": ["one", "two"],
                    "requested_token_type": [TYPE + "access_token"], "client_id": ["app"]})
        self.ok("login", "exchange", "--token-file", self.secret_file("foreign"))
        self.assertEqual(self.form()["subject_token_type"], [TYPE + "access_token"])

    def test_resources_are_named_at_the_login_and_at_each_refresh(self):
        options = [word for url in RESOURCES for word in ("--resource", url)]
        self.ok("login", "assertion", "--assertion-file", "-", *options, input="h.p.s")
        self.assertEqual(self.form()["resource"], RESOURCES)
        for _ in range(2):
            self.home.expire()
            self.ok("token")
            self.assertEqual(self.form()["grant_type"], ["refresh_token"])
            self.assertEqual(self.form()["resource"], RESOURCES)
        self.ok("login", "assertion", "--assertion-file", "-", input="h.p.s")
        self.home.expire()
        self.ok("token")
        self.assertNotIn("resource", self.form())

    def test_what_was_presented_is_not_repeated(self):
        self.vendor.error = (400, {"error": "invalid_grant",
                                   "error_description": "never saw presented-secret"})
        for words in (("assertion", "--assertion-file", "-"), ("exchange", "--token-file", "-")):
            with self.subTest(words):
                result = self.fails(5, "login", *words, "--json", input="presented-secret")
                self.assertIn("‹redacted›", json.loads(result.err)["error"]["message"])
                self.assertNotIn("presented-secret", result.err)

    def test_nothing_at_all_is_presented_to_nobody(self):
        before = len(self.vendor.seen)
        for words in (("assertion", "--assertion-file", "-"), ("exchange", "--token-file", "-")):
            self.fails(2, "login", *words, input="\n")
        self.assertEqual(len(self.vendor.seen), before)
