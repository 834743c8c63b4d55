"""A login waits at its listener, and others than its browser come: from 127.0.0.1 and from ::1."""

import re
import resource
import signal
import socket
import threading
import time
import urllib.parse

from Servers.case import Case
from Servers.process import free_port

FAMILIES = ("127.0.0.1", "::1")


class ListenerCase(Case):
    def setUp(self):
        super().setUp()
        self.provider = self.stand.hostile
        self.add_profile(issuer=self.provider.issuer("honest"))
        self.ok("profile", "set", "scope=notes")  # it gives no ID token
        self.ok("register", "--client-id", "c1", "--client-secret-file", "-", input="s3cret\n")
        self.asked = self.provider.count("honest", "token")

    def wait_at_listener(self, *arguments):
        """Starts a login and returns when it waits; what its URL asks for is kept."""
        self.process = self.home.start("login", "--no-browser", *arguments)
        self.addCleanup(self.process.kill)
        for line in self.process.stderr:
            if found := re.match(rb"\s*(https://\S+[?&]state=\S+)", line):
                break
        else:
            self.fail("the login ended without an URL")
        split = urllib.parse.urlsplit(found[1].decode())
        query = dict(urllib.parse.parse_qsl(split.query))
        self.state, redirect = query["state"], urllib.parse.urlsplit(query["redirect_uri"])
        self.port, self.path = redirect.port, redirect.path

    def connect(self, address) -> socket.socket:
        connection = socket.create_connection((address, self.port), timeout=20)
        self.addCleanup(connection.close)
        return connection

    def begin_requests(self, count):
        """Opens connections, each with the beginning of a request."""
        for number in range(count):
            try:
                self.connect(FAMILIES[number % 2]).sendall(b"GET /callback?code=")
            except (BrokenPipeError, ConnectionResetError):
                pass  # it was closed for a newer one

    def status(self, address, target, method="GET", host=None, padding=b"") -> int:
        """The status of the answer to one request."""
        name = host or (f"[{address}]" if ":" in address else address) + f":{self.port}"
        with self.connect(address) as connection:
            try:
                connection.sendall(f"{method} {target}".encode() + padding +
                                   f" HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
            except OSError:
                pass  # it need not read all of it
            answer = b""
            try:
                while piece := connection.recv(65536):
                    answer += piece
            except ConnectionResetError:
                pass
        found = re.match(rb"HTTP/1\.1 (\d{3}) ", answer)
        return int(found[1]) if found else 0

    def callback(self, **query) -> str:
        return f"{self.path}?{urllib.parse.urlencode(query)}"

    def assertLogsIn(self):
        """The wait went on all the while: the right answer ends it."""
        self.assertIsNone(self.process.poll())
        self.assertFalse(self.home.slot_file().exists())
        self.assertEqual(self.provider.count("honest", "token"), self.asked)
        self.assertEqual(self.status(FAMILIES[0], self.callback(code="c0de", state=self.state)),
                         303)
        out, errors = self.process.communicate(timeout=60)
        self.assertEqual((self.process.returncode, out), (0, b""), errors)
        self.assertEqual(self.provider.count("honest", "token"), self.asked + 1)
        self.assertEqual(self.ok("token").out, b"at-1\n")

    def files(self) -> dict:
        return {path: path.read_bytes() for path in self.home.store.rglob("*")
                if path.is_file() and "cache" not in path.parts and path.suffix != ".lock"}

    def assertPortIsFree(self):
        for address in FAMILIES:
            with self.assertRaises(ConnectionRefusedError):
                socket.create_connection((address, self.port), timeout=5).close()


class ForgeryTests(ListenerCase):
    def test_only_the_right_answer_ends_the_wait(self):
        self.wait_at_listener()
        right = self.callback(code="c0de", state=self.state)
        wrong = self.state[:-1] + ("A" if self.state[-1] != "A" else "B")
        host = f"attacker.example:{self.port}"
        for address in FAMILIES:
            for what, status, keywords in (
                    (self.callback(code="stolen", state=wrong), 400, {}),
                    (self.callback(error="access_denied", state=wrong), 400, {}),
                    (self.callback(code="stolen"), 400, {}),
                    (self.callback(error="access_denied"), 400, {}),
                    (self.callback(code="c", state="") + f"&state={self.state}", 400, {}),
                    (right, 405, {"method": "POST"}),
                    (right, 405, {"method": "HEAD"}),
                    (right.replace(self.path, self.path + "/more"), 404, {}),
                    (right.replace(self.path, "/"), 404, {}),
                    (right.replace(self.path, "/x/.." + self.path), 404, {}),
                    ("/favicon.ico", 404, {}),
                    (right, 400, {"host": host}),
                    (right, 400, {"host": "127.0.0.1"}),
                    (right + "&more=", 414, {"padding": b"x" * (1 << 20)}),
                    ("http://127.0.0.1" + right, 400, {})):
                with self.subTest(what, address=address, how=str(keywords)[:60]):
                    self.assertEqual(self.status(address, what, **keywords), status)
        self.assertLogsIn()

    def test_the_right_answer_counts_once(self):
        for address in FAMILIES:
            with self.subTest(address):
                self.home.slot_file().unlink(missing_ok=True)
                self.asked = self.provider.count("honest", "token")
                self.wait_at_listener()
                right = self.callback(code="c0de", state=self.state)
                self.assertEqual(self.status(address, right), 303)
                try:
                    # Too late, or after the end of it all.
                    self.assertIn(self.status(address, right), (0, 400, 409))
                except ConnectionRefusedError:
                    pass
                self.process.communicate(timeout=60)
                self.assertEqual(self.process.returncode, 0)
                self.assertEqual(self.provider.count("honest", "token"), self.asked + 1)

    def test_a_refusal_needs_the_right_state_too(self):
        self.wait_at_listener()
        self.assertEqual(self.status("::1", self.callback(error="access_denied", state="x")), 400)
        self.assertEqual(
            self.status("::1", self.callback(error="access_denied", state=self.state)), 303)
        _, errors = self.process.communicate(timeout=60)
        self.assertEqual(self.process.returncode, 15, errors)
        self.assertIn(b"access_denied", errors)
        self.assertEqual(self.provider.count("honest", "token"), self.asked)


class FloodTests(ListenerCase):
    def test_a_thousand_connections_that_send_nothing(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        self.wait_at_listener()
        idle = [self.connect(FAMILIES[number % 2]) for number in range(1000)]
        with open(f"/proc/{self.process.pid}/status") as status:
            peak = int(re.search(r"VmHWM:\s+(\d+) kB", status.read())[1])
        self.assertLess(peak, 200 << 10)
        self.assertLogsIn()
        self.assertEqual(len(idle), 1000)

    def test_few_descriptors_are_enough_for_the_login_beside_a_flood(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
        try:
            self.wait_at_listener()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        self.begin_requests(200)
        self.assertLogsIn()

    def test_requests_that_never_end(self):
        self.wait_at_listener()
        self.begin_requests(200)
        self.assertLogsIn()


class EndTests(ListenerCase):
    def test_a_browser_that_never_comes_is_waited_for_as_long_as_it_was_told(self):
        before, began = self.files(), time.monotonic()
        result = self.home.run("login", "--no-browser", "--timeout", "1")
        self.assertEqual((result.exit, result.out), (6, b""), result)
        self.assertError(result, "no response came from the browser in time")
        self.assertRegex(result.err, r"hint: .*scope.*http://127\.0\.0\.1:\d+/callback")
        self.assertTrue(result.hint.startswith(f"sdkctl -p {self.home.name} profile set scope="))
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(self.files(), before)

    def test_a_signal_ends_it_closes_the_listener_and_changes_nothing(self):
        before = self.files()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                self.wait_at_listener()
                self.process.send_signal(number)
                out, _ = self.process.communicate(timeout=60)
                self.assertEqual((self.process.returncode, out), (-number, b""))
                self.assertPortIsFree()
                self.assertEqual(self.files(), before)

    def test_a_port_in_use_is_named(self):
        for address in FAMILIES:
            with self.subTest(address):
                family = socket.AF_INET6 if ":" in address else socket.AF_INET
                port = free_port()
                with socket.create_server((address, port), family=family):
                    result = self.fails(1, "-q", "login", "--no-browser", "--callback-port",
                                        str(port))
                self.assertError(result, f"port {port} is in use")
                self.assertIn(f"ss -ltnp 'sport = :{port}'", result.err)
                self.assertIn("login --callback-port 0`", result.err)

    def test_a_port_that_is_not_registered_gets_a_note(self):
        registered = str(free_port())
        self.ok("register", "--replace", "--client-id", "c1", "--client-secret-file", "-",
                "--callback-port", registered, input="s3cret\n")
        note = f"the client is registered for port {registered}; some servers refuse another".encode()
        for port, is_noted in (("0", True), (registered, False)):
            self.home.forget_failed_login()
            process = self.home.start("login", "--no-browser", "--callback-port", port,
                                      "--timeout", "2")
            _, errors = process.communicate(timeout=60)
            self.assertEqual(note in errors, is_noted, errors)

    def test_a_port_that_becomes_free_soon_is_taken(self):
        port = free_port()
        with socket.create_server(("127.0.0.1", port)) as other:
            threading.Timer(0.5, other.close).start()
            self.wait_at_listener("--callback-port", str(port))
        self.assertEqual(self.port, port)
        self.assertLogsIn()


class MetadataTests(Case):
    """Where the metadata send a client: never to plain http, elsewhere only with a pin."""

    def at(self, fault):
        self.home = self.new_home()
        self.add_profile(issuer=self.stand.hostile.issuer(fault))

    def test_a_discovery_that_leads_to_http_is_not_followed(self):
        self.at("metadata-to-http")
        result = self.fails(6, "register")
        self.assertFalse(self.home.registration_file.exists())
        self.assertError(result, "redirect|302|http:")

    def test_an_endpoint_of_another_origin_needs_its_pin(self):
        self.at("token-elsewhere")
        self.ok("register", "--client-id", "c1", "--client-secret-file", "-", input="s3cret\n")
        before = self.stand.hostile.count("honest", "token")
        result = self.fails(8, "login", "--anonymous")
        self.assertIn("127.0.0.1", result.err)
        self.assertEqual(self.stand.hostile.count("honest", "token"), before)
        self.ok("pin", "add", f"127.0.0.1:{self.stand.hostile.port}", "--yes")
        self.ok("login", "--anonymous")
        self.assertEqual(self.stand.hostile.count("honest", "token"), before + 1)
