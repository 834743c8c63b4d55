"""Step-up (RFC 9470): a resource that wants a stronger or a newer authentication."""

import re
import time
import unittest

from client import Client
from program import shared

OTP = "urn:sandbox:otp"


class StepUp(unittest.TestCase):
    def setUp(self):
        self.client = Client(shared(), token_endpoint_auth_method="none")

    def challenge(self, token, query=""):
        answer = self.client.resource("/step-up" + query, token)
        self.assertEqual(answer.status, 401)
        self.assertEqual(answer.json["error"], "insufficient_user_authentication")
        value = answer.field("WWW-Authenticate")
        self.assertTrue(value.startswith("Bearer "))
        return dict(re.findall(r'(\w+)="([^"]*)"', value))

    def test_the_challenge_leads_to_a_token_that_is_good(self):
        browser = self.client.browse().sign_in().allow()
        weak = self.client.redeem(browser.outcome["code"]).json["access_token"]
        challenge = self.challenge(weak)
        self.assertEqual(challenge, {
            "error": "insufficient_user_authentication",
            "error_description": "a stronger authentication is needed", "acr_values": OTP,
            "max_age": "300"})
        browser.open(self.client.authorization(
            acr_values=challenge["acr_values"], max_age=challenge["max_age"]))
        self.assertEqual(browser.page.title, "One-time code")
        browser.submit("/one-time-code", code="246810")
        tokens = self.client.redeem(browser.outcome["code"]).json
        for token in (
            tokens["access_token"],
            self.client.refresh(tokens["refresh_token"]).json["access_token"],
        ):
            answer = self.client.resource("/step-up", token)
            self.assertEqual((answer.status, answer.json["acr"]), (200, OTP))

    def test_the_other_names_of_a_level_count_as_well(self):
        token = self.strong(acr_values="urn:sandbox:loa:2")
        self.assertEqual(self.client.resource("/step-up", token).status, 200)

    def strong(self, **more):
        browser = self.client.browse(**{"acr_values": OTP, **more}).sign_in()
        browser.submit("/one-time-code", code="246810").allow()
        return self.client.redeem(browser.outcome["code"]).json["access_token"]

    def test_an_authentication_grows_old(self):
        token = self.strong()
        self.assertEqual(self.client.resource("/step-up?max_age=100", token).status, 200)
        deadline = time.monotonic() + 10
        while self.client.resource("/step-up?max_age=0", token).status == 200:
            self.assertLess(time.monotonic(), deadline)
        challenge = self.challenge(token, "?max_age=0")
        self.assertEqual(challenge["max_age"], "0")
        self.assertIn("more recent", challenge["error_description"])

    def test_the_level_may_be_chosen(self):
        weak = self.client.login()["access_token"]
        answer = self.client.resource("/step-up?acr=urn:sandbox:pwd", weak)
        self.assertEqual(answer.status, 200)
        for query in ("?acr=urn:other", "?max_age=soon", "?max_age=-1"):
            self.assertEqual(self.client.resource("/step-up" + query, weak).status, 400)

    def test_a_token_that_is_not_good_is_told_so_first(self):
        answer = self.client.resource("/step-up", "nothing")
        self.assertEqual((answer.status, answer.json["error"]), (401, "invalid_token"))
        bare = self.client.resource("/step-up")
        self.assertEqual((bare.status, bare.body), (401, b""))

    def test_a_client_by_itself_is_never_strong_enough(self):
        client = Client(shared())
        token = client.token("client_credentials").json["access_token"]
        self.assertEqual(client.resource("/step-up", token).status, 401)
