"""Names with letters outside ASCII: typed in their own script, checked and sent as A-labels."""

import json

from Servers.case import NO_PIN

from .test_pin_chains import HostCase

LABEL = "xn--bcher-kva.example"
SPELLINGS = ("bücher.example", "BÜCHER.Example", "bu\u0308cher.example", "bücher\u3002example")
REFUSED = ("bücher..example", "☃.example", "a\u200db.example", "\uff45xample.com",
           "ü" * 70 + ".example")


class InternationalNameTests(HostCase):
    def setUp(self):
        super().setUp()
        self.authority.leaf("international", f"DNS:{LABEL}")
        leaf = (self.authority.certificate("international"), self.authority.key("international"))
        self.server = self.hosts.s_server("-www", leaf=leaf)
        self.to = ["--resolve", f"bücher.example:{self.server.port}:127.0.0.1"]
        self.here = ["--connect-to", f"::127.0.0.1:{self.server.port}"]

    def patterns(self):
        return [entry["pattern"] for entry in self.jsonOf(self.ok("pin", "list", "--json"))]

    def test_each_spelling_is_pinned_checked_and_fetched_as_the_a_label(self):
        pin = self.authority.pin("international")
        for name in SPELLINGS:
            with self.subTest(name):
                place = f"{name}:{self.server.port}"
                self.ok("pin", "add", place, "--yes", *self.to)
                self.assertEqual(self.patterns(), [f"{LABEL}:{self.server.port}"])
                self.assertIn(b"s_server",
                              self.ok("fetch", "--unauth", f"https://{place}/", *self.to).out)
                shown = self.ok("pin", "show", place, *self.to).text
                self.assertIn(f"{LABEL}:{self.server.port} (bücher.example)  OK", shown)
                result = self.ok("pin", "check", place, "--within", "1d", *self.to)
                self.assertEqual(result.text.split("\t")[:3],
                                 [f"{LABEL}:{self.server.port}", "OK", pin])
                self.ok("pin", "set", place, "--comment", "in its own script")
                self.assertIn(pin, self.ok("pin", "hash", place, *self.to).text)
                self.ok("pin", "history", name)
                self.assertIn(LABEL, self.ok("pin", "export", place).text)
                self.ok("pin", "remove", place, "--yes")
                self.assertEqual(self.patterns(), [])

    def test_a_mismatch_names_the_a_label_and_no_byte_of_a_request_is_sent(self):
        self.ok("pin", "add", NO_PIN, "--host", "bücher.example", "--yes")
        log = self.server.received()
        result = self.home.run("fetch", "--unauth",
                               f"https://bücher.example:{self.server.port}/secret", *self.to)
        self.assertFailed(result, 8)
        for text in (LABEL, NO_PIN, self.authority.pin("international")):
            self.assertIn(text, result.err)
        self.assertNotIn("secret", self.server.received().removeprefix(log))

    def test_the_name_that_a_server_is_asked_for_may_be_international(self):
        self.ok("pin", "add", "bücher.example", "--yes", *self.here)
        self.assertEqual(self.patterns(), [LABEL])
        self.ok("pin", "check", "bücher.example", "--within", "1d", *self.here)
        self.ok("fetch", "--unauth", "https://bücher.example/", "--connect-to",
                f"bücher.example:443:127.0.0.1:{self.server.port}")

    def test_profiles_store_the_a_label(self):
        self.ok("profile", "add", "books", "--issuer", "https://Bücher.example/A", "--resource-url",
                f"https://bücher.example:{self.server.port}/b", "--ca-file", self.authority.root)
        profile = json.loads((self.home.profile_file.parents[1] / "books" / "profile.json")
                             .read_text())
        self.assertEqual(profile["issuer"], f"https://{LABEL}/A")
        self.assertEqual(profile["resourceURL"], f"https://{LABEL}:{self.server.port}/b")
        self.ok("-p", "books", "pin", "add", f"bücher.example:{self.server.port}", "--yes", *self.to)
        self.ok("-p", "books", "fetch", "--unauth", "/x", *self.to)

    def test_what_is_not_a_name_is_refused_with_the_reason(self):
        for name in REFUSED:
            with self.subTest(name):
                for words in (["pin", "add", NO_PIN, "--host", name, "--yes"], ["pin", "show", name],
                              ["pin", "check", name], ["pin", "hash", f"https://{name}/"],
                              ["fetch", "--unauth", f"https://{name}/"],
                              ["fetch", "--unauth", "/x", "--resolve", f"{name}:443:127.0.0.1"]):
                    self.fails(2, *words)
        self.assertIn("looks like example.com, but is not",
                      self.fails(2, "pin", "show", "\uff45xample.com").err)

    def test_without_libidn2_the_reason_is_said_and_the_a_label_works(self):
        libraries = self.home.directory / "lib"
        libraries.mkdir()
        (libraries / "libidn2.so.0").write_bytes(b"")
        without = {"LD_LIBRARY_PATH": str(libraries)}
        add = ["pin", "add", NO_PIN, "--yes", "--host"]
        result = self.home.run(*add, "bücher.example", environment=without)
        self.assertFailed(result, 2)
        self.assertIn("libidn2.so.0, which converts international names, is not installed; "
                      "write its A-label", result.err)
        self.assertEqual(self.home.run(*add, LABEL, environment=without).exit, 0)
        self.assertIn(LABEL, self.home.run("pin", "list", environment=without).text)

    def test_a_redirect_to_an_international_name_needs_the_pins_of_its_a_label(self):
        host = "xn--bcher-kva.localhost"
        self.pin("local")
        result = self.get(path="/international")
        self.assertFailed(result, 8)
        self.assertIn(f"no key is pinned for {host}", result.err)
        self.assertNoRequest(self.log, seen=["GET /international"])
        self.pin("local", host="bücher.localhost")
        self.assertEqual(self.get(path="/international").out, b"main\n")
        self.assertTrue(any(f"host={host}:" in line for line in self.log.lines()))
        result = self.get(path="/misspelt")
        self.assertEqual(result.exit, 10, result)
        self.assertIn("its host is not a DNS name", result.err)
