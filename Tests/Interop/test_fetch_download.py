"""Downloads: resumed, repeated, named, and to new servers; measured as curl measures them."""

import json
import os
import re
import signal
import socket
import subprocess
import threading

from Interop.curl_variables import comparable
from Interop.test_fetch_faults import ScriptedCase
from Servers.case import Case
from Servers.pseudo_terminal import PseudoTerminal
from Servers.resource import pattern
from Servers.scripted import Scripted, http
from Servers.sdkctl import BINARY

SIZE = 200_000


class ContinueTests(ScriptedCase):
    def setUp(self):
        super().setUp()
        self.target = self.home.directory / "body"
        self.begun, self.release = threading.Event(), threading.Event()
        self.addCleanup(self.release.set)

    def names(self):
        return {path.name for path in self.home.directory.iterdir()} - {"store"}

    def cut(self, request):
        """Half of the body, and then nothing until the test ends."""
        yield http(200, pattern(SIZE)[:SIZE // 2], length=SIZE, ETag='"v1"')
        self.begun.set()
        yield self.release

    def ranged(self, request):
        start = int(re.fullmatch(r"bytes=(\d+)-", request.fields["range"][0])[1])
        assert request.fields["if-range"] == ['"v1"']
        yield http(206, pattern(SIZE)[start:], ETag='"v1"',
                   Content_Range=f"bytes {start}-{SIZE - 1}/{SIZE}")

    def interrupt(self, *options):
        self.server.replies["/f"] = self.cut
        with self.home.start("fetch", "--unauth", "/f", "-o", self.target, *options) as process:
            self.assertTrue(self.begun.wait(20))
            self.begun.clear()
            part = self.home.directory / "body.part"
            if options:
                while not part.exists() or part.stat().st_size < SIZE // 2:
                    pass  # the bytes have been sent, and are on their way
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)

    def test_an_interrupted_download_leaves_a_part_only_with_continue(self):
        self.interrupt()
        self.assertEqual(self.names(), set())
        self.interrupt("--continue")
        self.assertEqual(self.names(), {"body.part", "body.part.state"})
        self.server.replies["/f"] = self.ranged
        self.ok("fetch", "--unauth", "/f", "-o", self.target, "--continue")
        self.assertEqual(self.target.read_bytes(), pattern(SIZE))
        self.assertEqual(self.server.seen[-1].fields["range"], [f"bytes={SIZE // 2}-"])
        self.assertEqual(self.names(), {"body"})

    def test_nginx_sends_the_rest_of_a_file_that_is_the_same_and_all_of_another(self):
        files = self.stand.gateway.directory / "files"
        files.mkdir(exist_ok=True)
        source = files / "resumed"
        source.write_bytes(pattern(SIZE))
        self.ok("fetch", "--unauth", self.stand.gateway.url + "/files/resumed", "-o", self.target)
        self.assertEqual(self.target.read_bytes(), pattern(SIZE))
        etag = self.ok("fetch", "--unauth", self.stand.gateway.url + "/files/resumed", "-I", "-w",
                       "%header{etag}").text.splitlines()[-1]
        part, state = (self.home.directory / name for name in ("body.part", "body.part.state"))
        for validator in (etag, '"another"'):
            with self.subTest(validator):
                part.write_bytes(pattern(SIZE)[:1000])
                state.write_text(validator + "\n")
                result = self.ok("fetch", "--unauth", self.stand.gateway.url + "/files/resumed",
                                 "-o", self.target, "--continue", "-w", "%{size_download}")
                self.assertEqual(int(result.text), SIZE - (1000 if validator == etag else 0))
                self.assertEqual(self.target.read_bytes(), pattern(SIZE))

    def test_two_downloads_do_not_write_one_part(self):
        self.server.replies["/f"] = self.cut
        with self.home.start("fetch", "--unauth", "/f", "-o", self.target, "--continue") as first:
            self.assertTrue(self.begun.wait(20))
            result = self.fails(1, "fetch", "--unauth", "/f", "-o", self.target, "--continue")
            self.assertIn("another process", result.err)
            first.send_signal(signal.SIGINT)
            first.communicate(timeout=60)


class RouteTests(ScriptedCase):
    """A new server is tried before the DNS changes."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server.stop()
        cls.server = Scripted(cls.stand_type.shared().authority, "wronghost").start()
        cls.addClassCleanup(cls.server.stop)

    def setUp(self):
        Case.setUp(self)
        self.add_profile()
        self.server.replies["/x"] = http(200, b"new server")
        self.host = "elsewhere.example"
        self.server.seen.clear()

    def routes(self):
        port = self.server.port
        return (["--resolve", f"{self.host}:443:127.0.0.1", "--connect-to", f"::127.0.0.1:{port}"],
                ["--connect-to", f"{self.host}:443:127.0.0.1:{port}"],
                ["--connect-to", f"::localhost:{port}"])

    def test_fetch_pin_add_and_pin_check_go_to_the_named_server(self):
        for route in self.routes():
            with self.subTest(" ".join(route)):
                self.ok("pin", "add", self.host, "--yes", *route)
                checked = self.home.run("pin", "check", self.host, "--within", "1h", *route)
                self.assertNotRegex(checked.text, "unreachable|mismatch|untrusted")
                self.assertIn(self.host, checked.text)
                result = self.ok("fetch", "--unauth", f"https://{self.host}/x", *route)
                self.assertEqual(result.out, b"new server")
                self.assertEqual(self.server.seen[-1].fields["host"], [self.host])
                self.ok("pin", "remove", self.host, "--yes")

    def test_certificate_and_pins_are_those_of_the_host(self):
        url = f"https://{self.host}/x"
        for route in self.routes():
            self.fails(8, "fetch", "--unauth", url, *route)
        self.ok("pin", "add", self.stand.authority.pin("good"), "--host", self.host, "--yes")
        self.fails(8, "fetch", "--unauth", url, *self.routes()[1])
        self.set_pin(self.stand.authority.pin("wronghost"), host=self.host)
        # The other way round: what the named server shows must be for the URL's host.
        self.fails((7, 8), "fetch", "--unauth", "https://localhost/public", *self.routes()[2])
        self.assertEqual(self.server.seen, [])

    def test_a_plain_request_does_not_leave_this_machine(self):
        self.ok("profile", "set", "insecureLoopback=true")
        gone = ["--resolve", "localhost:1:192.0.2.1", "--connect-to", "::192.0.2.1:80"]
        result = self.fails(6, "fetch", "--unauth", "http://localhost:1/", *gone,
                            "--connect-timeout", "5")
        self.assertIn("refused", result.err)

    def test_connect_timeout_limits_the_connection(self):
        result = self.fails(6, "fetch", "--unauth", f"https://{self.host}/x", "--connect-timeout",
                            "0.3", *self.silent())
        self.assertIn("could not be reached within 0.3 seconds", result.err)

    def silent(self):
        """A server that accepts connections, and says nothing in the handshake."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        self.set_pin_once()
        return ["--connect-to", f"::127.0.0.1:{listener.getsockname()[1]}"]

    def set_pin_once(self):
        self.ok("pin", "add", self.stand.authority.pin("wronghost"), "--host", self.host, "--yes")


class MeasureTests(Case):
    """Variables have the names and the values of curl."""

    def setUp(self):
        super().setUp()
        self.add_profile()

    def curl(self, *words):
        command = ["curl", "--silent", "--cacert", self.stand.ca_file, *words]
        return subprocess.run(command, capture_output=True, check=True).stdout

    def test_each_variable_is_curls(self):
        url = self.stand.gateway.url + "/bytes/70000"
        words = ["-o", os.devnull, "-w", "%{json}"]
        ours = json.loads(self.ok("fetch", "--unauth", url, *words).out)
        theirs = comparable(json.loads(self.curl(url, *words)))
        self.assertEqual(set(theirs) - set(ours), set())
        for name in ("content_type", "http_code", "http_version", "method", "num_connects",
                     "num_headers", "num_redirects", "remote_ip", "remote_port", "response_code",
                     "scheme", "size_download", "size_upload", "ssl_verify_result", "url_effective",
                     "exitcode", "errormsg", "local_ip", "redirect_url", "filename_effective"):
            self.assertEqual(ours[name], theirs[name], name)
        for name in theirs:
            if name.startswith("time_"):
                self.assertGreaterEqual(ours["time_total"], ours[name], name)
                self.assertIsInstance(ours[name], float)
        self.assertGreater(ours["time_appconnect"], 0)
        self.assertEqual(ours["pins"], "matched")

    def test_formats_are_written_as_curl_writes_them(self):
        url = self.stand.gateway.url + "/status/404"
        form = r"%{http_code}|%{response_code}|%{http_connect}|%{method}|%header{content-type}\t%%\n"
        ours = self.home.run("fetch", "--unauth", url, "-o", os.devnull, "-w", form)
        self.assertEqual(ours.out, self.curl(url, "-o", os.devnull, "-w", form))

    def test_names_of_files_and_etags_are_curls(self):
        files = self.stand.gateway.directory / "files"
        files.mkdir(exist_ok=True)
        (files / "named%20file").write_text("content")
        url = self.stand.gateway.url + "/files/named%2520file?query=1"
        mine, theirs = (self.home.directory / name for name in ("mine", "theirs"))
        tags = [self.home.directory / name for name in ("my tag", "their tag")]
        mine.mkdir()
        self.curl(url, "-O", "--output-dir", theirs, "--create-dirs", "--etag-save", tags[1])
        for status in ("200", "304"):
            result = self.ok("fetch", "--unauth", url, "-O", "--output-dir", mine, "--etag-save", tags[0],
                             "--etag-compare", tags[0], "-w", "%{http_code}")
            self.assertEqual(result.text, status)
        self.assertEqual(sorted(os.listdir(mine)), sorted(os.listdir(theirs)))
        self.assertEqual(tags[0].read_text().strip(), tags[1].read_text().strip())
        self.assertEqual((mine / "named%2520file").read_text(), "content")


class TerminalTests(ScriptedCase):
    def test_a_long_download_shows_its_progress(self):
        def slow(request):
            yield http(200, b"", length=3_000_000)
            for _ in range(15):
                yield bytes(200_000)
                yield 0.1
        self.server.replies["/x"] = slow
        self.home.environment["TERM"] = "xterm"
        terminal = PseudoTerminal(self.home, BINARY, "fetch", "--unauth", "/x", "-o", "body")
        shown = terminal.wait_for(b" left")
        self.assertRegex(shown, rb"MiB of 2\.8 MiB  \d+%  .*iB/s  0:0\d left")
        status, rest = terminal.end()
        self.assertEqual(status, 0)
        self.assertTrue(rest.endswith(b"\r\x1b[K"), rest)


class CurlCommandTests(Case):
    def setUp(self):
        super().setUp()
        self.add_session()

    def test_the_command_does_the_same_and_holds_no_secret(self):
        file = self.home.directory / "file"
        file.write_text("it's \"data\"\n")
        for words in (["/api/me", "-H", "X-A: it's $HOME"], ["PUT", "/api/x", "-d", f"@{file}"],
                      ["/api/x", "--param", "a=b c&d"], ["DELETE", "/api/x"],
                      ["POST", "/api/x", "--param", "n:=3"], ["/api/x", "-d", ""]):
            with self.subTest(words):
                ours = self.jsonOf(self.ok("fetch", *words))
                command = self.ok("fetch", "--as-curl", *words).text
                token = self.ok("token").text.strip()
                self.assertNotIn(token, command)
                theirs = self.jsonOf(self.home.paste(command))
                for echo in (ours, theirs):
                    for name in ("accept", "host", "connection"):
                        echo["fields"].pop(name, None)
                self.assertEqual(ours, theirs)


class TraceTests(Case):
    def test_each_exchange_of_a_login_is_in_the_trace_without_its_secrets(self):
        self.add_registered()
        self.home.use_browser(self.stand)
        trace = self.home.directory / "trace"
        self.ok("login", "--trace", trace)
        text = trace.read_text()
        stored = json.loads(self.home.slot_file().read_text())
        secrets = [value for name, value in walk(stored) if "token" in name.lower()]
        secrets += [value for name, value in walk(json.loads(self.home.registration_file.read_text()))
                    if name in ("client_secret", "registration_access_token")]
        secrets = [secret for secret in secrets if isinstance(secret, str) and len(secret) > 20
                   and not secret.startswith("https:")]  # endpoints
        self.assertGreaterEqual(len(secrets), 3)
        for secret in secrets:
            self.assertNotIn(secret, text)
        self.assertIn("> grant_type = authorization_code", text)
        self.assertIn("> code = ‹redacted›", text)
        self.assertIn('"iss":', text)  # the claims of the ID token
        self.assertRegex(text, r"\* connected to 127\.0\.0\.1 port \d+, TLSv1\.3, pins matched")
        self.assertEqual(trace.stat().st_mode & 0o777, 0o600)
        self.ok("fetch", "/redirect/same", "--trace", trace)
        second = trace.read_text()
        self.assertEqual(second.count("\n#") + 1, 2)
        self.assertNotIn(secrets[0], second)
        self.assertIn("> Authorization: Bearer ‹redacted›", second)

    def test_handshakes_without_a_request_are_in_the_trace(self):
        self.add_profile()
        trace = self.home.directory / "trace"
        for command in (["check"], ["show", "--served"], ["hash"]):
            place = self.stand.gateway.url.removeprefix("https://").partition("/")[0]
            words = [place] if command[0] != "check" else []
            self.home.run("pin", *command[:1], *words, *command[1:], "--trace", trace)
            text = trace.read_text()
            self.assertRegex(text, r"#\d+ \S+Z handshake with localhost:\d+\n", command)
            self.assertRegex(text, r"\* connected to \S+ port \d+, TLSv1\.3, pins \w+, TLS_\w+\n")
            self.assertRegex(text, r"\* validated: .*CN=good.*, until \S+Z, sha256/\S+\n")
            self.assertRegex(text, r"\* name \d+ ms, connect \d+ ms, TLS \d+ ms")
        self.assertIn("pins unpinned", text)  # there is no profile
        self.set_pin(self.stand.authority.pin("wronghost"))
        self.fails(8, "fetch", "--unauth", "/public", "--trace", trace)
        text = trace.read_text()
        self.assertRegex(text, r"\* connected to \S+ port \d+, TLSv1\.3, pins mismatched, TLS_")
        self.assertRegex(
            text, r"\* error: no key of the certificate chain of localhost:\d+ is pinned")


def walk(value, name=""):
    """Every scalar of a document with the name of its member."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from walk(member, key)
    elif isinstance(value, list):
        for member in value:
            yield from walk(member, name)
    else:
        yield name, value
