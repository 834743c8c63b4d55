"""The wire of Sequencing.com: every quirk a setting of the profile, and each request as documented."""

import json
import re
import subprocess
import urllib.parse

from Servers.case import Case
from Servers.process import free_port
from Servers.sdkctl import REPOSITORY
from Servers.vendors import Sequencing

QUIRKS = ("discovery", "pkce", "authorizationParameters", "basicEncoding", "expiryMargin",
          "accountClient")


class SequencingTests(Case):
    def setUp(self):
        super().setUp()
        self.vendor = Sequencing(self.stand.authority).start()
        self.addCleanup(self.vendor.stop)
        self.profile()

    def profile(self):
        """The preset, with its addresses moved to the vendor of this test."""
        name, origin = self.home.name, self.vendor.origin
        self.ok("profile", "add", name, "--preset", "sequencing", "--issuer", origin,
                "--resource-url", origin, "--scope", "demo", "--ca-file", self.stand.ca_file)
        self.ok("profile", "use", name)
        settings = json.loads(self.home.profile_file.read_text())
        self.ok("profile", "set", *(
            f"endpoints.{key}={origin}{url.removeprefix('https://sequencing.com')}"
            for key, url in settings["endpoints"].items()))
        self.ok("pin", "add", self.vendor.origin, "--yes")

    def adopt(self):
        self.redirect = f"http://127.0.0.1:{free_port()}/Authcallback"
        self.ok("register", "--client-id", Sequencing.CLIENT, "--client-secret-file", "-",
                "--redirect-uri", self.redirect, input=Sequencing.SECRET)

    def log_in(self):
        self.adopt()
        self.home.use_browser(self.stand)
        return self.ok("login", "--json")

    def test_the_preset_is_nothing_but_settings(self):
        shown = self.jsonOf(self.ok("profile", "show", "--json"))
        self.assertEqual([shown[key] for key in QUIRKS],
                         [False, False, "mobile=1", "raw", 600, "secret"])
        self.assertEqual(shown["endpoints"]["refresh"], self.vendor.origin + Sequencing.REFRESH)
        other = self.new_home()
        bare = other.run("profile", "add", "genes", "--preset", "sequencing")
        self.assertEqual(bare.exit, 0, bare)
        settings = json.loads((other.store / "config/profiles/genes/profile.json").read_text())
        self.assertEqual(settings["issuer"], "https://sequencing.com")
        self.assertEqual(settings["resourceURL"], "https://api.sequencing.com")
        self.assertNotIn("preset", json.dumps(settings))

    def test_a_login_as_the_vendors_library_makes_it(self):
        result = self.log_in()
        self.assertEqual(self.jsonOf(result)["scope"], "demo")
        [(_, target, _, _)] = [seen for seen in self.vendor.seen
                               if seen[1].startswith(Sequencing.AUTHORIZE)]
        query = urllib.parse.parse_qs(target.partition("?")[2])
        self.assertGreaterEqual(len(query.pop("state")[0]), 22)
        # The nonce goes with every request, and is a parameter that the library does not send.
        self.assertGreaterEqual(len(query.pop("nonce")[0]), 22)
        self.assertEqual(query, {
            "redirect_uri": [self.redirect], "response_type": ["code"], "scope": ["demo"],
            "client_id": [Sequencing.CLIENT], "mobile": ["1"]})
        [(method, _, fields, body)] = self.vendor.to(Sequencing.TOKEN)
        self.assertEqual(method, "POST")
        self.assertEqual(fields["authorization"], Sequencing.BASIC)
        self.assertEqual(body, "grant_type=authorization_code&code=c0de&redirect_uri="
                         + urllib.parse.quote(self.redirect, safe="")
                         + "&client_id=My%20App%20%28test%29")
        asked = {seen[1].partition("?")[0] for seen in self.vendor.seen}
        self.assertEqual(asked, {Sequencing.AUTHORIZE, Sequencing.TOKEN})  # and no metadata

    def test_the_five_fields_of_a_token(self):
        self.log_in()
        kept = json.loads(self.home.slot_file().read_text())
        self.assertEqual([kept[key] for key in ("accessToken", "tokenType", "scope", "refreshToken")],
                         ["at-1", "Bearer", "demo", "r-1"])
        self.assertEqual(kept["expires"] - kept["obtained"], 3600)

    def test_ten_minutes_before_its_end_a_token_is_refreshed_and_the_refresh_token_kept(self):
        self.vendor.lifetime = 590
        self.log_in()
        self.vendor.lifetime = 3600
        self.assertEqual(self.ok("token").text, "at-2\n")
        [(_, _, fields, body)] = self.vendor.to(Sequencing.REFRESH)
        self.assertEqual(fields["authorization"], Sequencing.BASIC)
        self.assertEqual(body, "grant_type=refresh_token&refresh_token=r-1&client_id=My%20App%20%28test%29")
        self.assertEqual(self.ok("token").text, "at-2\n")
        self.assertEqual(self.ok("token", "--min-ttl", "3600").text.strip(), "at-3")
        self.assertEqual(json.loads(self.home.slot_file().read_text())["refreshToken"], "r-1")

    def test_the_service_gets_the_token(self):
        self.log_in()
        answer = self.jsonOf(self.ok("fetch", "/DataSourceList?all=true"))
        self.assertEqual(answer[0]["Id"], "f-1")
        [(_, _, fields, _)] = self.vendor.to("/DataSourceList?all=true")
        self.assertEqual(fields["authorization"], "Bearer at-1")

    def test_the_recipe_of_the_choice_of_a_file(self):
        self.log_in()
        page = (REPOSITORY / "docs/vendors.md").read_text()
        [recipe] = re.findall(r"```sh\n(.*DataSourceList.*?)```", page, re.S)
        directory = self.home.directory / "files"
        directory.mkdir()
        done = subprocess.run(
            ["sh", "-e", "-c", recipe], cwd=directory,
            env=self.home.environment, input="father\n", text=True, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((directory / "father.vcf").read_text()), {"file": "father.vcf"})

    def test_a_refusal_with_status_200_is_one(self):
        self.adopt()
        self.home.use_browser(self.stand)
        self.ok("profile", "set", "basicEncoding=form")  # which this server does not understand
        result = self.home.run("login")
        self.assertEqual(result.exit, 5, result)
        self.assertIn("invalid_grant (not this one)", result.err)
        self.assertFalse(self.home.slot_file().exists())

    def test_the_three_results_have_three_exit_codes(self):
        self.adopt()
        self.home.use_browser(self.stand)
        for refusal, code in (({"error": "access_denied"}, 15), ({"error": "invalid_request"}, 5),
                              (None, 0)):
            with self.subTest(code):
                self.vendor.refusal = refusal
                self.home.forget_failed_login()
                self.assertEqual(self.home.run("login").exit, code)

    def test_an_account_and_a_new_password(self):
        self.adopt()
        result = self.ok("account", "create", "--email", "alice@example.com", "--json")
        self.assertEqual(self.jsonOf(result), {
            "profile": self.home.name, "email": "alice@example.com", "asked": "account"})
        [(method, _, fields, body)] = self.vendor.to(Sequencing.ACCOUNT)
        self.assertEqual((method, fields["content-type"], fields["accept-language"]),
                         ("POST", "application/json", "en-us"))
        self.assertNotIn("authorization", fields)
        self.assertEqual(json.loads(body),
                         {"client_id": Sequencing.SECRET, "email": "alice@example.com"})
        result = self.ok("account", "reset-password", "--email", "alice@example.com")
        self.assertEqual(result.text, "")
        self.assertIn("its mail to alice@example.com", result.err)
        self.assertEqual(len(self.vendor.to(Sequencing.RESET)), 1)

    def test_refused_accounts_are_told_in_the_servers_words_without_the_secret(self):
        self.adopt()
        for verb, address, words in (
                ("create", "taken@example.com", "has an account at ‹redacted› (2)"),
                ("reset-password", "nobody@example.com", "no such account (3)")):
            with self.subTest(verb):
                result = self.home.run("--verbose", "account", verb, "--email", address)
                self.assertEqual(result.exit, 5, result)
                self.assertIn(words, result.err)
                self.assertNotIn(Sequencing.SECRET, result.err)

    def test_an_address_that_is_none_is_sent_nowhere(self):
        self.adopt()
        self.fails(2, "account", "create", "--email", "alice")
        self.assertEqual(self.vendor.seen, [])

    def test_a_logout_says_what_it_could_not_do(self):
        self.log_in()
        result = self.ok("logout", "--json")
        steps = json.loads(result.out)["steps"]
        self.assertEqual(["skipped", "skipped", "done"], [step["outcome"] for step in steps])
        self.assertIn("offers no revocation", steps[0]["message"])
        self.assertFalse(self.home.slot_file().exists())
        self.home.run("login")
        self.ok("logout", "--local")
