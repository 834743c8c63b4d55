"""HTTP/3, with a libcurl and an nginx that have it (as those of Debian 13): no request without the
verdict of the pins, whether it would go by QUIC or by TCP.

On Debian 12 only the refusal can be tested. docs/compatibility.md says how the rest is run there.
"""

import json
import unittest

from Servers.case import NO_PIN, Case
from Servers.quic_hosts import QUICHosts, has_http3
from Servers.sdkctl import Home


def libraries() -> str:
    home = Home()
    try:
        return home.run("version").text
    finally:
        home.remove()


HAS_HTTP3 = "nghttp3" in libraries()


@unittest.skipIf(HAS_HTTP3, "libcurl has HTTP/3")
class RefusalTests(Case):
    def test_a_libcurl_without_http3_is_named_before_anything_else_happens(self):
        for arguments in (["/x"], ["--batch", "-"]):
            result = self.fails(2, "fetch", "--http3", *arguments)
            self.assertError(result, r"could not use http/3: libcurl 7\.88\.\d+ does not have http/3")


@unittest.skipUnless(HAS_HTTP3 and has_http3(), "libcurl or nginx does not have HTTP/3")
class HTTP3Tests(Case):
    def setUp(self):
        super().setUp()
        self.hosts = QUICHosts.shared()
        self.authority = self.hosts.authority
        self.ok("profile", "add", self.home.name, "--issuer", self.hosts.at(), "--resource-url",
                self.hosts.at(), "--ca-file", self.authority.root)
        self.ok("profile", "use", self.home.name)
        self.log = self.hosts.requests()

    def pin(self, *names):
        pins = [name if name == NO_PIN else self.authority.pin(name) for name in names]
        self.ok("pin", "add", *pins, "--host", "localhost", "--yes")

    def get(self, host="both", *options, path="/x", http3=True):
        return self.home.run("fetch", "--unauth", *(["--http3"] if http3 else []),
                             self.hosts.at(host) + path, *options)

    def assertGot(self, result, version):
        self.assertEqual((result.exit, result.text), (0, f"{version}\n"), result)

    def test_a_request_goes_over_http3_if_asked_and_every_report_says_so(self):
        self.pin("good")
        self.assertGot(self.get(), "h3")
        self.assertGot(self.get(http3=False), "h2")
        line = self.log.lines()[0]
        self.assertIn("HTTP/3.0", line)
        self.assertIn("sni=localhost tls=TLSv1.3", line)
        result = self.get("both", "-w", "%{http_version} %{pins} %{num_certs}")
        self.assertEqual(result.text, "h3\n3 matched 2", result)
        document = json.loads(self.get("both", "--json").out)
        self.assertEqual(
            (document["version"], document["tls"], document["pins"]),
            ("HTTP/3", "TLSv1.3", "matched"))
        trace = self.home.directory / "trace"
        self.ok("fetch", "--unauth", "--http3", "--trace", trace, self.hosts.at() + "/x")
        self.assertRegex(trace.read_text(), r"HTTP/3 200")
        self.assertIn("h3", trace.read_text())

    def test_without_http3_at_the_server_it_goes_over_http2(self):
        self.pin("good")
        self.assertGot(self.get("tcp"), "h2")
        self.assertEqual(self.get("tcp", "-w", "%{http_version}").text, "h2\n2")

    def test_a_server_without_tcp_is_reached(self):
        self.pin("good")
        self.assertGot(self.get("quic"), "h3")

    def test_a_host_without_pins_gets_no_connection(self):
        self.assertFailed(self.get("quic"), 8)
        self.assertFailed(self.get("both"), 8)
        self.assertNoRequest(self.log)

    def test_wrong_pins_end_the_handshake_over_quic(self):
        self.pin(NO_PIN)
        for host in ("quic", "both", "tcp"):
            with self.subTest(host):
                result = self.get(host)
                self.assertFailed(result, 8)
                self.assertError(result, "no key of the certificate chain of localhost is pinned")
        self.assertNoRequest(self.log)

    def test_a_mismatch_over_quic_is_not_hidden_by_a_match_over_tcp(self):
        self.pin("good")
        self.assertFailed(self.get("split"), 8)
        self.assertNoRequest(self.log)
        self.assertGot(self.get("split", http3=False), "h2")
        self.assertGot(self.get("crossed"), "h3")

    def test_the_pin_of_an_issuer_matches_over_quic(self):
        self.pin("intermediate")
        self.assertGot(self.get("quic"), "h3")

    def test_chain_and_host_name_are_checked_over_quic(self):
        self.pin("intermediate")
        for host in ("wronghost", "expired"):
            with self.subTest(host):
                self.assertFailed(self.get(host), 7)
        self.ok("profile", "set", f"caFile={self.authority.stranger}")
        self.assertFailed(self.get("quic"), 7)
        self.assertNoRequest(self.log)

    def test_a_mismatch_is_reported_if_the_profile_says_so(self):
        self.pin(NO_PIN)
        self.ok("profile", "set", "pinPolicy=report")
        result = self.get("quic", "-w", "%{pins}")
        self.assertEqual(result.text, "h3\nmismatched", result)
        self.assertIn("pinned", result.err)

    def test_a_redirect_is_followed_over_http3_behind_pins(self):
        self.pin("good")
        self.assertGot(self.get(path=f"/to/localhost:{self.hosts.ports['quic']}/x"), "h3")
        result = self.get(path=f"/to/127.0.0.1:{self.hosts.ports['quic']}/x")
        self.assertFailed(result, 8)

    def test_large_bodies_pass_in_both_directions(self):
        self.pin("good")
        file = self.home.directory / "copy"
        self.ok("fetch", "--unauth", "--http3", self.hosts.at("quic") + "/files/large", "-o", file)
        large = self.hosts.directory / "files" / "large"
        self.assertEqual(file.read_bytes(), large.read_bytes())
        result = self.get("quic", "-X", "PUT", "-d", f"@{large}", "-w", "%{size_upload}",
                          path="/upload")
        self.assertEqual((result.exit, result.text), (0, str(8 << 20)), result)

    def test_a_server_that_does_not_wait_for_the_body_is_believed(self):
        self.pin("good")
        large = self.hosts.directory / "files" / "large"
        self.assertFailed(
            self.get("quic", "-X", "PUT", "-d", f"@{large}", path="/denied"), (12, 6))

    def test_a_batch_uses_one_connection(self):
        self.pin("good")
        lines = "".join(json.dumps({"path": self.hosts.at("quic") + f"/{n}"}) + "\n"
                        for n in range(200))
        result = self.ok("fetch", "--unauth", "--http3", "--batch", "-", input=lines)
        rows = self.documentsOf(result)
        self.assertEqual({row["version"] for row in rows}, {"HTTP/3"})
        self.assertEqual(len({line.split()[1] for line in self.log.lines()}), 1)

    def test_an_identity_is_shown_over_quic(self):
        self.pin("good")
        self.assertFailed(self.get("mutual"), (9, 12))
        both = self.home.directory / "identity.pem"
        names = (self.authority.certificate("alice"), self.authority.certificate("intermediate"),
                 self.authority.key("alice"))
        both.write_text("".join(path.read_text() for path in names))
        both.chmod(0o600)
        self.ok("identity", "import", both, "--host", "localhost")
        self.assertGot(self.get("mutual"), "h3")
        self.assertIn("CN=alice", self.log.lines()[-1])
