"""What fetch sends and delivers, seen from the server."""

from Servers.case import Case
from Servers.pseudo_terminal import PseudoTerminal
from Servers.resource import pattern
from Servers.scripted import http
from Servers.sdkctl import BINARY

from Interop.test_fetch_faults import ScriptedCase


class FetchTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()
        self.log = self.stand.gateway.requests()

    def fetch(self, *arguments, **keywords):
        return self.ok("fetch", "--unauth", *arguments, **keywords)

    def echo(self, *arguments, **keywords) -> dict:
        return self.jsonOf(self.fetch(*arguments, **keywords))

    def test_a_body_cannot_act_on_a_terminal_and_is_whole_in_a_pipe(self):
        self.assertEqual(self.fetch("/bytes/600").out, pattern(600))
        status, shown = PseudoTerminal(self.home, BINARY, "fetch", "--quiet", "--unauth",
                                       "/bytes/600", "-o", "-").end()  # quiet: no progress
        self.assertEqual(status, 0)
        text = shown.decode()  # all of it is UTF-8: no single byte from 0x80 to 0x9F is left
        acting = [mark for mark in text if mark not in "\t\r\n" and not mark.isprintable()]
        self.assertEqual(acting, [])
        self.assertEqual(text.count("ABCDEFGHIJ"), 3)
        # What was taken out for not being UTF-8 is marked, so that nothing is read together.
        self.assertGreater(text.count("\N{REPLACEMENT CHARACTER}"), 100)

    def test_no_secret_of_a_connection_is_written_where_sslkeylogfile_says(self):
        keys = self.home.directory / "keys"
        self.ok("fetch", "--unauth", "/status/200",
                environment={"SSLKEYLOGFILE": str(keys)})
        self.assertFalse(keys.exists())

    def test_bytes_arrive_as_they_were_sent(self):
        for size in (0, 1, 70_000, 5_000_000):
            with self.subTest(size):
                self.assertEqual(self.fetch(f"/bytes/{size}").out, pattern(size))

    def test_a_token_goes_to_no_foreign_host(self):
        self.ok("pin", "add", self.stand.gateway.at("main", "127.0.0.1"), "--yes")
        given = {"SDKCTL_TOKEN": "t0ken"}
        url = self.stand.gateway.at("main", "127.0.0.1") + "/echo"
        for foreign in (url, self.stand.gateway.at("other") + "/echo"):
            self.fails(10, "fetch", "--user", foreign, environment=given)
        self.assertNoRequest(self.log)
        port = self.stand.gateway.ports["main"]
        self.ok("profile", "set", f"allowedHosts=127.0.0.1:{port}")
        echo = self.jsonOf(self.ok("fetch", "--user", url, environment=given))
        self.assertEqual(echo["fields"]["authorization"], ["Bearer t0ken"])


class FieldTests(ScriptedCase):
    """Header fields byte by byte; the server reads each byte as a character."""

    def setUp(self):
        super().setUp()
        self.server.replies["/x"] = http(200, b"ok")

    def sent(self, *words) -> dict:
        self.ok("fetch", "--unauth", "/x", *words)
        return self.server.seen[-1].fields

    def test_a_name_with_a_colon_leaves_a_field_out_and_with_a_semicolon_empties_it(self):
        self.assertEqual(self.sent()["accept"], ["*/*"])
        fields = self.sent("-H", "Accept:", "-H", "X-A:", "-H", "X-B;", "--compressed", "-H",
                           "accept-encoding: ")
        self.assertEqual(fields.get("x-b"), [""])
        self.assertTrue({"accept", "x-a", "accept-encoding"}.isdisjoint(fields), fields)
        self.assertEqual(self.sent("-H", "Accept;")["accept"], [""])
        big = self.home.directory / "big"
        big.write_bytes(bytes(2 << 20))
        for words, expected in (([], ["100-continue"]), (["-H", "Expect:"], None)):
            self.assertEqual(self.sent("-X", "PUT", "-d", f"@{big}", *words).get("expect"), expected)

    def test_an_etag_that_is_not_utf_8_comes_back_as_it_was(self):
        tag = self.home.directory / "tag"
        self.server.replies["/x"] = (b'HTTP/1.1 200 Bien s\xfbr\r\nETag: "caf\xe9"\r\n'
                                     b"Content-Length: 2\r\n\r\nok")
        options = ("--etag-save", tag, "--etag-compare", tag)
        self.assertNotIn("if-none-match", self.sent(*options))
        self.assertEqual(tag.read_bytes(), b'"caf\xe9"\n')
        self.assertEqual(self.sent(*options, "-H", "X-A: \u00e9"),
                         self.server.seen[-1].fields | {"if-none-match": ['"caf\xe9"'],
                                                        "x-a": ["\u00c3\u00a9"]})
        shown = self.ok("fetch", "--unauth", "/x", "-i", "-w", "%header{etag}").out
        self.assertIn(b'ETag: "caf\xe9"\r\n', shown)
        self.assertTrue(shown.endswith(b'"caf\xe9"'))

    def test_a_location_that_is_not_utf_8_leads_to_the_path_that_the_server_meant(self):
        for location, path in ((b"/caf\xe9", "/caf%E9"), ("/caf\u00e9".encode(), "/caf%C3%A9")):
            self.server.replies["/x"] = b"HTTP/1.1 302 F\r\nLocation: %s\r\n\r\n" % location
            self.server.replies[path] = http(200, b"ok")
            self.ok("fetch", "--unauth", "/x")
            self.assertEqual(self.server.seen[-1].target, path)
