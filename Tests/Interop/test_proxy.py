"""`proxy` with curl, http.client and raw sockets, in front of nginx and a real provider."""

import hashlib
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from Servers.case import Case
from Servers.proxies import ProxyStarter
from Servers.resource import pattern
from Servers.sdkctl import REPOSITORY

PAGE = REPOSITORY / "docs/proxy.md"


class ProxyCase(ProxyStarter, Case):
    def setUp(self):
        super().setUp()
        self.add_session()


    def as_another_user(self, script, *arguments) -> subprocess.Popen:
        """Runs a script of Python as `nobody`; for tests that root runs."""
        if os.geteuid() != 0:
            self.skipTest("only root can run programs as another user")
        # That of the tests may be in a directory of root.
        python = shutil.which("python3", path="/usr/bin:/bin") or sys.executable
        process = subprocess.Popen([python, "-c", script, *arguments], user=65534, group=65534, extra_groups=[], cwd="/",
                                   stdout=subprocess.PIPE)
        self.addCleanup(self.end, process)
        return process


class PassingTests(ProxyCase):
    def test_curl_gets_what_fetch_gets_and_no_credential_of_its_own_goes_on(self):
        self.start()
        done = self.curl("/api/echo?a=1&b=%2F", "-H", "Authorization: Basic eA==", "-b", "a=b",
                         "-H", "X-Own: 1", "-H", "Referer: http://127.0.0.1/secret")
        echo = json.loads(done.stdout)
        token = self.ok("token").text.strip()
        self.assertEqual(echo["fields"]["authorization"], [f"Bearer {token}"])
        self.assertEqual(echo["query"], "a=1&b=%2F")
        self.assertEqual(echo["fields"]["x-own"], ["1"])
        for name in ("cookie", "referer", "origin"):
            self.assertNotIn(name, echo["fields"])
        self.assertNotIn(self.address.path.strip("/"), done.stdout.decode())

    def test_a_connection_is_kept_for_requests_with_bodies_of_both_kinds(self):
        self.start()
        connection = self.connection()
        # A body of unknown length is chunked.
        for body, text in ((b"x=1", "x=1"), (iter([b"ab", b"cd"]), "abcd")):
            connection.request("POST", self.address.path + "/api/echo", body=body)
            plug = connection.sock
            response = connection.getresponse()
            self.assertEqual(json.load(response)["body"], text)
            if response.headers["Connection"] != "close":
                self.assertIs(connection.sock, plug)
        connection.request("HEAD", self.address.path + "/bytes/1000")
        plug = connection.sock
        response = connection.getresponse()
        self.assertEqual((response.status, response.headers["Content-Length"]), (200, "1000"))
        self.assertEqual(response.read(), b"")
        connection.request("GET", self.address.path + "/status/404")
        response = connection.getresponse()
        self.assertEqual((response.status, response.read()), (404, b"status 404\n"))
        self.assertIs(connection.sock, plug)

    def test_a_response_to_head_and_a_304_end_with_the_head(self):
        self.start()
        # What followed would be read as the next response (RFC 9112 section 6.3); a length is that of the body that
        # a GET would get, or is left out (RFC 9110 section 8.6).
        for method, target in (("HEAD", "/slow/0"), ("HEAD", "/bytes/1000"), ("GET", "/status/304")):
            with self.subTest(method=method, target=target):
                received = self.raw(self.head("Connection: close", method=method, target=target))
                head, end, rest = received.partition(b"\r\n\r\n")
                self.assertIn(head[9:12], (b"200", b"304"), received)
                self.assertEqual((end, rest), (b"\r\n\r\n", b""), received)
                self.assertNotIn(b"\r\nContent-Length: 0", head)
                self.assertNotIn(b"\r\nTransfer-Encoding:", head)

    def test_an_expired_token_is_renewed_and_a_refused_one_is_replaced_with_the_body_sent_again(self):
        self.start()
        old = self.ok("token").text.strip()
        self.home.expire()
        echo = json.loads(self.curl("/api/echo", "-d", "one").stdout)
        self.assertNotEqual(echo["fields"]["authorization"], [f"Bearer {old}"])
        current = self.ok("token").text.strip()
        self.revoke_access(current)
        body = "b" * 200_000
        file = self.home.directory / "body"
        file.write_text(body)
        echo = json.loads(self.curl("/api/echo", "--data-binary", f"@{file}").stdout)
        self.assertTrue(echo["body"] == body)
        self.assertNotIn(current, echo["fields"]["authorization"][0])

    def test_large_bodies_pass_whole_with_little_memory(self):
        process = self.start()
        size = 60_000_000
        done = self.curl(f"/bytes/{size}")
        self.assertEqual(hashlib.sha256(done.stdout).digest(), hashlib.sha256(pattern(size)).digest())
        file = self.home.directory / "large"
        file.write_bytes(pattern(20_000_000))
        echo = json.loads(self.curl("/api/echo", "-T", str(file), "-X", "POST").stdout)
        self.assertTrue(echo["body"].encode("latin-1") == pattern(20_000_000))
        peak = next(line for line in open(f"/proc/{process.pid}/status") if line.startswith("VmHWM"))
        self.assertLess(int(peak.split()[1]), 200_000)

    def test_a_long_body_is_sent_again_whole_or_its_401_comes_back(self):
        self.start()
        token = self.ok("token").text.strip()
        self.revoke_access(token)
        file = self.home.directory / "large"
        file.write_bytes(pattern(5_000_000))
        done = self.curl("/api/echo", "-T", str(file), "-X", "POST", "-w", "%{http_code}")
        if done.stdout[-3:] == b"401":
            # More than is kept was sent before the server refused the token.
            done = self.curl("/api/echo", "-d", "small", "-w", "%{http_code}")
            self.assertEqual(done.stdout[-3:], b"200")
        else:
            self.assertEqual(done.stdout[-3:], b"200")
            # As a plain truth: a difference of large bodies takes long to show.
            body = json.loads(done.stdout[:-3])["body"].encode("latin-1")
            self.assertTrue(body == pattern(5_000_000))
        self.assertNotIn(token.encode(), done.stdout)

    def test_errors_of_the_proxy_are_json(self):
        self.start()
        self.ok("logout")
        done = self.curl("/api/echo", "-w", "%{http_code}")
        self.assertEqual(done.stdout[-3:], b"503")
        self.assertEqual(json.loads(done.stdout[:-3])["error"], "not_authenticated")


