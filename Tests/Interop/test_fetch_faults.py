"""fetch against servers that misbehave, and with files and streams that fail."""

import gzip
import json
import os
import signal
import socket
import ssl
import struct
import threading
import time
from pathlib import Path

from Servers.case import Case
from Servers.listener import Listener, read_head
from Servers.scripted import Scripted, http
from Servers.sdkctl import BINARY

MEBIBYTE = 1 << 20


def head(*lines) -> bytes:
    return "\r\n".join(["HTTP/1.1 200 OK", *lines, "", ""]).encode()


class Leaving(Listener):
    """An HTTP/2 server that serves so many requests of a connection and takes no further one.

    When that arrives, it announces the end of the connection (GOAWAY, RFC 9113 6.8).
    """

    def __init__(self, authority, served=0):
        super().__init__(authority.files("good"))
        self.context.set_alpn_protocols(["h2"])
        self.served = served

    def serve(self, stream):
        stream.sendall(self.frame(4))
        streams = []
        for number in self.requests(stream):
            streams.append(number)
            if len(streams) <= self.served:
                stream.sendall(self.frame(1, b"\x88", 5, number))  # ":status: 200", END_STREAM
            elif len(streams) == self.served + 1:
                last = streams[-2] if self.served else 0
                stream.sendall(self.frame(7, last.to_bytes(4, "big") + bytes(4)))

    @staticmethod
    def requests(stream):
        """The numbers of the streams whose HEADERS arrive, until the client leaves."""
        with stream.makefile("rb") as file:
            file.read(24)  # the connection preface
            while head := file.read(9):
                file.read(int.from_bytes(head[:3], "big"))
                if head[3] == 1:
                    yield int.from_bytes(head[5:], "big")

    @staticmethod
    def frame(kind, payload=b"", flags=0, number=0):
        return (len(payload).to_bytes(3, "big") + bytes([kind, flags])
                + number.to_bytes(4, "big") + payload)


