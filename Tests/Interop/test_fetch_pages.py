"""`fetch --paginate` against a server that keeps connections, and against hostile pages."""

import json
import signal
import threading
from urllib.parse import parse_qs, urlsplit

from Servers.case import Case
from Servers.http_server import Handler, HTTPServer


class Lists(Handler):
    """Lists; `server.seen` has each request, with the number of its connection."""

    def setup(self):
        super().setup()
        with self.server.lock:
            self.server.accepted += 1
            self.number = self.server.accepted

    def serve(self):
        url = urlsplit(self.path)
        page = int(parse_qs(url.query).get("p", ["1"])[0])
        self.server.seen.append((self.path, self.number, dict(self.headers.items())))
        getattr(self, url.path.strip("/"))(page)

    def page(self, content, *links):
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        for link in links:
            self.send_header("Link", link)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def links(self, page):
        last = '</links?p=5>; rel="last"'
        following = [f'</links?p={page + 1}>; rel="next", {last}'] if page < 5 else [last]
        self.page([page], *following)

    def cursors(self, page):
        self.page({"items": [page], "page": {"next": page + 1 if page < 3 else None}})

    def loop(self, page):
        self.page([page], '</loop>; rel="next"')

    def elsewhere(self, page):
        self.page([page], f'<{self.server.elsewhere}/links?p=5>; rel="next"')

    def plain(self, page):
        self.page([page], f'<http://localhost:{self.server.port}/links>; rel="next"')

    def garbage(self, page):
        self.page([page], f'</garbage?p={page + 1}; rel="next"')

    def scheme(self, page):
        self.page([page], '<file:///etc/passwd>; rel="next"')

    def endless(self, page):
        self.page([page], f'</endless?p={page + 1}>; rel="next"')

    def huge(self, page):
        self.page(["x" * (1 if page == 1 else 3 << 20)], f'</huge?p={page + 1}>; rel="next"')

    def repeated(self, page):
        self.page({"next": "?p=2"})

    def stalls(self, page):
        if page == 3:
            self.server.reached.set()
            self.server.released.wait(30)
        self.page([page], f'</stalls?p={page + 1}>; rel="next"')


class PageTests(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        files = cls.stand_type.shared().authority.files("good")
        cls.server, cls.other = HTTPServer(Lists, files), HTTPServer(Lists, files)
        for server in (cls.server, cls.other):
            server.elsewhere = f"https://127.0.0.1:{cls.other.port}"
            server.accepted, server.seen = 0, []
            server.reached, server.released = threading.Event(), threading.Event()
            server.start()
            cls.addClassCleanup(server.stop)

    def setUp(self):
        super().setUp()
        self.add_profile(resource=self.server.url)
        for server in (self.server, self.other):
            server.accepted = 0
            server.seen.clear()

    token = {"SDKCTL_TOKEN": "t0ken"}

    def pages(self, path, *arguments, **keywords):
        return self.home.run("fetch", "--paginate", *arguments, path, environment=self.token,
                             **keywords)

    def test_all_pages_come_over_one_connection_with_the_token(self):
        result = self.pages("/links")
        self.assertEqual((result.exit, result.text), (0, "[1]\n[2]\n[3]\n[4]\n[5]"), result)
        self.assertEqual(len(self.server.seen), 5)
        self.assertEqual({number for _, number, _ in self.server.seen}, {1})
        self.assertEqual({fields["Authorization"] for _, _, fields in self.server.seen},
                         {"Bearer t0ken"})
        array = self.pages("/links", "--slurp")
        self.assertEqual(json.loads(array.out), [1, 2, 3, 4, 5])

    def test_a_cursor_of_the_body(self):
        result = self.pages("/cursors", "--next-field", "page.next", "--next-param", "p",
                            "--param", "q=a b", "--json")
        document = self.jsonOf(result)
        self.assertEqual([page["items"] for page in document["body"]], [[1], [2], [3]])
        self.assertEqual((document["pages"], document["next"]), (3, None))
        self.assertEqual([path for path, _, _ in self.server.seen],
                         ["/cursors?q=a%20b", "/cursors?q=a%20b&p=2", "/cursors?q=a%20b&p=3"])

    def test_hostile_pages_end_the_list(self):
        rows = (("loop", 1, "leads back to an earlier one", 1), ("plain", 10, "https to http", 1),
                ("garbage", 1, "'Link' is malformed", 1), ("scheme", 1, "not a usable URL", 1),
                ("elsewhere", 8, "127.0.0.1", 1))
        for path, exit, cause, count in rows:
            with self.subTest(path):
                self.server.seen.clear()
                result = self.pages("/" + path)
                self.assertEqual(result.exit, exit, result)
                self.assertIn(cause, result.err)
                self.assertEqual(result.text, "[1]")
                self.assertEqual(len(self.server.seen), count)
                self.assertEqual(self.other.seen, [])

    def test_a_repeated_cursor_and_a_huge_page_end_the_list(self):
        result = self.pages("/repeated", "--next-field", "next")
        self.assertEqual(result.exit, 1, result)
        self.assertIn("leads back", result.err)
        self.assertEqual(len(self.server.seen), 2)
        huge = self.pages("/huge", "--max-size", "1M")
        self.assertEqual((huge.exit, huge.text), (1, '["x"]'), huge)
        self.assertIn("/huge?p=2", huge.err)

    def test_another_origin_gets_no_token_and_needs_pins(self):
        self.ok("pin", "add", f"127.0.0.1:{self.other.port}", "--yes")
        result = self.pages("/elsewhere", "-H", "X-Api-Key: k3y")
        self.assertEqual((result.exit, result.text), (0, "[1]\n[5]"), result)
        (_, _, fields), = self.other.seen
        self.assertNotIn("Authorization", fields)
        self.assertNotIn("X-Api-Key", fields)
        self.assertEqual(self.server.seen[0][2]["X-Api-Key"], "k3y")

    def test_an_endless_list_is_bounded_and_goes_on_where_it_says(self):
        result = self.pages("/endless", "--max-pages", "3", "--slurp")
        self.assertEqual((result.exit, json.loads(result.out)), (0, [1, 2, 3]), result)
        following = f"{self.server.url}/endless?p=4"
        self.assertEqual(result.err.splitlines()[-1], following)
        more = self.pages(following, "--max-pages", "2")
        self.assertEqual((more.exit, more.text), (0, "[4]\n[5]"), more)

    def test_an_interrupted_run_says_where_to_go_on_and_ends_the_array(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            self.server.reached.clear()
            self.server.released.clear()
            process = self.home.start("fetch", "--paginate", "--slurp", "/stalls",
                                      environment=self.token)
            self.assertTrue(self.server.reached.wait(30))
            process.send_signal(number)
            out, err = process.communicate(timeout=30)
            self.server.released.set()
            self.assertEqual(process.returncode, -number, err)
            self.assertEqual(json.loads(out), [1, 2])
            self.assertEqual(err.decode().splitlines()[-1], f"{self.server.url}/stalls?p=3")