class PlaceTests(ProxyCase):
    def test_a_socket_is_for_this_user_and_is_removed_at_the_end(self):
        path = self.home.directory / "api"
        process = self.start("--socket", str(path))
        self.assertEqual(self.url, "http://localhost")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(self.curl("/public", "--unix-socket", str(path)).stdout, b"ok\n")
        self.fails(1, "proxy", "--socket", str(path))
        process.terminate()
        self.assertEqual(process.wait(20), -signal.SIGTERM)
        self.assertFalse(path.exists())

    def test_a_file_is_never_replaced_by_a_socket(self):
        path = self.home.directory / "file"
        path.write_text("kept")
        self.fails(1, "proxy", "--socket", str(path))
        self.assertEqual(path.read_text(), "kept")

    def test_a_socket_of_another_user_is_not_replaced(self):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        folder.chmod(0o777)
        path = folder / "api"
        listen = ("import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print(flush=True); "
                  "import time; time.sleep(60)")
        other = self.as_another_user(listen, str(path))
        other.stdout.readline()
        inode = path.stat().st_ino
        self.assertIn("of another user", self.fails(1, "proxy", "--socket", str(path)).err)
        self.assertEqual(path.stat().st_ino, inode)

    def test_connections_of_another_user_are_closed_and_take_no_place(self):
        process = self.start()
        head = self.head("Connection: close")
        flood = ("import socket, sys; port, head = int(sys.argv[1]), sys.argv[2].encode(); "
                 "one = socket.create_connection(('127.0.0.1', port)); one.sendall(head); got = b'closed'\n"
                 "try: got = one.recv(100) or got\n"
                 "except ConnectionResetError: pass\n"
                 "held = [socket.create_connection(('127.0.0.1', port)) for _ in range(300)]\n"
                 "print(got.decode(), flush=True); import time; time.sleep(60)")
        other = self.as_another_user(flood, str(self.address.port), head.decode())
        self.assertEqual(other.stdout.readline(), b"closed\n")
        self.assertEqual(self.raw(head)[9:12], b"200")
        process.terminate()
        log = process.communicate(timeout=20)[1].decode()
        self.assertEqual(log.count("no program of this user"), 1, log)

    def test_settings_and_pins_count_that_are_changed_while_it_runs(self):
        self.start()
        self.assertEqual(self.curl("/public").stdout, b"ok\n")
        pins = self.home.pins_file.read_text()
        self.set_pin("sha256/" + "A" * 43 + "=")
        self.assertIn("pin", json.loads(self.curl("/public").stdout)["message"])
        self.home.pins_file.write_text(pins)
        self.assertEqual(self.curl("/public").stdout, b"ok\n")
        url = json.loads(self.ok("profile", "show", "--json").out)["resourceURL"].rstrip("/")
        self.ok("profile", "set", f"resourceURL={url}/api")
        self.assertIn("fields", json.loads(self.curl("/echo").stdout))

    def test_a_command_has_the_address_and_its_status_is_that_of_the_proxy(self):
        done = self.home.run("proxy", "-q", "--", "sh", "-c", 'curl -sS "$SDKCTL_PROXY_URL/public"; exit 7')
        self.assertEqual((done.exit, done.out), (7, b"ok\n"), done)
        self.fails(127, "proxy", "--", "/nowhere/program")

    def test_a_signal_ends_what_runs_first(self):
        process = self.start()
        running = subprocess.Popen(["curl", "-sSN", self.url + "/slow/4", "-w", "%{http_code}"],
                                   stdout=subprocess.PIPE)
        self.addCleanup(self.end, running)
        # What has arrived is passed on, although it is little.
        started = time.monotonic()
        self.assertEqual(running.stdout.read(1), b".")
        self.assertLess(time.monotonic() - started, 2)
        process.terminate()
        self.assertRegex(running.communicate(timeout=20)[0], rb"\A\.{20,}200\Z")
        self.assertEqual(running.returncode, 0)
        self.assertEqual(process.wait(20), -signal.SIGTERM)

    def test_the_log_has_no_secret(self):
        process = self.start()
        self.curl("/public?code=geheim")
        self.curl("/public", url=f"http://{self.address.netloc}/falsch")
        process.terminate()
        log = process.communicate(timeout=20)[1].decode()
        self.assertIn("GET /public 200 3 bytes", log)
        self.assertIn("GET - 404", log)
        for secret in ("geheim", "falsch", self.address.path.strip("/")):
            self.assertNotIn(secret, log)


