"""Logins on pages that we did not write: the portal of LemonLDAP::NG, with its session cookie."""

import json
import subprocess

from Servers.stand import LemonLDAPStand

from .providers import ProviderCase


class FormLoginTests(ProviderCase):
    stand_type = LemonLDAPStand

    def setUp(self):
        super().setUp()
        self.issuer = self.provider.issuer
        self.ok("profile", "set", f"form.url={self.issuer}/", f"resourceURL={self.issuer}",
                "form.cookies=lemonldap", "form.user=dwho")
        self.whoami = "/mysession/?whoami"

    def log_in(self, password="dwho", exit_code=0):
        result = self.home.run("login", "form", "--password-file", "-", input=password + "\n")
        self.assertEqual(result.exit, exit_code, result)
        return result

    def stored(self):
        return json.loads(self.home.slot_file().read_text())

    def fetch(self, *words):
        return self.home.run("fetch", "-H", "Accept: application/json", self.whoami, *words)

    def test_the_cookie_of_the_portal_opens_a_page_of_it(self):
        self.log_in()
        self.assertEqual(json.loads(self.fetch().out)["result"], "dwho")
        cookie = self.stored()["cookies"][0]
        self.assertEqual(
            (cookie["name"], cookie["domain"], cookie["hostOnly"], cookie["secure"]),
            ("lemonldap", "llng.localhost", False, True))
        self.assertEqual(self.home.unsafe_modes(), [])

    def test_a_wrong_password_is_refused(self):
        result = self.log_in("wrong", exit_code=5)
        self.assertIn("did not accept the user name and password", result.err)
        self.assertFalse(self.home.slot_file().exists())

    def test_curl_gets_in_with_the_cookie_jar(self):
        self.log_in()
        jar = self.ok("token", "--cookie-jar").out
        for command in (["-b", "-"], ["-K", "-"]):
            with self.subTest(command):
                given = jar if command[0] == "-b" else self.ok("token", "--curl").out
                answer = subprocess.run(
                    ["curl", "-sS", "--cacert", str(self.stand.authority.root), *command,
                     "-H", "Accept: application/json", self.issuer + self.whoami],
                    input=given, capture_output=True, check=True)
                self.assertEqual(json.loads(answer.stdout)["result"], "dwho", answer.stderr)

    def test_a_session_that_ended_is_opened_again_after_a_401(self):
        self.log_in()
        first = self.stored()["cookies"][0]["value"]
        # The portal ends the session for everybody who has this cookie.
        self.ok("fetch", "/?logout=1", "-o", "/dev/null")
        self.ok("fetch", "--no-fail", "/?logout=1", "-o", "/dev/null")
        self.assertEqual(self.fetch().exit, 4)
        password = self.home.directory / "password"
        password.write_text("dwho\n")
        password.chmod(0o600)
        self.ok("profile", "set", f"form.passwordFile={password}")
        self.assertEqual(json.loads(self.fetch().out)["result"], "dwho")
        self.assertNotEqual(self.stored()["cookies"][0]["value"], first)
