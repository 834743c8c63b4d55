"""`proxy` with clients of Debian: hey (Go), and websocket-client (Python)."""

import csv
import json
import subprocess

from Servers.case import Case
from Servers.proxies import ProxyStarter
from Servers.relay import Relay

WEBSOCKET = """
import json, socket, sys, urllib.parse, websocket

url = urllib.parse.urlsplit(sys.argv[1])
plug = socket.create_connection((url.hostname, url.port), timeout=20)
try:
    websocket.create_connection(url._replace(scheme="ws").geturl(), socket=plug.dup())
except websocket.WebSocketBadStatusException as refusal:
    # A client before 1.4 reads no body of a refusal: it is still there.
    body = getattr(refusal, "resp_body", None) or b""
    while more := plug.recv(65536):
        body += more
    print(json.dumps({"status": refusal.status_code, "text": str(refusal),
                      "fields": refusal.resp_headers, "body": json.loads(body)}))
"""


class CountingRelay(Relay):
    """Counts the connections that it has carried."""

    accepted = 0

    def serve(self, client):
        with self.lock:
            self.accepted += 1
        super().serve(client)


class GoTests(ProxyStarter, Case):
    def setUp(self):
        super().setUp()
        self.add_session()
        self.start("--quiet")
        self.relay = CountingRelay(self.address.port).start()
        self.addCleanup(self.relay.stop)
        self.log = self.stand.gateway.requests()

    def hey(self, path, *arguments) -> list:
        """The status of each request."""
        done = subprocess.run(
            ["hey", "-o", "csv", "-host", self.address.netloc, *arguments,
             f"http://127.0.0.1:{self.relay.port}{self.address.path}{path}"],
            capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done)
        return [row["status-code"] for row in csv.DictReader(done.stdout.splitlines())]

    def upstream(self) -> set:
        """The connections of the requests that the resource server has got."""
        return {line.split()[1] for line in self.log.lines() if "/public" in line or "/api/echo" in line}

    def test_connections_are_kept(self):
        self.assertEqual(self.hey("/public", "-n", "200", "-c", "1"), ["200"] * 200)
        self.assertEqual(self.relay.accepted, 1)
        self.assertEqual(len(self.upstream()), 1)

    def test_many_requests_at_once(self):
        self.assertEqual(self.hey("/public", "-n", "1000", "-c", "50"), ["200"] * 1000)
        # Go may connect once more while another connection becomes free.
        self.assertLessEqual(self.relay.accepted, 100)
        self.assertEqual(self.log.count("/public"), 1000)
        self.assertLessEqual(len(self.upstream()), 100)

    def test_bodies_of_many_requests_at_once(self):
        self.assertEqual(self.hey("/api/echo", "-n", "40", "-c", "10", "-m", "POST", "-d", "a" * 20_000),
                         ["200"] * 40)

    def test_a_connection_for_each_request(self):
        self.assertEqual(self.hey("/public", "-n", "100", "-c", "10", "-disable-keepalive"), ["200"] * 100)
        self.assertEqual(self.relay.accepted, 100)
        # Those to the server are kept all the same.
        self.assertLess(len(self.upstream()), 50)

    def test_a_status_comes_as_it_is(self):
        self.assertEqual(self.hey("/status/404", "-n", "20", "-c", "2"), ["404"] * 20)


class UpgradeTests(ProxyStarter, Case):
    def setUp(self):
        super().setUp()
        self.add_session()
        self.start("--quiet")
        self.log = self.stand.gateway.requests()

    def test_a_websocket_is_refused_with_a_reason(self):
        # Debian's python3 has its packages.
        done = subprocess.run(["/usr/bin/python3", "-c", WEBSOCKET, self.url + "/public"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done)
        seen = json.loads(done.stdout)
        self.assertEqual(seen["status"], 501)
        self.assertIn("501 Not Implemented", seen["text"])
        self.assertEqual(seen["fields"]["content-type"], "application/json")
        self.assertEqual(seen["fields"]["connection"].lower(), "close")
        self.assertEqual(seen["body"], {
            "error": "request_refused", "message": "a connection cannot be upgraded to another protocol"})
        self.assertNoRequest(self.log)
