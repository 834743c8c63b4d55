"""Values that no profile, pin or request may have: refused before anything is sent or stored."""

import json

from Servers.case import Case, NO_PIN

BAD_URLS = ["http://api.example", "ftp://localhost", "file:///etc/passwd", "javascript:alert(1)",
            "https://", "https://user@localhost", "https://user:secret@localhost", "//localhost",
            "https://localhost:99999", "https://localhost:0x50", "https://local host",
            "https://localhost/\r\nX: y", "https://[::1", "localhost", "", "https:///path",
            "https://exa\tmple", "https://\x1b[31m"]

BAD_NAMES = ["../x", "a/b", ".hidden", "..", "a" * 65, "a b", "é", "a\nb", "-x-", "x\x1b"]

BAD_FIELDS = ["X: a\r\nY: b", "X: a\nb", "X: a\rb", "X\n: a", "X y: a", "nocolon", ": empty",
              "Authorization: Bearer x", "authorization: x", "User-Agent: me", "X(: a", "é: a",
              "Host: elsewhere", "Content-Length: 5", "Transfer-Encoding: chunked"]


class ProfileValueTests(Case):
    def add(self, name="x", issuer="https://localhost:1/i", resource="https://localhost:1"):
        """Adds a profile to a store of its own."""
        self.home = self.new_home()
        return self.home.run("profile", "add", "--issuer", issuer, "--resource-url", resource,
                             "--", name)

    def assertNothingStored(self, result, code):
        self.assertFailed(result, code)
        self.assertNotIn("secret", result.err)
        profiles = self.home.store / "config/profiles"
        self.assertEqual(list(profiles.glob("*/*")) if profiles.exists() else [], [])

    def test_addresses_are_https_without_user(self):
        for url in BAD_URLS:
            with self.subTest(url):
                # What is no URL is a wrong command line; http needs another setting.
                code = 3 if url.startswith("http:") else 2
                self.assertNothingStored(self.add(issuer=url), code)
                self.assertNothingStored(self.add(resource=url), code)

    def test_names_stay_inside_the_store(self):
        for name in BAD_NAMES:
            with self.subTest(name):
                self.assertNothingStored(self.add(name=name), 3)
        for name in ("a", "A.b_c-9", "x" * 64):
            with self.subTest(name):
                self.assertEqual(self.add(name=name).exit, 0)

    def test_settings_are_checked_by_type(self):
        self.assertEqual(self.add("test").exit, 0)
        before = self.home.profile_file.read_bytes()
        for setting in ("issuer=http://x", "resourceURL=nonsense", "pinPolicy=maybe",
                        "insecureLoopback=perhaps", "redirectPort=70000", "redirectPort=x",
                        "defaultAccess=root", "nosuchkey=1", "endpoints.token=http://x",
                        "endpoints.nosuch=https://x", "version=9", "scope=a\nb"):
            with self.subTest(setting):
                result = self.fails(3, "profile", "set", "-p", "test", setting)
                self.assertIn(setting.partition("=")[0], result.err)
                self.assertEqual(self.home.profile_file.read_bytes(), before)
            self.home.profile_file.write_bytes(before)

    def test_one_bad_setting_of_several_stores_none(self):
        self.assertEqual(self.add("test").exit, 0)
        before = self.home.profile_file.read_bytes()
        self.fails(3, "profile", "set", "-p", "test", "scope=openid", "pinPolicy=maybe")
        self.assertEqual(self.home.profile_file.read_bytes(), before)

    def test_profiles_are_added_copied_and_removed(self):
        self.assertEqual(self.add("one").exit, 0)
        self.assertFailed(self.home.run("profile", "add", "one", "--issuer", "https://other.example",
                                        "--resource-url", "https://other.example"), 3)
        self.ok("profile", "use", "one")
        self.ok("profile", "copy", "one", "two")
        self.ok("profile", "remove", "one", "--yes")
        self.ok("profile", "use", "two")
        names = json.dumps(self.jsonOf(self.ok("profile", "list", "--json")))
        self.assertIn('"two"', names)
        self.assertNotIn('"one"', names)
        self.ok("profile", "show")
        for line in ("use one", "show one", "remove one --yes", "copy one three"):
            self.fails(3, "profile", *line.split())
        refused = self.home.run("profile", "remove", "two")
        self.assertNotEqual(refused.exit, 0)
        self.assertIn("--yes", refused.err)
        self.ok("profile", "remove", "two", "--yes")
        self.assertEqual(list((self.home.store / "config/profiles").iterdir()), [])

    def test_hints_about_profiles_can_be_pasted(self):
        self.assertEqual(self.add("one").exit, 0)
        result = self.fails(3, "token", "-p", "absent")
        self.assertRegex(result.hint, r"\Asdkctl profile ")
        self.assertEqual(self.home.paste(result.hint).exit, 0)


