"""A resource that wants the user to log in anew, or in a stronger way (RFC 9470)."""

import json

from Servers.sandbox import SandboxCase

OTP = "urn:sandbox:otp"


class StepUpTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.add_session()

    def refused(self, *arguments):
        """Fetches what needs a stronger login; answers how it was refused."""
        before = self.sandbox.requests("token")
        result = self.fails(4, "fetch", "--user", "/step-up", *arguments)
        answer = json.loads(result.out)
        answer = answer.get("body", answer)
        answer = json.loads(answer) if isinstance(answer, str) else answer
        self.assertEqual(answer["error"], "insufficient_user_authentication")
        self.assertEqual(self.sandbox.requests("token"), before)  # a refresh cannot help
        return result

    def test_the_answer_is_delivered_and_the_login_named(self):
        result = self.refused()
        self.assertEqual(
            result.hint, f"sdkctl -p {self.home.name} login --acr {OTP} --max-age 300")
        error = self.jsonError(self.refused("--json"))
        self.assertEqual((error["code"], error["exit"]), ("step_up_required", 4))

    def test_the_hint_can_be_pasted(self):
        hint = self.refused().hint
        self.use_person()
        result = self.home.paste(hint)
        self.assertEqual(result.exit, 0, result)
        answer = self.jsonOf(self.ok("fetch", "--user", "/step-up"))
        self.assertEqual(answer["acr"], OTP)
        self.home.expire()
        self.ok("fetch", "--user", "/step-up")  # a refresh keeps what the login was

    def test_a_login_on_the_way(self):
        self.use_person()
        result = self.ok("fetch", "--user", "--interactive", "/step-up")
        self.assertEqual(self.jsonOf(result)["acr"], OTP)
        self.assertEqual(self.sandbox.grants("authorization_code"), 2)
        self.ok("fetch", "--user", "--interactive", "/step-up")
        self.assertEqual(self.sandbox.grants("authorization_code"), 2)

    def test_who_refuses_the_login_gets_nothing(self):
        self.use_person("cancel-sign-in")
        result = self.home.run("fetch", "--user", "--interactive", "/step-up?max_age=0")
        self.assertEqual((result.exit, result.out), (15, b""), result)
        self.assertIn("access_denied", result.err)
        self.ok("fetch", "--user", "/devices")  # the old login is still there

    def test_a_login_on_the_way_when_nobody_is_logged_in(self):
        self.ok("logout")
        self.fails(4, "fetch", "--user", "/devices")
        self.use_person()
        self.ok("fetch", "--user", "--interactive", "/devices")
        self.ok("logout")
        self.use_person()
        self.ok("fetch", "--implicit", "--interactive", "/user-id-decorated")

    def test_the_request_of_one_user_is_not_sent_as_another(self):
        self.home.expire()
        path = self.home.slot_file()
        document = json.loads(path.read_text())
        document.pop("refreshToken")
        path.write_text(json.dumps(document))
        self.use_person(STAND_USER="bob")
        body = self.home.directory / "body"
        body.write_text("of alice")
        before = self.sandbox.requests("resources")
        result = self.home.run("fetch", "--user", "--interactive", "-X", "POST", "--data",
                               f"@{body}", "/echo")
        self.assertEqual(result.exit, 11, result)
        self.assertIn("another user has logged in", result.err)
        self.assertEqual(result.out, b"")
        self.assertEqual(self.sandbox.requests("resources"), before)
        # The person is logged in, and asks again.
        self.ok("fetch", "--user", "/devices")

    def test_a_bound_token_is_told_so_too(self):
        self.ok("profile", "set", "dpop=on")
        self.use_person()
        self.ok("login")
        self.refused()
        self.use_person()
        self.ok("fetch", "--user", "--interactive", "/step-up")

    def test_no_error_status_is_wanted(self):
        result = self.home.run("fetch", "--no-fail", "--user", "/step-up")
        self.assertEqual(result.exit, 0, result)

    def test_a_token_from_outside_gets_no_browser(self):
        token = self.ok("token").text.strip()
        self.home.environment["SDKCTL_TOKEN"] = token
        self.use_person()
        result = self.fails(4, "fetch", "--user", "--interactive", "/step-up")
        self.assertNotIn("hint:", result.err)
