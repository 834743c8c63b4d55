"""Pins on the validated chain: which keys match, and that a mismatch ends before any request."""

import base64
import json

from Servers.case import Case, NO_PIN


class PinTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()
        self.log = self.stand.gateway.requests()
        self.pin = self.stand.authority.pin

    def test_adding_a_profile_with_pin_pins_what_its_hosts_show(self):
        listed = self.ok("pin", "list").text
        self.assertIn("localhost", listed)
        shown = self.ok("pin", "show", "localhost", "--offline").text
        self.assertTrue(any(self.pin(name) in shown for name in ("good", "intermediate", "root")))

    def test_any_key_of_the_validated_path_matches(self):
        for name in ("good", "intermediate", "root"):
            with self.subTest(name):
                self.set_pin(self.pin(name))
                self.assertEqual(self.ok("fetch", "--unauth", "/public").out, b"ok\n")

    def test_a_wrong_pin_ends_the_connection_before_the_request(self):
        self.set_pin(NO_PIN)
        troubles = self.stand.gateway.troubles()
        result = self.fails(8, "fetch", "--unauth", "/public")
        self.assertNoRequest(self.log)
        self.assertEqual(troubles.count("SSL_do_handshake() failed"), 1, troubles.lines())
        for pin in (NO_PIN, self.pin("good"), self.pin("intermediate"), self.pin("root")):
            self.assertIn(pin, result.err)
        self.assertEqual(result.out, b"")

    def test_one_right_pin_among_wrong_ones_is_enough(self):
        self.set_pin(NO_PIN, self.pin("good"))
        self.ok("fetch", "--unauth", "/public")

    def test_a_key_that_is_served_but_not_validated_does_not_match(self):
        self.set_pin(self.pin("stranger"))
        url = self.stand.gateway.at("padded") + "/public"
        self.fails(8, "fetch", "--unauth", url)
        self.assertNoRequest(self.log)
        self.set_pin(self.pin("good"))
        self.ok("fetch", "--unauth", url)

    def test_a_host_without_pins_is_refused_with_the_line_that_mends_it(self):
        url = self.stand.gateway.at("main", "127.0.0.1") + "/public"
        result = self.fails(8, "fetch", "--unauth", url)
        self.assertNoRequest(self.log)
        self.assertRegex(result.hint, r"\Asdkctl .*\bpin add ")
        mended = self.home.paste(result.hint if "--yes" in result.hint else result.hint + " --yes")
        self.assertEqual(mended.exit, 0, mended)
        self.assertEqual(self.ok("fetch", "--unauth", url).out, b"ok\n")

    def test_the_report_policy_lets_pass_and_says_so(self):
        self.set_pin(NO_PIN)
        self.ok("profile", "set", "pinPolicy=report")
        result = self.home.run("fetch", "--unauth", "/public")
        self.assertEqual((result.exit, result.out), (0, b"ok\n"), result)
        self.assertIn(self.pin("good"), result.err)

    def test_every_command_that_connects_tells_what_the_report_policy_let_pass(self):
        self.set_pin(NO_PIN)
        self.ok("profile", "set", "pinPolicy=report", "scope=openid", "anonymousScope=openid")
        self.home.use_browser(self.stand)
        for words in (["register"], ["login"], ["token", "--fresh"], ["token", "userinfo"],
                      ["token", "--anonymous", "--fresh"], ["fetch", "--user", "/api/me"],
                      ["logout"], ["deregister", "--yes"]):
            with self.subTest(words):
                result = self.home.run(*words, "-q")
                self.assertIn("no key in the chain of localhost is pinned", result.err)
                self.assertIn(self.pin("good"), result.err)
                self.assertNotEqual(result.exit, 8, result)

    def test_before_a_browser_is_sent_there_the_host_of_the_login_page_is_checked(self):
        self.ok("profile", "set", "scope=openid")
        self.ok("register")
        notes = self.home.use_browser(self.stand)
        self.ok("login")
        self.home.forget_failed_login()
        # The metadata is cached: nothing else connects before the browser opens.
        self.set_pin(NO_PIN)
        events = self.stand.provider.events()
        notes.unlink(missing_ok=True)
        result = self.fails(8, "login")
        for pin in (NO_PIN, self.pin("good")):
            self.assertIn(pin, result.err)
        self.assertFalse(notes.exists())
        self.assertNotIn("/auth", result.err)
        self.assertEqual(events.count("Event oidc"), 0)

    def test_an_expired_set_fails_closed_with_its_own_message(self):
        self.ok("pin", "remove", "localhost", "--yes")
        self.ok("pin", "add", self.pin("good"), "--host", "localhost", "--yes",
                "--expires", "2020-01-01T00:00:00Z")
        result = self.fails(8, "fetch", "--unauth", "/public")
        self.assertIn("expired", result.err)
        self.assertNoRequest(self.log)

    def test_pins_hold_for_the_provider_as_for_resources(self):
        self.set_pin(NO_PIN)
        events = self.stand.provider.events()
        self.fails(8, "register")
        self.assertEqual(events.count("registered"), 0)

    def test_a_refresh_behind_a_wrong_pin_keeps_the_tokens(self):
        self.ok("profile", "set", "scope=openid")
        self.ok("register")
        self.home.use_browser(self.stand)
        self.ok("login")
        before = self.home.slot_file().read_bytes()
        self.set_pin(NO_PIN)
        events = self.stand.provider.events()
        self.fails(8, "token", "--fresh")
        self.assertEqual(events.count("Event oidc"), 0)
        self.assertEqual(self.home.slot_file().read_bytes(), before)

    def test_check_tells_whether_a_pinned_key_is_in_use_and_sends_no_request(self):
        place = f"localhost:{self.stand.gateway.ports['main']}"
        result = self.ok("pin", "check", place, "--within", "1d")
        self.assertEqual(result.text.split("\t")[:2], [place, "OK"])
        # The certificates of the tests end after ten days.
        result = self.home.run("pin", "check", place)
        self.assertEqual((result.exit, result.text.split("\t")[1]), (11, "WILL-EXPIRE"), result)
        self.set_pin(NO_PIN)
        result = self.home.run("pin", "check", place)
        self.assertEqual((result.exit, result.text.split("\t")[1]), (8, "MISMATCH"), result)
        for pin in (NO_PIN, self.pin("good"), self.pin("root")):
            self.assertIn(pin, result.err)
        self.assertNoRequest(self.log)

    def test_pins_come_from_files_urls_and_hashes(self):
        authority, url = self.stand.authority, self.stand.gateway.url
        hexadecimal = sha256_hex(self.pin("root"))
        place = url.removeprefix("https://")
        former = "localhost"
        for source in ([authority.certificate("intermediate"), "--host", "localhost"],
                       [authority.key("good"), "--host", "localhost"],
                       [authority.path("good.csr"), "--host", "localhost"],
                       [hexadecimal, "--host", "localhost"], [url],
                       [place]):
            with self.subTest(source[0]):
                self.ok("pin", "remove", former, "--yes")
                self.ok("pin", "add", *source, "--yes")
                # A server is pinned with its port, what has none for every port.
                former = "localhost" if "--host" in source else place
                self.assertEqual(self.ok("fetch", "--unauth", "/public").out, b"ok\n")

    def test_adding_needs_a_yes_where_nobody_can_be_asked(self):
        before = self.home.pins_file.read_bytes()
        result = self.home.run("pin", "add", self.stand.gateway.at("main", "127.0.0.1"))
        self.assertNotEqual(result.exit, 0, result)
        self.assertIn("--yes", result.err)
        self.assertEqual(self.home.pins_file.read_bytes(), before)

    def test_roles_choose_which_keys_of_the_chain_are_pinned(self):
        self.ok("pin", "remove", "localhost", "--yes")
        self.ok("pin", "add", self.stand.gateway.url, "--role", "intermediate", "--yes")
        text = self.home.pins_file.read_text().replace("\\/", "/")
        self.assertIn(bare(self.pin("intermediate")), text)
        self.assertNotIn(bare(self.pin("good")), text)

    def test_removing_one_pin_keeps_the_others(self):
        self.set_pin(NO_PIN, self.pin("good"))
        self.ok("pin", "remove", "localhost", NO_PIN, "--yes")
        shown = self.ok("pin", "show", "localhost", "--offline").text
        self.assertNotIn(NO_PIN, shown)
        self.assertIn(self.pin("good"), shown)

    def test_listing_as_json_names_hosts_and_keys(self):
        text = json.dumps(self.documentsOf(self.ok("pin", "list", "--json")))
        self.assertIn('"localhost"', text)
        self.assertRegex(text, r"[A-Za-z0-9+/]{43}=|[0-9a-f]{64}")


def bare(pin: str) -> str:
    return pin.removeprefix("sha256/")


def sha256_hex(pin: str) -> str:
    return base64.b64decode(bare(pin)).hex()