class DocumentTests(Case):
    def test_each_block_of_the_page_runs(self):
        self.add_session()
        blocks = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
        self.assertEqual(len(blocks), 4)
        for block in blocks:
            with self.subTest(block):
                done = subprocess.run(
                    ["bash", "-euo", "pipefail", "-c", block], env=self.home.environment,
                    cwd=self.home.directory, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                    timeout=60)
                self.assertEqual(done.returncode, 0, f"{block}\n{done.stdout}{done.stderr}")
                self.assertTrue(done.stdout)


class RefusalTests(ProxyCase):
    def status(self, request: bytes) -> bytes:
        return self.raw(request)[9:12]

    def test_the_table_of_requests_that_are_refused(self):
        self.start()
        host = self.address.netloc
        secret = self.address.path
        plain = self.head("Connection: close")
        self.assertEqual(self.status(plain), b"200")
        post = f"POST {secret}/public HTTP/1.1\r\nHost: {host}\r\n"
        rows = {
            "both lengths": post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "two lengths": post + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            "the same length twice": post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
            "a list of lengths": post + "Content-Length: 3, 3\r\n\r\nabc",
            "a length with a sign": post + "Content-Length: +3\r\n\r\nabc",
            "another coding": post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "a hidden coding": post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
            "two codings": post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "bare CR": post + "X: a\rContent-Length: 3\r\n\r\nabc",
            "bare LF": f"GET {secret}/public HTTP/1.1\nHost: {host}\n\n",
            "one bare LF": f"GET {secret}/public HTTP/1.1\r\nX: 1\nHost: {host}\r\n\r\n",
            "obs-fold": f"GET {secret}/public HTTP/1.1\r\nHost: {host}\r\nX: a\r\n b\r\n\r\n",
            "obs-fold with a tab": f"GET {secret}/public HTTP/1.1\r\nHost: {host}\r\nX: a\r\n\tb\r\n\r\n",
            "space before the colon": f"GET {secret}/public HTTP/1.1\r\nHost : {host}\r\n\r\n",
            "a name with a space": f"GET {secret}/public HTTP/1.1\r\nHost: {host}\r\nX Y: 1\r\n\r\n",
            "a line without a colon": f"GET {secret}/public HTTP/1.1\r\nHost: {host}\r\nXY\r\n\r\n",
            "NUL in a value": f"GET {secret}/public HTTP/1.1\r\nHost: {host}\r\nX: a\0b\r\n\r\n",
            "NUL in the target": f"GET {secret}/public\0x HTTP/1.1\r\nHost: {host}\r\n\r\n",
            "two spaces": f"GET  {secret}/public HTTP/1.1\r\nHost: {host}\r\n\r\n",
            "a tab in the line": f"GET\t{secret}/public HTTP/1.1\r\nHost: {host}\r\n\r\n",
            "no Host": f"GET {secret}/public HTTP/1.1\r\n\r\n",
            "two Hosts": f"GET {secret}/public HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n\r\n",
            "another Host": f"GET {secret}/public HTTP/1.1\r\nHost: evil.test\r\n\r\n",
            "another host": f"GET http://evil.test{secret}/public HTTP/1.1\r\nHost: {host}\r\n\r\n",
            "without the secret": f"GET /public HTTP/1.1\r\nHost: {host}\r\n\r\n",
            "CONNECT": f"CONNECT localhost:443 HTTP/1.1\r\nHost: {host}\r\n\r\n",
            "TRACE": f"TRACE {secret}/public HTTP/1.1\r\nHost: {host}\r\n\r\n",
            "Upgrade": f"GET {secret}/public HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n\r\n",
            "Origin": f"GET {secret}/public HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.test\r\n\r\n",
            "HTTP/1.2": f"GET {secret}/public HTTP/1.2\r\nHost: {host}\r\n\r\n",
        }
        follower = f"GET {secret}/public HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
        for name, request in rows.items():
            with self.subTest(name):
                received = self.raw(request.encode("latin-1") + follower)
                # Nothing is passed on, and what follows is not read as a request.
                self.assertNotIn(b"ok\n", received, received)
                # libmicrohttpd 0.9.75 sends the head of some of its own refusals twice; the pages of 1.0 have the
                # words "HTTP/1.1 request" in them.
                heads = re.sub(rb"<html>.*?</html>", b"", received, flags=re.DOTALL)
                for status in re.findall(rb"HTTP/1\.1 (.)", heads):
                    self.assertIn(status, b"45", received)
        for name, code in {"CONNECT": b"405", "TRACE": b"405", "Upgrade": b"501", "Origin": b"403",
                           "another Host": b"421", "without the secret": b"404"}.items():
            self.assertEqual(self.status(rows[name].encode()), code, name)

    def test_lines_of_chunks_end_with_cr_and_lf(self):
        self.start()
        head = self.head("Transfer-Encoding: chunked", target="/api/echo", method="POST").decode()
        follower = self.head("Connection: close").decode()
        # libmicrohttpd 1.0 refuses an extension ("3;a=b"), which 0.9 ignores.
        received = self.raw((head + "3\r\nabc\r\n2\r\n\nx\r\n0\r\n\r\n" + follower).encode())
        # libmicrohttpd 1.0 answers the follower too.
        body = json.JSONDecoder().raw_decode(received[received.index(b"{"):].decode())[0]
        self.assertEqual(body["body"], "abc\nx")
        for body in ("3\nabc\r\n0\r\n\r\n", "3;x\nabc\r\n0\r\n\r\n", "3\rabc\r\n0\r\n\r\n", "3\n\nbc\r\n0\r\n\r\n",
                     "3\r\nabc\n2\r\nde\r\n0\r\n\r\n", "3\r\nabc\r2\r\nde\r\n0\r\n\r\n"):
            with self.subTest(body):
                received = self.raw((head + body).encode())
                self.assertNotIn(b"200", received[:12], received)

    def test_no_request_follows_a_chunk_whose_end_could_be_read_in_two_ways(self):
        self.start()
        head = self.head("Transfer-Encoding: chunked", target="/api/echo", method="POST").decode()
        received = self.raw((head + "0;x\n\n" + self.head("Connection: close").decode()).encode())
        self.assertNotIn(b"ok\n", received)

    def test_no_path_leaves_the_resource_url(self):
        url = json.loads(self.ok("profile", "show", "--json").out)["resourceURL"].rstrip("/")
        self.ok("profile", "set", f"resourceURL={url}/api")
        self.start()
        # The server answers all paths below /api with what it got, and /public with "ok".
        for path, status in (("/echo", b"200"), ("/../public", b"200"), ("/%2e%2e/public", b"200"),
                             ("/..%2fpublic", b"400"), ("/..%5cpublic", b"400"), ("/..;/public", b"400")):
            received = self.raw(self.head("Connection: close", target=path))
            self.assertEqual(received[9:12], status, path)
            self.assertNotIn(b"ok\n", received, path)

    def test_an_offer_of_http_2_is_ignored(self):
        self.start()
        head = self.head("Connection: Upgrade, HTTP2-Settings, close", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk")
        self.assertEqual(self.status(head), b"200")

    def test_too_many_fields_and_too_long_ones_are_refused(self):
        self.start()
        self.assertEqual(self.status(self.head(*[f"X-{n}: 1" for n in range(100)])), b"431")
        self.assertIn(self.raw(self.head("X: " + "a" * 200_000))[9:10], b"4")
        self.assertEqual(self.status(self.head("Connection: close")), b"200")

    def test_an_allowed_origin_may_read_responses(self):
        self.start("--allow-origin", "https://app.test")
        done = self.curl("/public", "-i", "-H", "Origin: https://app.test")
        self.assertIn(b"Access-Control-Allow-Origin: https://app.test\r\n", done.stdout)
        done = self.curl("/public", "-i", "-X", "OPTIONS", "-H", "Origin: https://app.test",
                         "-H", "Access-Control-Request-Method: PUT",
                         "-H", "Access-Control-Request-Headers: x-own")
        self.assertIn(b"204", done.stdout.splitlines()[0])
        self.assertIn(b"Access-Control-Allow-Headers: x-own\r\n", done.stdout)
        self.assertIn(b"403", self.curl("/public", "-i", "-H", "Origin: https://b.test").stdout)

    def test_a_request_that_never_becomes_whole_does_not_delay_the_end(self):
        process = self.start()
        for part in (b"GET /x HTTP/1.1\r\n", self.head()[:-2], self.head("Content-Length: 9", method="POST")):
            with socket.create_connection(("127.0.0.1", self.address.port)) as plug:
                plug.sendall(part)
        # Its response comes after the others were read.
        self.assertEqual(self.status(self.head("Connection: close")), b"200")
        started = time.monotonic()
        process.terminate()
        self.assertEqual(process.wait(20), -signal.SIGTERM)
        self.assertLess(time.monotonic() - started, 5)

    def test_a_client_that_goes_away_ends_its_request(self):
        process = self.start()
        with socket.create_connection(("127.0.0.1", self.address.port)) as plug:
            plug.sendall(self.head(target="/slow/60"))
            self.assertIn(b"200", plug.recv(100))
        line = process.stderr.readline()
        self.assertIn(b"GET /slow/60 200", line)
        self.assertIsNone(process.poll())
