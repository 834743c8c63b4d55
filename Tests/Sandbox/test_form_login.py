"""Logins by form at the sandbox: two pages, a session cookie or a JWT, and what follows a 401."""

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor

from Servers.sandbox import SandboxCase


class FormLoginTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.configure("cookie")

    def configure(self, want):
        self.password = self.home.directory / "password"
        self.password.write_text("wonderland\n")
        self.password.chmod(0o600)
        self.ok("profile", "set", f"form.url={self.sandbox.issuer}/form-login?want={want}",
                "form.user=alice", f"form.passwordFile={self.password}")

    def path(self):
        return self.home.slot_file()

    def logins(self):
        return self.sandbox.requests("pages")

    def test_two_pages_lead_to_the_cookie_that_opens_a_resource(self):
        result = self.ok("login", "form")
        self.assertIn("(cookies: form-login-browser, gateway-session)", result.err)
        before = self.path().read_bytes()
        for _ in range(2):  # the response sets another cookie, which is not taken
            self.assertIn("sub", self.jsonOf(self.ok("fetch", "/cookie-protected")))
        self.assertEqual(self.path().read_bytes(), before)
        self.assertEqual(self.home.unsafe_modes(), [])
        self.fails(12, "fetch", "--unauth", "/cookie-protected")

    def test_curl_reads_the_jar(self):
        self.ok("login", "form")
        answer = subprocess.run(
            ["curl", "-sS", "--cacert", self.sandbox.ca_file, "-b", "-",
             f"{self.sandbox.url}/cookie-protected"],
            input=self.ok("token", "--cookie-jar").out, capture_output=True, check=True)
        self.assertIn("sub", json.loads(answer.stdout))

    def test_a_wrong_password_and_a_wrong_name_are_refused(self):
        for name, word in (("alice", "not-it"), ("nobody", "wonderland")):
            result = self.home.run("login", "form", name, "--password-file", "-", input=word + "\n")
            self.assertEqual(result.exit, 5, result)
            self.assertIn("the page asks for them again", result.err)
            self.assertNotIn(word, result.err)

    def test_many_processes_with_an_ended_session_log_in_once(self):
        self.ok("login", "form")
        first = json.loads(self.path().read_text())
        self.sandbox.command("reset")  # every session has ended
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(
                lambda _: self.home.run("fetch", "/cookie-protected"), range(8)))
        self.assertEqual([result.exit for result in results], [0] * 8, results)
        self.assertEqual(self.logins(), 4)  # two pages, two forms and where they lead
        self.assertNotEqual(json.loads(self.path().read_text())["cookies"], first["cookies"])

    def test_a_refused_password_is_sent_once(self):
        self.ok("login", "form")
        self.sandbox.command("reset")
        self.password.write_text("wrong\n")
        self.fails(5, "fetch", "/cookie-protected")
        count = self.logins()
        for _ in range(3):
            self.assertIn("is not sent again", self.fails(4, "fetch", "/cookie-protected").err)
        self.assertEqual(self.logins(), count)

    def test_reauthenticate_none_delivers_the_401(self):
        self.ok("login", "form")
        self.ok("profile", "set", "reauthenticate=none")
        self.sandbox.command("reset")
        self.fails(12, "fetch", "/cookie-protected")

    def test_the_jwt_is_a_bearer_token_and_is_replaced_after_a_401(self):
        self.configure("jwt")
        self.assertIn("(a JWT)", self.ok("login", "form").err)
        first = self.ok("token").text
        self.assertIn("sub", self.jsonOf(self.ok("fetch", "/jwt-protected")))
        self.sandbox.command("reset")
        self.assertIn("sub", self.jsonOf(self.ok("fetch", "/jwt-protected")))
        self.assertNotEqual(self.ok("token").text, first)

    def test_a_trace_has_no_secret_of_the_login(self):
        trace = self.home.directory / "trace"
        self.ok("login", "form", "--trace", trace)
        stored = json.loads(self.path().read_text())
        text = trace.read_text()
        self.assertIn("POST", text)
        for secret in ["wonderland", *(cookie["value"] for cookie in stored["cookies"])]:
            self.assertNotIn(secret, text)
