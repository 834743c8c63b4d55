"""Several users in one profile, and an installation that the server no longer accepts."""

import json

from Servers.sandbox import SandboxCase


class Users(SandboxCase):
    def setUp(self):
        super().setUp()
        self.ok("profile", "set", "passwordGrant=true")
        self.ok("register")
        self.log_in("alice", "wonderland")

    def log_in(self, name, password, *options):
        return self.ok("login", "password", name, "--password-file", "-", *options, input=password + "\n")

    def subject(self, *options):
        token = self.ok("token", *options).text.strip()
        return self.sandbox.introspect(token).get("username")

    def test_a_second_user_has_tokens_of_its_own(self):
        self.log_in("bob", "builder", "--user-id", "bob")
        self.assertEqual("alice", self.subject())
        self.assertEqual("bob", self.subject("--user-id", "bob"))
        users = json.loads(self.ok("user", "list", "--json").out)
        self.assertEqual([("default", True), ("bob", False)],
                         [(user["userID"], user["current"]) for user in users])
        self.ok("user", "remove", "bob", "--yes")
        self.assertEqual("alice", self.subject())
        self.fails(4, "token", "--user-id", "bob")
        self.fails(2, "token", "--user-id", "../x")

    def test_a_blocked_version_ends_anonymous_requests(self):
        self.ok("profile", "set", "clientValidation=true")
        self.ok("fetch", "--anonymous", "/application-details")
        for fault, number in (("outdated-app", 9004), ("outdated-os", 9005)):
            self.sandbox.fault(fault)
            result = self.fails(5, "fetch", "--anonymous", "/application-details", "--json")
            self.assertEqual(number, json.loads(result.err)["error"]["number"])
        self.ok("fetch", "--anonymous", "/application-details")

    def test_the_identity_providers_are_listed(self):
        self.assertIn("corporate\tCorporate login",
                      self.ok("profile", "metadata", "--identity-providers").text)

    def test_a_given_client_is_shown(self):
        client = json.loads(self.home.registration_file.read_text())["client"]
        self.ok("register", "--replace", "--client-id", client["client_id"], "--client-secret-file", "-",
                input=client["client_secret"] + "\n")
        shown = json.loads(self.ok("register", "show", "--json").out)
        self.assertEqual("given", shown["source"])
        self.assertEqual(client["client_name"], shown["metadata"]["client_name"])
