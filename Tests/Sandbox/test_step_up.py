"""A resource that wants the user to log in anew, or in a stronger way (RFC 9470)."""

import json

from Servers.sandbox import SandboxCase

OTP = "urn:sandbox:otp"


class StepUpTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.add_session()

    def test_the_hint_can_be_pasted(self):
        before = self.sandbox.requests("token")
        result = self.fails(4, "fetch", "--user", "/step-up")
        self.assertEqual(json.loads(result.out)["error"], "insufficient_user_authentication")
        self.assertEqual(self.sandbox.requests("token"), before)  # a refresh cannot help
        self.use_person()
        result = self.home.paste(result.hint)
        self.assertEqual(result.exit, 0, result)
        answer = self.jsonOf(self.ok("fetch", "--user", "/step-up"))
        self.assertEqual(answer["acr"], OTP)
        self.home.expire()
        self.ok("fetch", "--user", "/step-up")  # a refresh keeps what the login was
