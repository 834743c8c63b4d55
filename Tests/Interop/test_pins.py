"""Pins on the validated chain: which keys match, and that a mismatch ends before any request."""

import base64

from Servers.case import Case, NO_PIN


class PinTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()
        self.log = self.stand.gateway.requests()
        self.pin = self.stand.authority.pin

    def test_a_wrong_pin_ends_the_connection_before_the_request(self):
        self.set_pin(NO_PIN)
        troubles = self.stand.gateway.troubles()
        result = self.fails(8, "fetch", "--unauth", "/public")
        self.assertNoRequest(self.log)
        self.assertEqual(troubles.count("SSL_do_handshake() failed"), 1, troubles.lines())
        for pin in (NO_PIN, self.pin("good"), self.pin("intermediate"), self.pin("root")):
            self.assertIn(pin, result.err)
        self.assertEqual(result.out, b"")

    def test_a_host_without_pins_is_refused_with_the_line_that_mends_it(self):
        url = self.stand.gateway.at("main", "127.0.0.1") + "/public"
        result = self.fails(8, "fetch", "--unauth", url)
        self.assertNoRequest(self.log)
        self.assertRegex(result.hint, r"\Asdkctl .*\bpin add ")
        mended = self.home.paste(result.hint if "--yes" in result.hint else result.hint + " --yes")
        self.assertEqual(mended.exit, 0, mended)
        self.assertEqual(self.ok("fetch", "--unauth", url).out, b"ok\n")

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


def sha256_hex(pin: str) -> str:
    return base64.b64decode(pin.removeprefix("sha256/")).hex()
