"""fetch against servers that misbehave, and with files and streams that fail."""

import json
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


class Ending(Listener):
    """Serves two requests of a connection, whose end is that of the second body.

    `announces`: the end of TLS (close_notify) comes first.
    """

    def __init__(self, authority, announces):
        super().__init__(authority.files("good"))
        self.announces = announces

    def serve(self, stream):
        with stream:
            read_head(stream)
            stream.sendall(head("Content-Length: 5") + b"first")
            read_head(stream)
            stream.sendall(head() + b"second")
            if self.announces:
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
        "a body that the end of the connection ends, which anybody can cut": (6, head() + b"hello"),
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

    def test_a_body_without_length_is_complete_only_if_the_server_ended_tls(self):
        for announces, code in ((True, 0), (False, 6)):
            with self.subTest(announces=announces):
                server = Ending(self.stand_type.shared().authority, announces).start()
                self.addCleanup(server.stop)
                self.ok("profile", "set", f"resourceURL=https://localhost:{server.port}")
                result = self.fetch("--batch", "-", "--parallel", "1", input="/1\n/2\n")
                rows = [json.loads(line) for line in result.text.splitlines()]
                self.assertEqual([row["exit"] for row in rows], [0, code], rows)
        self.assertIn("closed before the response was complete", rows[1]["error"]["message"])

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

    def test_a_file_whose_size_is_not_known_is_sent_in_full(self):
        self.server.replies["/x"] = http(200, b"ok")
        self.ok("fetch", "--unauth", "PUT", "/x", "-d", "@/proc/version")
        self.assertIn(Path("/proc/version").read_bytes(), self.server.seen[-1].body)
        self.ok("fetch", "--unauth", "PUT", "/x", "-d", "@/dev/null")
        empty = self.home.directory / "empty"
        empty.touch()
        self.ok("fetch", "--unauth", "PUT", "/x", "-d", f"@{empty}")
        self.assertEqual(self.server.seen[-1].fields["content-length"], ["0"])