class Misnamed(Listener):
    """An HTTP/1.1 server whose body is the path; every tenth response says that it is HTTP/2."""

    def serve(self, stream):
        while (head := read_head(stream)) is not None:
            number = head[0].path[1:]
            version = "HTTP/2" if number.endswith("3") else "HTTP/1.1"
            body = number.encode()
            time.sleep(0.005)
            stream.sendall(f"{version} 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                           + body)


class Cut(Listener):
    """Ends each connection after what it reads of a handshake: nothing, or the first message.

    `resets`: by a reset. `replies`: after a piece of a reply.
    """

    def __init__(self, authority, reads=True, resets=False, reply=b""):
        super().__init__(authority.files("good"))
        self.reads, self.resets, self.reply = reads, resets, reply

    def handle(self, connection):
        with connection:
            if self.reads:
                connection.recv(65536)
            connection.sendall(self.reply)
            if self.resets:
                # Without time to linger, the connection is reset when it is closed.
                connection.setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class Demanding(Listener):
    """Asks for a client certificate in the handshake, and ends TLS and connection after the request."""

    def __init__(self, authority):
        super().__init__(authority.files("good"))
        self.context.verify_mode = ssl.CERT_OPTIONAL
        self.context.load_verify_locations(authority.certificate("root"))

    def serve(self, stream):
        read_head(stream)
        stream.unwrap().close()


class ScriptedCase(Case):
    """A case with a scripted origin of its own, which the profile knows and pins."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        authority = cls.stand_type.shared().authority
        cls.server = Scripted(authority).start()
        cls.addClassCleanup(cls.server.stop)

    def setUp(self):
        super().setUp()
        self.add_profile(resource=self.server.url())
        self.server.replies.clear()
        self.server.seen.clear()

    def fetch(self, *arguments, **keywords):
        return self.home.run("fetch", "--unauth", *arguments, **keywords)


class ResponseFaultTests(ScriptedCase):
    FAULTS = {
        "100,000 fields": (1, head(*[f"X-{n}: v" for n in range(100_000)])),
        "9,000 small fields": (1, head(*["X: y"] * 9000)),
        "a field of 1 MB": (1, head("X: " + "a" * MEBIBYTE)),
        "a negative length": (1, head("Content-Length: -5") + b"hello"),
        "two lengths": (1, head("Content-Length: 5", "Content-Length: 6") + b"hello"),
        "a length that is no number": (1, head("Content-Length: five") + b"hello"),
        "a huge length": (6, head("Content-Length: 1000000000000000000") + b"hello"),
        "a length beyond 64 bits": ((1, 6), head("Content-Length: 99999999999999999999") + b"h"),
        "a length beside chunks": (
            1, head("Content-Length: 5", "Transfer-Encoding: chunked")
            + b"5\r\nhello\r\n0\r\n\r\n"),
        "chunked garbage": (
            1, head("Transfer-Encoding: chunked") + b"zz\r\nhello\r\n0\r\n\r\n"),
        "a chunk longer than its size": (
            1, head("Transfer-Encoding: chunked") + b"5\r\nhello!!\r\n0\r\n\r\n"),
        "a chunk that is too short": (
            6, head("Transfer-Encoding: chunked") + b"a\r\nhello\r\n"),
        "a transfer coding that nobody asked for": (
            1, head("Transfer-Encoding: gzip, chunked") + b"5\r\nhello\r\n0\r\n\r\n"),
        "no status": (1, b"HTTP/1.1 OK\r\n\r\n"),
        "no header": (1, b"hello\r\n\r\n"),
        "half a header": (6, b"HTTP/1.1 200 OK\r\nX: "),
        "nothing": (6, b""),
        "a change of protocol": (1, b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nhello"),
        "a first line that starts with a space": (1, b"HTTP/1.1 200 OK\r\n X: a\r\n\r\n"),
        "a chunk with a size in C's way": (
            1, head("Transfer-Encoding: chunked") + b"0x5\r\nhello\r\n0\r\n\r\n"),
        "early responses without end": (1, b"HTTP/1.1 103 Early\r\n\r\n" * 10_000),
    }

    def test_each_fault_has_its_exit_code_and_leaves_the_file_alone(self):
        target = self.home.directory / "body"
        target.write_text("old")
        for name, (code, reply) in self.FAULTS.items():
            with self.subTest(name):
                self.server.replies["/x"] = reply
                result = self.fails(code, "fetch", "--unauth", "/x", "-o", target)
                self.assertNotIn("libcurl failed", result.err)
                self.assertEqual(target.read_text(), "old")
                self.assertEqual({path.name for path in self.home.directory.iterdir()},
                                 {"store", "body"})

    def test_a_header_that_is_too_large_is_named_so(self):
        for name, cause in (
                ("100,000 fields", "the response has more than 4096 header lines"),
                ("9,000 small fields", "the response has more than 4096 header lines"),
                ("a field of 1 MB", "a line of the response's header is too long")):
            with self.subTest(name):
                self.server.replies["/x"] = self.FAULTS[name][1]
                self.assertIn(cause, self.fails(1, "fetch", "--unauth", "/x").err)

    def test_nothing_is_written_of_what_is_no_response(self):
        for name in ("a change of protocol", "a first line that starts with a space"):
            with self.subTest(name):
                self.server.replies["/x"] = self.FAULTS[name][1]
                self.assertEqual(self.fetch("/x").out, b"")

    def test_a_refused_expectation_is_followed_by_the_request_without_it(self):
        big = self.home.directory / "big"
        big.write_bytes(bytes(2 * MEBIBYTE))
        self.server.refuses_expectations = True
        self.addCleanup(setattr, self.server, "refuses_expectations", False)
        self.server.replies["/x"] = lambda request: [
            b"HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n" if "expect" in request.fields
            else http(200, b"taken")]
        self.assertEqual(self.ok("fetch", "--unauth", "PUT", "/x", "-d", f"@{big}", "-i").out
                         .split(b"\r\n")[0], b"HTTP/1.1 200 Whatever")
        self.assertEqual([len(request.body) for request in self.server.seen], [0, 2 * MEBIBYTE])

    def test_a_connection_that_an_http2_server_ends_is_a_failure_of_the_network(self):
        server = Leaving(self.stand_type.shared().authority).start()
        self.addCleanup(server.stop)
        self.ok("profile", "set", f"resourceURL=https://localhost:{server.port}")
        self.fails(6, "fetch", "--unauth", "/x")
        result = self.fetch("/x", "--retry", "1")
        self.assertEqual(result.exit, 6)
        self.assertIn("trying again", result.err)

    def test_a_batch_whose_report_cannot_be_written_says_so(self):
        self.server.replies["/x"] = http(404, b"no")
        with open("/dev/full", "wb") as full:
            result = self.home.run("fetch", "--unauth", "--batch", "-", stdout=full,
                                   input=b'{"path":"/x"}\n')
        self.assertFailed(result, 12)
        self.assertIn("could not write the output: no space left on device", result.err.lower())

    def test_a_percent_sign_that_encodes_nothing_is_sent_encoded(self):
        self.server.replies["/100%25"] = http(200, b"all")
        self.server.replies["/from"] = http(302, Location="/100%")
        for path in ("/100%", "/from"):
            self.assertEqual(self.ok("fetch", "--unauth", path).out, b"all")

    def test_a_connection_that_is_cut_in_the_handshake_is_a_failure_of_the_network(self):
        # The head of a TLS record whose rest does not come.
        piece = bytes.fromhex("160303007a")
        for options in ({"reads": False}, {}, {"resets": True}, {"reply": piece},
                        {"reply": piece, "resets": True}):
            with self.subTest(**options):
                server = Cut(self.stand_type.shared().authority, **options).start()
                self.addCleanup(server.stop)
                self.ok("profile", "set", f"resourceURL=https://localhost:{server.port}")
                result = self.fetch("/x", "--retry", "1")
                self.assertEqual(result.exit, 6, result)
                self.assertIn("trying again", result.err)
                self.assertIn(f"localhost:{server.port} closed the connection in the TLS handshake",
                              result.err)

    def test_no_response_after_a_demand_for_a_certificate_is_a_refusal_of_the_identity(self):
        server = Demanding(self.stand_type.shared().authority).start()
        self.addCleanup(server.stop)
        self.ok("profile", "set", f"resourceURL=https://localhost:{server.port}")
        result = self.fails(9, "fetch", "--unauth", "/x")
        self.assertIn("the server requires a client certificate", result.err)

    def test_a_batch_loses_no_request_to_an_http2_server_that_ends_its_connections(self):
        for served, width in ((1, 1), (1, 8), (3, 8)):
            with self.subTest(served=served, width=width):
                server = Leaving(self.stand_type.shared().authority, served).start()
                self.addCleanup(server.stop)
                lines = (json.dumps({"path": "/x", "method": method}) + "\n"
                         for method in ("GET", "PUT") * 20)
                self.ok("profile", "set", f"resourceURL=https://localhost:{server.port}")
                result = self.fetch("--batch", "-", "--parallel", str(width), input="".join(lines))
                rows = [json.loads(line) for line in result.text.splitlines()]
                self.assertEqual([row["error"] for row in rows if row["exit"]], [])
                self.assertEqual([row["status"] for row in rows], [200] * 40)

    def test_a_part_that_is_not_as_long_as_its_range_is_not_the_file(self):
        part, state, target = (
            self.home.directory / name for name in ("body.part", "body.part.state", "body"))
        chunked = b"3\r\n567\r\n0\r\n\r\n"
        for name, code, reply in (
                ("short", 6, b"567"), ("empty", 6, b""), ("long", 1, b"56789abc"),
                ("chunked", 6, chunked)):
            for words in (["--continue"], ["-r", "5-9"]):
                with self.subTest(name, words=words):
                    part.write_bytes(b"01234")
                    state.write_text('"1"\n')
                    lines = ['HTTP/1.1 206 Partial', 'ETag: "1"', "Content-Range: bytes 5-9/10",
                             "Connection: close"]
                    lines += ["Transfer-Encoding: chunked"] if name == "chunked" else []
                    self.server.replies["/x"] = "\r\n".join([*lines, "", ""]).encode() + reply
                    self.fails(code, "fetch", "--unauth", "/x", "-o", target, *words)
                    self.assertFalse(target.exists())
                    self.assertTrue(part.exists())
        self.server.replies["/x"] = http(206, b"56789", ETag='"1"', Content_Range="bytes 5-9/10")
        part.write_bytes(b"01234")
        self.ok("fetch", "--unauth", "/x", "-o", target, "--continue")
        self.assertEqual(target.read_bytes(), b"0123456789")

    def test_parts_of_two_versions_are_not_joined_after_a_redirect(self):
        part, state, target = (
            self.home.directory / name for name in ("body.part", "body.part.state", "body"))
        date = "Mon, 02 Nov 2026 10:00:00 GMT"
        other = Scripted(self.stand_type.shared().authority).start()
        self.addCleanup(other.stop)
        self.server.replies["/x"] = http(302, Location=other.url("/y"))
        for fields, code in (({"Last_Modified": date}, 0),
                             ({"Last_Modified": "Tue, 03 Nov 2026 10:00:00 GMT"}, 6)):
            with self.subTest(fields):
                part.write_bytes(b"01234")
                state.write_text(date + "\n")
                other.replies["/y"] = http(
                    206, b"56789", Content_Range="bytes 5-9/10", **fields)
                result = self.fetch("/x", "-o", target, "--continue")
                request = other.seen[0]
                self.assertEqual(request.fields["range"], ["bytes=5-"])
                self.assertEqual(request.fields["if-range"], [date])
                self.assertEqual(target.exists(), code == 0)
                self.assertEqual(result.exit == 0, code == 0, result.err)
                target.unlink(missing_ok=True)
                other.seen.clear()

    def test_a_status_line_of_http_2_mixes_no_responses(self):
        server = Misnamed(self.stand_type.shared().authority.files("good")).start()
        self.addCleanup(server.stop)
        self.ok("profile", "set", f"resourceURL=https://localhost:{server.port}")
        lines = [json.dumps({"id": number, "path": f"/{number}"}) for number in range(120)]
        for _ in range(3):
            result = self.fetch("--batch", "-", "--parallel", "40", input="\n".join(lines))
            rows = [json.loads(line) for line in result.text.splitlines()]
            self.assertEqual(len(rows), len(lines))
            received = [row for row in rows if not row["exit"]]
            self.assertEqual([row["body"] for row in received], [str(row["id"]) for row in received])
            refused = {row["id"]: row["error"]["message"] for row in rows if row["exit"]}
            misnamed = {number for number in range(120) if number % 10 == 3}
            self.assertLessEqual(misnamed, set(refused), refused)
            # A request that was given a connection in use twice is not sent.
            for number in set(refused) - misnamed:
                self.assertIn("chose a connection that is in use", refused[number])

    def test_the_shown_body_of_an_error_holds_no_token(self):
        self.server.replies["/x"] = lambda request: [
            http(404, f"you sent {request.fields['authorization'][0]}".encode())]
        self.home.environment["SDKCTL_TOKEN"] = "SeCrEtToKeN12345"
        result = self.home.run("fetch", "/x", "-o", self.home.directory / "body")
        self.assertFailed(result, 12)
        self.assertIn("you sent Bearer ‹redacted›", result.err)
        self.assertNotIn("SeCrEtToKeN12345", result.err)

    def test_a_file_that_appears_meanwhile_is_kept_with_no_clobber(self):
        target = self.home.directory / "body"

        def reply(request):
            target.write_text("precious")
            yield http(200, b"new")
        self.server.replies["/x"] = reply
        result = self.home.run("fetch", "--unauth", "/x", "--no-clobber", "-o", target)
        self.assertFailed(result, 1)
        self.assertEqual(target.read_text(), "precious")
        self.assertEqual([path.name for path in target.parent.glob("body*")], ["body"])

    def test_a_response_without_a_body_leaves_the_file_of_a_batch_alone(self):
        target = self.home.directory / "body"
        target.write_text("old")
        self.server.replies["/x"] = http(304, ETag='"1"')
        line = json.dumps({"path": "/x", "output": str(target)})
        row = json.loads(self.ok("fetch", "--unauth", "--batch", "-", input=line).text)
        self.assertEqual((row["status"], row.get("output")), (304, None))
        self.assertEqual(target.read_text(), "old")

    def test_a_transfer_coding_that_nobody_asked_for_is_not_unpacked(self):
        packed = gzip.compress(b"unpacked")
        self.server.replies["/x"] = (
            head("Transfer-Encoding: gzip, chunked")
            + b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed))
        for words in ([], ["--compressed"]):
            result = self.fetch("/x", *words)
            self.assertFailed(result, 1)
            self.assertEqual(result.out, b"")

    def test_a_compressed_body_is_decoded_only_if_that_is_asked_for(self):
        packed = gzip.compress(b"unpacked")
        self.server.replies["/x"] = http(200, packed, Content_Encoding="gzip")
        self.assertEqual(self.ok("fetch", "--unauth", "/x").out, packed)
        self.assertNotIn("accept-encoding", self.server.seen[-1].fields)
        self.assertEqual(self.ok("fetch", "--unauth", "/x", "--compressed").out, b"unpacked")
        self.assertIn("gzip", self.server.seen[-1].fields["accept-encoding"][0])
        self.server.replies["/x"] = http(200, b"not gzip", Content_Encoding="gzip")
        self.fails(1, "fetch", "--unauth", "/x", "--compressed")
        for damaged in (packed + b"more", packed[:-8] + bytes(8)):
            self.server.replies["/x"] = http(200, damaged, Content_Encoding="gzip")
            self.assertIn("could not be decoded",
                          self.fetch("/x", "--compressed", "-o", "new").err)
            self.assertFalse((self.home.directory / "new").exists())

    def test_an_announced_size_is_refused_at_once(self):
        self.server.replies["/x"] = http(200, b"12345")
        self.fails(1, "fetch", "--unauth", "/x", "--max-size", "4")
        self.assertEqual(self.ok("fetch", "--unauth", "/x", "--max-size", "5").out, b"12345")

    def test_the_body_of_an_error_is_shown_but_not_saved(self):
        self.server.replies["/x"] = http(404, b"reason: \x1b[2Jgone\n" * 1000)
        target = self.home.directory / "body"
        result = self.fails(12, "fetch", "--unauth", "/x", "-o", target)
        self.assertIn("  reason: [2Jgone", result.err)
        self.assertLess(len(result.err), 2000)
        self.assertFalse(target.exists())


class KindTests(ScriptedCase):
    """The same with each kind of token: the scripted server also hands them out."""

    KINDS = ("--user", "--implicit", "--anonymous", "--unauth")

    def setUp(self):
        super().setUp()
        server = self.server
        metadata = {
            "issuer": server.url(), "authorization_endpoint": server.url("/authorize"),
            "token_endpoint": server.url("/token"), "jwks_uri": server.url("/keys"),
            "response_types_supported": ["code"],
            "grant_types_supported": ["password", "client_credentials",
                                      "urn:ietf:params:oauth:grant-type:token-exchange"]}
        token = {"access_token": "t0ken", "token_type": "Bearer", "expires_in": 3600, "scope": "a",
                 "issued_token_type": "urn:ietf:params:oauth:token-type:access_token"}
        for path, document in (("/.well-known/openid-configuration", metadata), ("/token", token)):
            server.replies[path] = http(200, json.dumps(document).encode(),
                                        Content_Type="application/json")
        self.ok("profile", "set", f"issuer={server.url()}", "passwordGrant=true", "scope=a",
                "anonymousScope=a", "implicitScope=a")
        self.ok("register", "--client-id", "client", "--client-secret-file", "-", input="s3cret\n")
        self.ok("login", "password", "alice", "--password-file", "-", input="pw\n")
        server.replies["/x"] = http(200, b"ok")
        for kind in self.KINDS:
            self.ok("fetch", kind, "/x")
            tokens = [] if kind == "--unauth" else ["Bearer t0ken"]
            self.assertEqual(server.seen[-1].fields.get("authorization", []), tokens)
        server.seen.clear()

    def test_every_fault_ends_every_kind_of_fetch_in_the_same_way(self):
        target = self.home.directory / "body"
        target.write_text("old")
        for name, (code, reply) in ResponseFaultTests.FAULTS.items():
            self.server.replies["/x"] = reply
            for kind in self.KINDS:
                with self.subTest(f"{name} {kind}"):
                    self.fails(code, "fetch", kind, "/x", "-o", target)
                    self.assertEqual(target.read_text(), "old")

    def test_no_kind_takes_its_token_to_another_origin_or_away_from_tls(self):
        other = Scripted(self.stand_type.shared().authority).start()
        self.addCleanup(other.stop)
        other.replies["/end"] = http(302, b"", Location=self.server.url("/x"))
        plain = Plain().start()
        self.addCleanup(plain.stop)
        for kind in self.KINDS:
            with self.subTest(kind):
                self.server.seen.clear()
                self.server.replies["/out"] = http(302, Location=other.url("/end"))
                self.ok("fetch", kind, "/out", "-H", "Cookie: s=1")
                for request in [other.seen[-1], self.server.seen[-1]]:
                    self.assertNotIn("authorization", request.fields)
                    self.assertNotIn("cookie", request.fields)
                self.server.replies["/down"] = http(307, Location=f"http://127.0.0.1:{plain.port}/")
                self.fails(10, "fetch", kind, "POST", "/down", "-d", "secret")
                looped = http(302, Location="/loop")
                self.server.replies["/loop"] = looped
                self.fails(1, "fetch", kind, "/loop")
        self.assertEqual((plain.count, len(other.seen)), (0, len(self.KINDS)))


class Plain(Listener):
    """Counts connections without TLS."""

    count = 0

    def serve(self, stream):
        self.count += 1


class RedirectRuleTests(ScriptedCase):
    """What becomes of method, body and credentials, as the next server sees it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.other = Scripted(cls.stand_type.shared().authority).start()
        cls.addClassCleanup(cls.other.stop)

    def setUp(self):
        super().setUp()
        self.other.replies.clear()
        self.other.seen.clear()

    def test_methods_and_bodies_follow_rfc_9110(self):
        self.server.replies["/end"] = http(200, b"end")
        rules = [
            (301, "POST", "GET", b""), (302, "POST", "GET", b""), (303, "POST", "GET", b""),
            (307, "POST", "POST", b"data"), (308, "POST", "POST", b"data"),
            (301, "PUT", "PUT", b"data"), (302, "PUT", "PUT", b"data"), (303, "PUT", "GET", b""),
            (307, "PUT", "PUT", b"data"), (308, "DELETE", "DELETE", b"data"),
        ]
        for status, method, then, body in rules:
            with self.subTest(f"{status} {method}"):
                self.server.seen.clear()
                self.server.replies["/start"] = http(status, Location="/end")
                self.ok("fetch", "--unauth", method, "/start", "-d", "data")
                first, second = self.server.seen
                self.assertEqual((first.method, first.body), (method, b"data"))
                self.assertEqual((second.method, second.body), (then, body))
        self.server.seen.clear()
        self.server.replies["/start"] = http(303, Location="/end")
        self.ok("fetch", "--unauth", "-I", "/start")
        self.assertEqual([request.method for request in self.server.seen], ["HEAD", "HEAD"])

    def test_a_form_is_sent_again_from_its_start(self):
        file = self.home.directory / "data"
        file.write_bytes(b"content")
        self.server.replies["/end"] = http(200, b"end")
        self.server.replies["/start"] = http(307, Location="/end")
        self.ok("fetch", "--unauth", "/start", "-F", f"f=@{file}")
        self.assertEqual(self.server.seen[0].body, self.server.seen[1].body)
        self.assertIn(b"content", self.server.seen[1].body)

    def test_no_credential_arrives_at_another_origin(self):
        self.other.replies["/end"] = http(200, b"end")
        self.server.replies["/start"] = http(302, Location=self.other.url("/end"))
        self.ok("fetch", "--user", "/start", "-H", "Cookie: s=1", "-H", "X-Api-Key: key",
                environment={"SDKCTL_TOKEN": "t0ken"})
        self.assertEqual(self.server.seen[0].fields["authorization"], ["Bearer t0ken"])
        for name in ("authorization", "cookie", "x-api-key", "dpop", "referer"):
            self.assertNotIn(name, self.other.seen[0].fields)

    def test_a_downgrade_and_a_loop_end(self):
        plain = self.server.url("/x").replace("https:", "http:")
        self.server.replies["/down"] = http(302, Location=plain)
        self.fails(10, "fetch", "--unauth", "/down")
        self.server.replies["/loop"] = http(302, Location="/loop")
        self.server.seen.clear()
        self.fails(1, "fetch", "--unauth", "/loop")
        self.assertLessEqual(len(self.server.seen), 11)


class StreamFaultTests(ScriptedCase):
    def test_each_event_of_a_stream_is_written_when_it_arrives(self):
        """The server sends the second event when the first one was read, and no end."""
        for words in ([], ["-i"], ["--compressed"], ["-o", "/dev/stdout"]):
            with self.subTest(words):
                was_read = threading.Event()
                self.addCleanup(was_read.set)
                self.server.replies["/x"] = lambda request: [
                    head("Content-Type: text/event-stream"), b"data: 1\n\n", was_read,
                    b"data: 2\n\n", threading.Event()]
                process = self.home.start("fetch", "--unauth", "/x", *words)
                self.addCleanup(process.kill)
                lines = iter(process.stdout.readline, b"")
                self.assertIn(b"data: 1\n", lines)
                was_read.set()
                self.assertIn(b"data: 2\n", lines)
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(30), -signal.SIGINT)

    def test_a_full_disk_is_told_and_leaves_no_half_file(self):
        folder = self.small_disk("1m")
        self.server.replies["/x"] = http(200, bytes(4 * MEBIBYTE))
        result = self.fails(1, "fetch", "--unauth", "/x", "-o", folder / "body")
        self.assertIn("no space left", result.err)
        self.assertEqual(list(folder.iterdir()), [])
        self.fails(1, "fetch", "--unauth", "/x", "-o", folder / "body", "--continue")
        self.assertFalse((folder / "body").exists())
        with (folder / "out").open("wb") as out:
            self.fails(1, "fetch", "--unauth", "/x", stdout=out)

    def test_a_closed_standard_input_is_no_body(self):
        self.server.replies["/x"] = http(200, b"ok")
        result = self.home.paste(f"{BINARY} fetch --unauth PUT /x -d - <&-")
        self.assertFailed(result, 1)
        self.assertIn("body could not be read", result.err)

    def test_a_body_that_comes_too_slowly_ends_at_the_time_limit(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, writer)
        os.write(writer, b"begun")
        with os.fdopen(reader) as input:
            result = self.home.run("--timeout", "1", "fetch", "--unauth", "PUT", "/x", "-d", "-",
                                   stdin=input)
        self.assertFailed(result, (1, 6))

    def test_a_file_whose_size_is_not_known_is_sent_in_full(self):
        self.server.replies["/x"] = http(200, b"ok")
        self.ok("fetch", "--unauth", "PUT", "/x", "-d", "@/proc/version")
        self.assertIn(Path("/proc/version").read_bytes(), self.server.seen[-1].body)
        self.ok("fetch", "--unauth", "PUT", "/x", "-d", "@/dev/null")
        empty = self.home.directory / "empty"
        empty.touch()
        self.ok("fetch", "--unauth", "PUT", "/x", "-d", f"@{empty}")
        self.assertEqual(self.server.seen[-1].fields["content-length"], ["0"])

    def test_a_body_that_breaks_off_is_an_error(self):
        file = self.home.directory / "data"
        file.write_bytes(bytes(1000))
        self.server.replies["/x"] = http(200, b"ok")
        self.fails(1, "fetch", "--unauth", "PUT", "/x", "-d", "@/")