class PinValueTests(Case):
    def setUp(self):
        super().setUp()
        self.ok("profile", "add", "test", "--issuer", "https://localhost:1/i",
                "--resource-url", "https://localhost:1")
        self.ok("profile", "use", "test")

    def test_what_is_no_pin_is_refused(self):
        for pin in ("sha256/short", "sha256/" + "A" * 44, "sha1/" + "A" * 27 + "=", "md5/x",
                    "sha256//" + "!" * 43 + "=", "0" * 63, "/nowhere/file.pem", "/etc/passwd",
                    "/dev/null", "sha256/" + "A" * 42 + "B="):
            with self.subTest(pin):
                # The digits are not a file either, so a wrong word; no key is read from a device.
                code = {"0" * 63: 2, "/dev/null": 3}.get(pin, 1)
                result = self.fails(code, "pin", "add", pin, "--host", "a.example", "--yes")
                self.assertNotIn("root:", result.err)
                self.assertNotIn("a.example", self.ok("pin", "list").text)

    def test_every_spelling_of_a_pin_is_the_same_pin(self):
        for spelling in (NO_PIN, NO_PIN.replace("sha256/", "sha256//"), NO_PIN[7:], "0" * 64,
                         f'pin-sha256="{NO_PIN[7:]}"'):
            with self.subTest(spelling):
                self.ok("pin", "add", spelling, "--host", "a.example", "--yes")
                self.assertIn(NO_PIN, self.ok("pin", "show", "a.example", "--offline").text)
                self.ok("pin", "remove", "a.example", "--yes")

    def test_hosts_that_are_none_are_refused(self):
        for host in ("", "a b", "x/y", "*", "a..b", "-", "ex\nample", "com\x1b"):
            with self.subTest(host):
                self.fails(2, "pin", "add", NO_PIN, "--host=" + host, "--yes")

    def test_removing_what_is_not_there_is_said(self):
        self.fails(8, "pin", "remove", "absent.example", "--yes")
        self.fails(8, "pin", "show", "absent.example", "--offline")


class RequestValueTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()
        self.log = self.stand.gateway.requests()

    def refused(self, *arguments, code=2):
        self.log.mark()
        result = self.fails(code, "fetch", "--unauth", *arguments)
        self.assertNoRequest(self.log)
        self.assertNotIn("secret", result.err)
        return result

    def test_fields_that_would_break_or_forge_the_request(self):
        for field in BAD_FIELDS:
            with self.subTest(field):
                self.refused("/echo", "-H", field)

    def test_addresses_that_are_none(self):
        for url in [*BAD_URLS, "/a\r\nX: y", "/\x1b", "/a\x7f"]:
            if url not in ("localhost", "//localhost", ""):  # paths below the resource URL
                with self.subTest(url):
                    self.refused(url, code=10 if url.startswith("http://") else 2)

    def test_methods_that_are_none(self):
        for method in ("", "G T", "GET\r\nX: y", "GÉT", "GET/"):
            with self.subTest(method):
                self.refused("-X", method, "/echo")

    def test_a_path_cannot_leave_the_gateway(self):
        for path in ("//127.0.0.1/echo", "@127.0.0.1/", ":443@127.0.0.1/", "\\\\127.0.0.1\\x"):
            with self.subTest(path):
                result = self.home.run("fetch", "--unauth", path)
                self.assertNotEqual(result.exit, 0, result)
                for line in self.log.lines():
                    self.assertIn(str(self.stand.gateway.ports["main"]), line)
