"""What concerns a person: registration by a challenge, accounts, and tokens without a question."""

import json
import signal

from Servers.sandbox import SCOPE, SandboxCase

from .test_grants import GrantCase


class UserTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.ok("profile", "set", "scope=" + SCOPE)

    def test_a_user_logs_in_at_an_identity_provider(self):
        self.register()
        self.use_person()
        result = self.ok("login", "--idp", "house", "--json")
        self.assertEqual(self.jsonOf(result)["slot"], "user")
        self.assertIn("idp=house", self.home.urls.read_text())
        self.ok("fetch", "--user", "/devices")

    def test_an_unknown_identity_provider_is_refused(self):
        self.register()
        self.ok("profile", "set", "identityProviders=house corporate")
        error = self.jsonError(self.fails(2, "login", "--idp", "hous", "--json"))
        self.assertEqual((error["domain"], error["number"]), ("registration", 10020))

    def test_who_gives_up_is_no_user(self):
        self.register()
        process = self.home.start("login", "--no-browser")
        for line in process.stderr:
            if b"state=" in line:
                break
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertFalse(self.home.slot_file().exists())

    def test_an_account_is_made_in_the_course_of_a_login(self):
        self.use_person()
        self.ok("account", "create")
        self.assertEqual([note["h1"] for note in self.notes()],
                         ["Create an account", "Allow access?", "You are signed in"])
        self.ok("fetch", "--user", "/devices")

    def test_a_forgotten_password_has_a_page_of_the_profile(self):
        self.register()
        result = self.fails(1, "account", "reset-password")
        self.assertIn("resetPasswordURL", result.err)
        page = self.sandbox.issuer + "/forgotten"
        self.ok("profile", "set", f"resetPasswordURL={page}")
        said = self.ok("account", "reset-password", "--no-browser", "--json")
        said = self.jsonOf(said)
        self.assertEqual((said["profile"], said["url"], said["opened"]), ("sandbox", page, False))
        self.use_person("nothing")
        self.assertEqual(self.ok("account", "reset-password").text, page + "\n")
        opened = (self.home.directory / "browser-arguments").read_text()
        self.assertEqual(opened, page + "\n")


class LaunchTests(SandboxCase):
    def test_what_the_browser_is_started_with_tells_nothing(self):
        self.register()
        self.use_person()
        self.ok("login")
        [argument] = (self.home.directory / "browser-arguments").read_text().splitlines()
        self.assertRegex(argument, r"\Ahttp://127\.0\.0\.1:\d+/start/[0-9a-f]{32}\Z")
        [url] = self.home.urls.read_text().splitlines()
        self.assertIn("state=", url)


class SilentTests(GrantCase):
    """A server that offers no exchange to this client, and a login without refresh token."""

    def setUp(self):
        super().setUp()
        self.adopt()
        self.use_person()
        self.ok("login")
        path = self.home.slot_file()
        document = json.loads(path.read_text())
        del document["refreshToken"]
        path.write_text(json.dumps(document))

    def test_a_browser_that_knows_nobody_asks_for_a_login(self):
        self.home.urls.unlink()
        error = self.jsonError(self.fails(4, "login", "--implicit", "--scope", "read", "--json", "-q"))
        self.assertEqual((error["domain"], error["number"]), ("implicit", 9026))
        self.assertIn("login_required", error["message"])
        [url] = self.home.urls.read_text().splitlines()
        self.assertIn("prompt=none", url)
        self.assertNotIn("id_token_hint", url)

    def test_who_the_user_is_is_told_where_no_browser_sees_it(self):
        self.assertEqual(self.sandbox.requests("par"), 0)
        self.ok("profile", "set", "par=true")
        result = self.home.run("login", "--implicit", "--scope", "read")
        self.assertEqual(result.exit, 4, result)
        self.assertIn("login_required", result.err)  # a hint that it did not take would be said
        self.assertEqual(self.sandbox.requests("par"), 1)

    def test_no_browser_is_opened_for_a_fetch(self):
        self.home.urls.unlink()
        for words in (["fetch", "--implicit", "/devices"], ["token", "--implicit"]):
            result = self.home.run(*words)
            self.assertNotEqual(result.exit, 0, result)
        self.assertFalse(self.home.urls.exists())
