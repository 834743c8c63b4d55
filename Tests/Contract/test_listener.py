"""A login waits at its listener, and others than its browser come: from 127.0.0.1 and from ::1."""

import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import urllib.parse

from Servers.case import Case
from Servers.process import free_port
from Servers.sdkctl import BINARY

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


class PortTests(Case):
    def test_a_machine_without_ipv6_waits_on_ipv4(self):
        """In a network of its own, without a server."""
        isolated = ("unshare", "--net", "--map-root-user")
        if subprocess.run([*isolated, "true"], capture_output=True).returncode != 0:
            self.skipTest("this user cannot make a network")
        url = "http://127.0.0.1:1"
        self.ok("profile", "add", "test", "--issuer", url, "--resource-url", url,
                "--insecure-loopback", "--yes")
        self.ok("profile", "set", "discovery=false", f"endpoints.authorization={url}/a",
                f"endpoints.token={url}/t", "clientID=c1")
        # SIOCSIFFLAGS with IFF_UP.
        program = """
import fcntl, os, socket, struct, sys
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh22x", b"lo", 1))
with open("/proc/sys/net/ipv6/conf/lo/disable_ipv6", "w") as file:
    file.write("1")
os.execv(sys.argv[1], sys.argv[1:])
"""
        process = subprocess.Popen(
            [*isolated, sys.executable, "-c", program, BINARY, "login", "--no-browser"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=self.home.environment, start_new_session=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertTrue(any(b"redirect_uri=http%3A%2F%2F127.0.0.1%3A" in line for line in process.stderr))


class ForgeryTests(ListenerCase):
    def test_only_the_right_answer_ends_the_wait(self):
        self.wait_at_listener()
        right = self.callback(code="c0de", state=self.state)
        wrong = self.state[:-1] + ("A" if self.state[-1] != "A" else "B")
        host = f"attacker.example:{self.port}"
        for address in FAMILIES:
            for what, status, keywords in (
                    (self.callback(code="stolen", state=wrong), 400, {}),
                    (right, 405, {"method": "POST"}),
                    (right, 400, {"host": host}),
                    (right + "&more=", 414, {"padding": b"x" * (1 << 20)})):
                with self.subTest(what, address=address, how=str(keywords)[:60]):
                    self.assertEqual(self.status(address, what, **keywords), status)
        self.assertLogsIn()


class FloodTests(ListenerCase):
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


class EndTests(ListenerCase):
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

    def test_a_port_that_becomes_free_soon_is_taken(self):
        port = free_port()
        with socket.create_server(("127.0.0.1", port)) as other:
            threading.Timer(0.5, other.close).start()
            self.wait_at_listener("--callback-port", str(port))
        self.assertEqual(self.port, port)
        self.assertLogsIn()
