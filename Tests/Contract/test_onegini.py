"""What servers of the Onegini family add: numbers of errors, and status 419."""

import json

from Servers.case import Case
from Servers.vendors import Onegini


class OneginiTests(Case):
    def setUp(self):
        super().setUp()
        self.vendor = Onegini(self.stand.authority).start()
        self.addCleanup(self.vendor.stop)
        origin = self.vendor.origin
        self.ok("profile", "add", self.home.name, "--issuer", origin, "--resource-url",
                origin + "/resources", "--ca-file", self.stand.ca_file, "--pin", "--yes")
        self.ok("profile", "use", self.home.name)
        self.ok("profile", "set", "passwordGrant=true")
        self.ok("register", "--client-id", "app", "--client-secret-file", "-", input="s3cret")

    def log_in(self):
        self.ok("login", "password", "alice", "--password-file", "-", input="wonderland")

    def error_of(self, code, *arguments):
        return json.loads(self.fails(code, *arguments, "--json").err)["error"]

    def test_numbers_of_the_server_are_carried_through(self):
        for status, answer, number in (
                (400, {"error": "invalid_client", "error_code": 9003}, 9003),
                (403, {"errorCode": "9004", "error": "outdated"}, 9004),
                (400, {"error": "x", "error_code": 9005}, 9005),
                # None, or one that is another vendor's: what could not be had decides.
                (400, {"error": "x", "error_code": 50076}, 10012),
                (401, {"error": "invalid_client"}, 10012)):
            with self.subTest(answer):
                self.vendor.error = (status, answer)
                self.assertEqual(self.error_of(5, "login", "--anonymous")["number"], number)

    def test_what_is_not_reached_has_its_number(self):
        self.log_in()
        for status, number in ((503, 9001), (500, 9001)):
            self.vendor.error = (status, {})
            error = self.error_of(6, "token", "--fresh")
            self.assertEqual((error["domain"], error["number"]), ("generic", number))
        self.vendor.stop()
        error = self.error_of(6, "token", "--fresh")
        self.assertEqual((error["domain"], error["number"]), ("generic", 9000))

    def test_an_end_that_only_this_side_knows_of_is_numbered_so(self):
        self.log_in()
        error = self.error_of(6, "logout")
        self.assertEqual((error["domain"], error["number"]), ("logout", 10009))
        self.assertFalse(self.home.slot_file().exists())
        self.log_in()
        error = self.error_of(6, "deregister", "--yes")
        self.assertEqual((error["domain"], error["number"]), ("deregistration", 10003))
        self.assertFalse(self.home.slot_file().exists())

    def test_an_authentication_timeout_costs_the_token_only(self):
        self.log_in()
        self.vendor.stale.add("at-1")
        answer = self.jsonOf(self.ok("fetch", "/devices"))
        self.assertEqual(answer, {"token": "at-2"})

    def test_a_password_is_taken_only_where_the_profile_says_so(self):
        self.ok("profile", "unset", "passwordGrant")
        before = len(self.vendor.seen)
        result = self.fails(10, "login", "password", "alice", "--password-file", "-",
                            input="wonderland")
        self.assertEqual(result.hint, f"sdkctl -p {self.home.name} profile set passwordGrant=true")
        self.assertEqual(len(self.vendor.seen), before)
        self.ok("profile", "set", "passwordGrant=true")
        self.log_in()
        [(_, _, fields, body)] = self.vendor.to("/token")
        self.assertEqual(body, "grant_type=password&username=alice&password=wonderland&client_id=app")
        self.assertTrue(fields["authorization"].startswith("Basic "))

    def test_a_password_is_never_repeated(self):
        self.vendor.error = (400, {"error": "invalid_grant",
                                   "error_description": "wonderland is wrong"})
        result = self.home.run("--verbose", "login", "password", "alice", "--password-file", "-",
                               input="wonderland")
        self.assertEqual(result.exit, 5, result)
        self.assertIn("‹redacted› is wrong", result.err)
        self.assertNotIn("wonderland", result.err + result.text)
