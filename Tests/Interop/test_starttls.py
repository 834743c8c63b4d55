"""Pins of servers that begin TLS by STARTTLS: real ones, and ones that lie before TLS."""

import json
import os
import shutil
import tempfile
import time
import unittest
from pathlib import Path

from Servers.case import NO_PIN
from Servers.listener import Listener
from Servers.starttls import StartTLSServers
from Servers.tls_hosts import TLSHosts

from .test_pin_chains import HostCase

PROTOCOLS = ("smtp", "imap", "pop3", "ldap", "postgres", "xmpp")


@unittest.skipUnless(os.geteuid() == 0, "the servers are started by root")
class RealServerTests(HostCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        authority = TLSHosts.shared().authority
        # The users of the servers may not enter the directories of the tests.
        cls.directory = Path(tempfile.mkdtemp(prefix="sdkctl-starttls.", dir="/var/tmp"))
        cls.directory.chmod(0o755)
        cls.addClassCleanup(shutil.rmtree, cls.directory, ignore_errors=True)
        cls.servers = StartTLSServers(
            cls.directory / "servers", authority.chain("local"), authority.key("local"))
        cls.addClassCleanup(cls.servers.stop)
        cls.servers.start()

    def url(self, name):
        return f"{name}://localhost:{self.servers.ports[name]}"

    def test_each_protocol_is_hashed_shown_pinned_and_checked(self):
        for name in PROTOCOLS:
            with self.subTest(name):
                url, place = self.url(name), f"localhost:{self.servers.ports[name]}"
                hashed = self.ok("pin", "hash", url, "--role", "leaf")
                self.assertEqual(hashed.out.split()[0].decode(), self.authority.pin("local"))
                by_option = self.ok("pin", "hash", "--starttls", name, place, "--role", "leaf")
                self.assertEqual(by_option.out.split()[0], hashed.out.split()[0])
                self.ok("pin", "add", "--starttls", name, place, "--yes")
                self.ok("pin", "add", self.authority.pin("rotated"), "--host", place, "--role",
                        "backup", "--yes")
                # The pin says how its server begins TLS.
                self.ok("pin", "check", place, "--within", "1d")
                self.ok("pin", "show", place)
                self.assertEqual(self.ok("pin", "check", url, "--within", "1d").text,
                                 self.ok("pin", "check", place, "--within", "1d").text)
                other = self.home.run("pin", "hash", place)
                # PostgreSQL 17 takes TLS from the first byte too.
                if name == "postgres" and other.exit == 0:
                    self.assertEqual(other.out.split()[0], hashed.out.split()[0])
                else:
                    self.assertFailed(other, (6, 7))
                    self.assertIn("TLS", other.err)

    def test_a_pin_keeps_port_and_protocol_in_export_import_check_plan_and_update(self):
        url, port = self.url("postgres"), self.servers.ports["postgres"]
        self.ok("pin", "add", url, "--host", "localhost", "--yes")
        (pinned,) = self.jsonOf(self.ok("--json", "pin", "list"))
        self.assertEqual((pinned["pattern"], pinned["startTLS"]), (f"localhost:{port}", "postgres"))
        (row,) = self.jsonOf(self.ok("--json", "pin", "check", "--within", "1d"))
        self.assertEqual((row["startTLS"], row["port"], row["status"]), ("postgres", port, "OK"))
        self.assertEqual(self.ok("pin", "plan", "--within", "1d").text.split("\t")[0], url)
        record = self.ok("pin", "export", "--format", "tlsa").text
        self.assertTrue(record.startswith(f"_{port}._tcp.localhost. IN TLSA 1 1 1 "), record)
        document = self.home.directory / "pins.json"
        document.write_text(self.ok("pin", "export", "--format", "json").text)
        self.ok("pin", "remove", f"localhost:{port}", "--yes")
        self.ok("pin", "import", document, "--yes")
        self.ok("pin", "check", "--within", "1d")
        self.ok("pin", "check", "--against", document, "--within", "1d")
        self.pin(NO_PIN, host=f"localhost:{port}")
        self.ok("pin", "import", document, "--replace", "--yes")
        updated = self.ok("pin", "update", "--yes")
        self.assertIn("up to date", updated.err)

    def test_a_wrong_key_and_a_wrong_name_are_found(self):
        place = f"localhost:{self.servers.ports['imap']}"
        self.ok("pin", "add", self.url("imap"), "--yes")
        self.ok("pin", "remove", place, self.authority.pin("local"), "--yes")
        document = self.home.directory / "other.json"
        document.write_text(json.dumps({"version": 1, "hosts": {
            place: {"startTLS": "imap", "keys": [{"pin": NO_PIN, "role": "leaf"}]}}}))
        self.ok("pin", "import", document, "--yes")
        result = self.home.run("pin", "check")
        self.assertEqual((result.exit, result.text.split("\t")[1]), (8, "MISMATCH"), result)
        port = self.servers.ports["imap"]
        wrong = self.home.run("pin", "hash", f"imap://wrong.test:{port}", "--resolve",
                              f"wrong.test:{port}:127.0.0.1")
        self.assertEqual(wrong.exit, 7, wrong)
        self.assertIn("not wrong.test", wrong.err)

    def test_overrides_of_addresses_are_used(self):
        port = self.servers.ports["smtp"]
        self.ok("pin", "hash", f"smtp://other.localhost:{port}", "--resolve",
                f"other.localhost:{port}:127.0.0.1")
        self.ok("pin", "hash", "smtp://localhost", "--connect-to", f"localhost:25:127.0.0.1:{port}")
        self.ok("pin", "hash", "smtp://localhost", "--connect-to", f"::localhost:{port}")


class Liar(Listener):
    """Sends its lines one by one: the first at once, each other one after the client has said something."""

    def __init__(self, *pieces):
        super().__init__()
        self.pieces, self.heard = pieces, []

    def serve(self, stream):
        stream.settimeout(20)
        for number, piece in enumerate(self.pieces):
            if number:
                self.heard.append(stream.recv(4096))
            stream.sendall(piece)
        while data := stream.recv(4096):
            self.heard.append(data)


class Endless(Listener):
    """Sends one line again and again."""

    def __init__(self, line, pause=0.0):
        super().__init__()
        self.line, self.pause = line, pause

    def serve(self, stream):
        while True:
            stream.sendall(self.line)
            time.sleep(self.pause)


GREETING = b"220 mail.test ESMTP\r\n"
EHLO = b"250-mail.test\r\n250 STARTTLS\r\n"


class LyingServerTests(HostCase):
    def refused(self, server, cause, scheme="smtp", code=6, *options):
        server.start()
        self.addCleanup(server.stop)
        result = self.home.run(
            "pin", "hash", f"{scheme}://127.0.0.1:{server.port}", *options)
        self.assertFailed(result, code)
        self.assertIn(cause, result.err)
        return server

    def test_refusals_say_what_the_server_said(self):
        for scheme, pieces, cause in (
                ("smtp", (b"554 go away\r\n",), "554 go away"),
                ("smtp", (GREETING, b"250 mail.test\r\n"), "does not offer STARTTLS"),
                ("smtp", (GREETING, b"250-mail.test\r\n250 XSTARTTLS\r\n"), "does not offer"),
                ("smtp", (GREETING, EHLO, b"454 TLS not available\r\n"), "454 TLS not available"),
                ("imap", (b"* BYE closed\r\n",), "* BYE closed"),
                ("imap", (b"* PREAUTH welcome\r\n",), "* PREAUTH welcome"),
                ("imap", (b"* OK hi\r\n", b"* CAPABILITY IMAP4\r\na BAD no\r\n"), "a BAD no"),
                ("pop3", (b"+OK\r\n", b"-ERR no\r\n"), "-ERR no"),
                ("postgres", (b"", b"N"), "does not offer TLS"),
                ("postgres", (b"", b"E"), "does not speak PostgreSQL"),
                ("ldap", (b"", bytes.fromhex("300c02010178070a010204000400")), "refused TLS"),
                ("xmpp", (b"", b"<stream:stream><stream:features></stream:features>"), "does not offer TLS"),
                ("xmpp", (b"", b"<stream:stream><stream:features><starttls xmlns="
                               b"'urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>", b"<failure/>"),
                 "refused TLS")):
            with self.subTest(scheme=scheme, cause=cause):
                self.refused(Liar(*pieces), cause, scheme)

    def test_garbage_is_a_refusal_and_control_characters_are_shown(self):
        for scheme in PROTOCOLS:
            with self.subTest(scheme):
                first = b"" if scheme in ("ldap", "postgres", "xmpp") else b"\x1b[31m\x00garbage\xff\r\n"
                self.refused(Liar(first, b"\x1b[31mgarbage\x00\r\n"), "127.0.0.1", scheme)

    def test_what_is_sent_between_the_agreement_and_tls_is_refused(self):
        for scheme, pieces in (
                ("smtp", (GREETING, EHLO, b"220 go on\r\n250 injected\r\n")),
                ("imap", (b"* OK hi\r\n", b"a OK go on\r\n* OK injected\r\n")),
                ("pop3", (b"+OK\r\n", b"+OK go on\r\n+OK injected\r\n")),
                ("postgres", (b"", b"Sinjected")),
                ("ldap", (b"", bytes.fromhex("300c02010178070a01000400040030")))):
            with self.subTest(scheme):
                self.refused(Liar(*pieces), "between its agreement and TLS", scheme)

    def test_what_comes_a_moment_later_is_no_tls(self):
        class Late(Liar):
            def serve(self, stream):
                super().serve(_Sender(stream))

        class _Sender:
            def __init__(self, stream):
                self.stream = stream

            def __getattr__(self, name):
                return getattr(self.stream, name)

            def recv(self, count):
                data = self.stream.recv(count)
                if data[:1] == b"\x16":  # the ClientHello
                    self.stream.sendall(b"250 injected\r\n")
                return data

        self.refused(Late(GREETING, EHLO, b"220 go on\r\n"), "does not speak TLS", "smtp", 7)

    def test_an_endless_greeting_ends_by_size_or_by_time(self):
        self.refused(Endless(b"220-more\r\n"), "more than 16384 bytes")
        self.refused(Endless(b"x" * 4096), "more than 16384 bytes")
        start = time.monotonic()
        self.refused(Endless(b"220-more\r\n", 0.1), "did not begin TLS within 1", "smtp", 6,
                     "--connect-timeout", "1")
        self.assertLess(time.monotonic() - start, 15)

    def test_a_silent_and_a_closed_server_end(self):
        class Silent(Listener):
            def serve(self, stream):
                stream.recv(1)

        class Closed(Listener):
            def serve(self, stream):
                stream.close()

        self.refused(Silent(), "did not begin TLS within 1", "imap", 6, "--connect-timeout", "1")
        self.refused(Closed(), "closed the connection before TLS", "imap")

    def test_a_client_says_nothing_but_the_request_for_tls(self):
        server = self.refused(Liar(GREETING, EHLO, b"454 no\r\n"), "454 no")
        self.assertEqual(server.heard[:2], [b"EHLO [127.0.0.1]\r\n", b"STARTTLS\r\n"])
        self.refused(server := Liar(b"* OK\r\n", b"a NO\r\n"), "a NO", "imap")
        self.assertEqual(server.heard[0], b"a STARTTLS\r\n")
        self.refused(server := Liar(b"", b"N"), "does not offer", "postgres")
        self.assertEqual(server.heard[0], bytes.fromhex("0000000804d2162f"))

    def test_wrong_command_lines_are_refused(self):
        for words in (("pin", "check", "--starttls", "smtp"),
                      ("pin", "hash", "--starttls", "imap", "smtp://localhost"),
                      ("pin", "hash", "--starttls", "imap", "https://localhost"),
                      ("pin", "hash", "--starttls", "imap", "imaps://localhost"),
                      ("pin", "hash", "--starttls", "imap", "./key.pem"),
                      ("pin", "hash", "--starttls", "ftp", "localhost"),
                      ("pin", "show", "--offline", "--starttls", "imap", "localhost"),
                      ("pin", "add", "--proxy", "--starttls", "imap", "localhost"),
                      ("pin", "hash", "xmpp://a'b"), ("pin", "hash", "smtp://a b"),
                      ("pin", "hash", "smtp://a%0d%0aQUIT")):
            with self.subTest(words):
                self.fails(2, *words)
