"""Chromium and `proxy`: which pages may use it."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from Servers.proxies import ProxyStarter

from .person import BrowserCase

FETCH = """
const [url, init, done] = arguments;
fetch(url, init).then(async r => done(r.status + " " + await r.text()), e => done("refused: " + e));
"""


class _Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>page</title><h1>page</h1>")

    def log_message(self, *_):
        pass


class ProxyTests(ProxyStarter, BrowserCase):
    def setUp(self):
        super().setUp()
        server = ThreadingHTTPServer(("127.0.0.1", 0), _Page)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.origin = f"http://127.0.0.1:{server.server_port}"

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
