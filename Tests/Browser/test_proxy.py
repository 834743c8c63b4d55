"""Chromium and `proxy`: which pages may use it."""

import contextlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from Servers.proxies import ProxyStarter

from .person import BrowserCase

FETCH = """
const [url, init, done] = arguments;
fetch(url, init).then(async r => done(r.status + " " + await r.text()), e => done("refused: " + e));
"""


class _Page(BaseHTTPRequestHandler):
    fields = (("Content-Type", "text/html"),)
    body = "<!doctype html><title>page</title><h1>page</h1>"
    # The path and the Referer of each request.
    requests = []

    def do_GET(self):
        self.requests.append((self.path, self.headers["Referer"]))
        self.send_response(200)
        for name, value in self.fields:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.body.encode())

    def log_message(self, *_):
        pass


class ProxyTests(ProxyStarter, BrowserCase):
    def setUp(self):
        super().setUp()
        self.origin = self.serve(_Page)

    def serve(self, handler) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}"

    def fetch(self, path, **init) -> str:
        return self.driver.execute_async_script(FETCH, self.url + path, init)

    def test_a_page_of_another_origin_is_refused(self):
        process = self.start("--anonymous")
        self.driver.get(self.origin)
        for init in ({}, {"mode": "no-cors"}, {"method": "POST", "body": "a"}, {"method": "PUT"}):
            with self.subTest(init):
                self.assertRegex(self.fetch("/application-details", **init), r"\A(refused: |0 \Z)")
        # An image, too, is a request without a field Origin.
        self.driver.execute_async_script(
            "const i = new Image(); i.onload = i.onerror = () => arguments[1](); i.src = arguments[0];",
            self.url + "/application-details")
        process.terminate()
        log = process.communicate(timeout=20)[1].decode()
        self.assertIn(" - 403 ", log)
        self.assertNotIn(" 200 ", log)

    def test_an_allowed_page_reads_responses_and_sends_what_needs_a_preflight(self):
        self.start("--anonymous", "--allow-origin", self.origin)
        self.driver.get(self.origin)
        self.assertRegex(self.fetch("/application-details"), r"\A200 \{")
        self.assertRegex(self.fetch("/application-details", headers={"X-Own": "1"}), r"\A200 \{")

    def test_an_address_that_is_typed_shows_the_resource(self):
        self.start("--anonymous")
        self.driver.get(self.url + "/application-details")
        self.assertIn("{", self.driver.find_element("tag name", "body").text)

    def test_a_page_of_the_server_sends_the_address_nowhere(self):
        """The fields that the proxy gives HTML, on a page that wants its address sent to another server."""
        from selenium.common.exceptions import WebDriverException

        self.start("--anonymous")
        # The token is there before the fault.
        self.curl("/application-details")
        self.sandbox.fault("html")
        head = self.curl("/application-details", "-i").stdout.decode().split("\r\n\r\n")[0]
        fields = [tuple(line.split(": ", 1)) for line in head.split("\r\n")[1:]]
        fields = [(name, value) for name, value in fields
                  if name.lower() not in ("date", "content-length", "connection", "transfer-encoding")]
        self.assertIn(("Content-Type", "text/html; charset=utf-8"), fields)

        class Other(_Page):
            requests = []

        class Secret(_Page):
            requests = []
            body = ('<!doctype html><meta name=referrer content=unsafe-url><title>secret</title>'
                    f'<img src="{self.serve(Other)}/image" referrerpolicy=unsafe-url><a href=/>a</a>')

        # As it is, the address leaks; with the fields of the proxy no page is shown.
        address = self.serve(Secret) + "/secret"
        for Secret.fields, leaked in ((_Page.fields, [("/image", address)]), (fields, [])):
            Other.requests.clear()
            Secret.requests.clear()
            self.driver.get(self.origin)
            with contextlib.suppress(WebDriverException):
                self.driver.get(address)
            self.driver.execute_async_script("setTimeout(arguments[0], 500)")
            self.assertEqual([path for path, _ in Secret.requests][0], "/secret")
            self.assertEqual(Other.requests, leaked)
            self.assertEqual(self.driver.title, "secret" if leaked else "page")
