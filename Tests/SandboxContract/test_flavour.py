"""`start --flavour onegini`: what the vendor's token answers carry."""

import unittest

from client import Client
from program import Sandbox, shared


class Flavour(unittest.TestCase):
    def test_tokens_say_whose_they_are_and_how_often_they_may_be_refreshed(self):
        sandbox = Sandbox("--flavour=onegini")
        self.addCleanup(sandbox.stop)
        client = Client(sandbox)
        tokens = client.login()
        profile = tokens["profile_id"]
        self.assertRegex(profile, "^[0-9A-F]{6}$")
        self.assertEqual((tokens["usage_count"], tokens["usage_limit"]), (0, 10))
        for count in range(1, 11):
            tokens = client.refresh(tokens["refresh_token"]).json
            self.assertEqual(
                (tokens["profile_id"], tokens["usage_count"], tokens["usage_limit"]),
                (profile, count, 10))
        refused = client.refresh(tokens["refresh_token"])
        self.assertEqual((refused.status, refused.json["error"]), (400, "invalid_grant"))
        self.assertEqual(client.resource("/devices", tokens["access_token"]).status, 401)
        self.assertEqual(client.login()["profile_id"], profile)
        self.assertNotEqual(Client(sandbox).login()["profile_id"], profile)
        own = client.token("client_credentials").json
        self.assertNotIn("profile_id", own)

    def test_the_standard_flavour_says_nothing_of_it(self):
        tokens = Client(shared()).login()
        for member in ("profile_id", "usage_count", "usage_limit"):
            self.assertNotIn(member, tokens)
