"""Pins where curl is not right: which keys of which path match, and nothing is sent on a mismatch."""

import json
import re

from Servers.case import NO_PIN, Case
from Servers.relay import Proxy
from Servers.swapping import SwappingServer
from Servers.tls_hosts import KINDS, TLSHosts


class HostCase(Case):
    """A profile whose servers are hosts of `TLSHosts`; no provider is started."""

    def setUp(self):
        super().setUp()
        self.hosts = TLSHosts.shared()
        self.authority = self.hosts.authority
        self.add_hosts_profile()
        self.log = self.hosts.requests()

    def add_hosts_profile(self, ca="root.crt"):
        self.ok("profile", "add", self.home.name, "--issuer", self.hosts.at(), "--resource-url",
                self.hosts.at(), "--ca-file", self.authority.path(ca))
        self.ok("profile", "use", self.home.name)

    def pin(self, *names, host="localhost", options=()):
        """Pins keys of the authority by name, or pins."""
        pins = [name if name == NO_PIN else self.authority.pin(name) for name in names]
        if self.home.run("pin", "show", host, "--offline").exit == 0:
            self.ok("pin", "remove", host, "--yes")
        self.ok("pin", "add", *pins, "--host", host, "--yes", *options)

    def get(self, name="main", host="localhost", path="/x"):
        return self.home.run("fetch", "--unauth", self.hosts.at(name, host) + path)

    def assertFetched(self, name="main", host="localhost"):
        result = self.get(name, host)
        self.assertEqual((result.exit, result.out), (0, f"{name}\n".encode()), result)

    def assertMismatch(self, result, chain, pinned):
        """Exit 8, both lists in the message, no output, and no request line in the server's log."""
        self.assertFailed(result, 8)
        lines = result.err.splitlines()
        begin = next(i for i, line in enumerate(lines) if "chain of " in line)
        middle = next(i for i, line in enumerate(lines) if "pinned for " in line)
        shown = [re.findall(r"sha256/\S+", line) for line in lines]
        self.assertEqual([pin for row in shown[begin:middle] for pin in row],
                         [self.authority.pin(name) for name in chain], result)
        self.assertEqual([pin for row in shown[middle:] for pin in row],
                         [name if name == NO_PIN else self.authority.pin(name) for name in pinned],
                         result)
        self.assertEqual(result.out, b"")
        self.assertNoRequest(self.log)


class ChainTests(HostCase):
    def test_every_kind_of_key_matches_its_own_pin_and_no_other(self):
        for kind in KINDS:
            with self.subTest(kind):
                self.pin(kind)
                self.assertFetched(kind)
                self.log.mark()
                self.pin("local")
                self.assertMismatch(self.get(kind), [kind, "intermediate", "root"], ["local"])

    def test_the_intermediate_and_the_root_match_as_the_leaf_does(self):
        for name in ("local", "intermediate", "root"):
            with self.subTest(name):
                self.pin(name)
                self.assertFetched()

    def test_an_intermediate_pin_survives_a_new_leaf_key(self):
        self.pin("intermediate")
        self.assertFetched("main")
        self.assertFetched("rotated")
        self.log.mark()
        self.pin("local")
        self.assertMismatch(self.get("rotated"), ["rotated", "intermediate", "root"], ["local"])

    def test_a_certificate_that_is_served_but_not_in_the_path_does_not_match(self):
        self.pin("stranger")
        self.assertMismatch(self.get("extra"), ["local", "intermediate", "root"], ["stranger"])
        self.pin("local")
        self.assertFetched("extra")

    def test_of_crossed_roots_only_the_one_of_the_validated_path_matches(self):
        # The server sends the old root too; the path ends at the new one, which is trusted.
        self.pin("old")
        self.assertMismatch(self.get("cross"), ["local", "intermediate", "root"], ["old"])
        self.pin("root")
        self.assertFetched("cross")
        # With the old root as the only trusted one, the path goes on over the crossed key.
        self.ok("profile", "set", f"caFile={self.authority.old}")
        self.pin("old")
        self.assertFetched("cross")
        self.log.mark()
        self.pin(NO_PIN)
        self.assertMismatch(
            self.get("cross"), ["local", "intermediate", "crossed", "old"], [NO_PIN])
        # With both, OpenSSL takes the shortest path to a trusted root.
        self.ok("profile", "set", f"caFile={self.authority.path('both.crt')}")
        self.log.mark()
        self.pin("old")
        self.assertMismatch(self.get("cross"), ["local", "intermediate", "root"], ["old"])

    def test_validity_is_checked_before_the_pins(self):
        for name, word in (("future", "not valid before"), ("past", "expired")):
            with self.subTest(name):
                self.pin(name)
                result = self.assertFailed(self.get(name), 7)
                self.assertIn(word, result.err)
                self.assertNoRequest(self.log)

    def test_openssl_receives_no_byte_of_a_request_with_either_version(self):
        for version in ("-tls1_2", "-tls1_3"):
            with self.subTest(version):
                server = self.hosts.s_server(version)
                self.pin(NO_PIN)
                result = self.home.run("fetch", "--unauth", server.at() + "/secret-path")
                self.assertMismatch(result, ["local", "intermediate", "root"], [NO_PIN])
                # The server answers a second handshake only after it has ended the first.
                self.pin("local")
                result = self.home.run("fetch", "--unauth", "--timeout", "3",
                                       server.at() + "/other-path")
                self.assertEqual(result.exit, 6, result)
                received = server.received()
                self.assertIn("GET /other-path", received)
                self.assertNotIn("secret-path", received)

    def test_sessions_are_not_resumed_so_changed_pins_hold_at_once(self):
        for name in ("tls12", "tls13"):
            with self.subTest(name):
                self.pin("local")
                self.log.mark()
                # Three connections of one process; the server offers sessions for all of them.
                result = self.home.run(
                    "fetch", "--unauth", self.hosts.at(name) + f"/to/{self.hosts.place('other')}"
                    + f"/to/{self.hosts.place(name)}/x")
                self.assertEqual(result.exit, 0, result)
                lines = self.log.lines()
                self.assertEqual(len(lines), 3)
                self.assertTrue(all("reused=." in line for line in lines), lines)
                self.log.mark()
                self.pin(NO_PIN)
                self.assertMismatch(
                    self.get(name), ["local", "intermediate", "root"], [NO_PIN])


class HostTests(HostCase):
    def test_a_redirect_to_another_host_needs_the_pins_of_that_host(self):
        self.pin("local")
        self.pin(NO_PIN, host="other.localhost")
        path = f"/to/{self.hosts.place('other', 'other.localhost')}/x"
        result = self.assertFailed(self.get(path=path), 8)
        self.assertIn("chain of other.localhost:", result.err)
        lines = self.log.lines()
        self.assertEqual(len(lines), 1, lines)
        self.assertIn(f"GET {path}", lines[0])
        self.pin("intermediate", host="other.localhost")
        self.assertEqual(self.get(path=path).out, b"other\n")

    def test_hosts_of_one_certificate_do_not_share_an_http2_connection(self):
        self.pin("local")
        self.pin(NO_PIN, host="other.localhost")
        path = f"/to/{self.hosts.place('main', 'other.localhost')}/x"
        self.assertFailed(self.get(path=path), 8)
        self.assertEqual(len(self.log.lines()), 1)
        self.log.mark()
        self.pin("local", host="other.localhost")
        self.assertEqual(self.get(path=path).out, b"main\n")
        connections = [re.search(r"conn=(\d+)", line)[1] for line in self.log.lines()]
        self.assertEqual(len(set(connections)), 2, connections)

    def test_addresses_have_pins_of_their_own(self):
        self.pin("local")
        for host in ("127.0.0.1", "[::1]"):
            with self.subTest(host):
                self.assertFailed(self.get(host=host), 8)
                self.assertNoRequest(self.log)
                self.pin(NO_PIN, host=host)
                self.assertMismatch(
                    self.get(host=host), ["local", "intermediate", "root"], [NO_PIN])
                self.pin("local", host=host)
                self.assertFetched(host=host)
                self.log.mark()

    def test_an_international_name_is_pinned_as_its_a_label(self):
        host = "xn--bcher-kva.localhost"
        self.pin(NO_PIN, host=host)
        self.assertMismatch(self.get(host=host), ["local", "intermediate", "root"], [NO_PIN])
        self.pin("local", host=host.upper())
        self.assertFetched(host=host)

    def test_pins_of_subdomains_do_not_cover_a_name_that_only_ends_alike(self):
        self.pin("local", host="example.localhost", options=["--subdomains"])
        self.assertFetched(host="api.example.localhost")
        self.assertFetched(host="example.localhost")
        self.log.mark()
        self.assertFailed(self.get(host="evil-example.localhost"), 8)
        self.assertNoRequest(self.log)

    def test_the_report_policy_is_always_told_even_when_quiet(self):
        self.pin(NO_PIN)
        self.ok("profile", "set", "pinPolicy=report")
        for words in (["fetch", "--unauth", "/x"], ["fetch", "--unauth", "/x", "-q"],
                      ["fetch", "--unauth", "/x", "-q", "--json"]):
            with self.subTest(words):
                result = self.home.run(*words)
                self.assertEqual(result.exit, 0, result)
                for pin in (NO_PIN, *map(self.authority.pin, ("local", "intermediate", "root"))):
                    self.assertIn(pin, result.err)

    def test_with_strict_pins_what_the_policy_lets_pass_is_in_the_exit_status(self):
        self.pin(NO_PIN)
        self.ok("profile", "set", "pinPolicy=report")
        for pinned in (True, False):
            if not pinned:
                self.ok("pin", "remove", "localhost", "--yes")
            result = self.home.run("fetch", "--unauth", "/x", "--strict-pins")
            self.assertEqual(result.exit, 8, result)
            self.assertIn("sdkctl: error: could not protect the request with pins", result.err)
            self.assertEqual(result.out, b"main\n")
            result = self.home.run("fetch", "--unauth", "--strict-pins", "--batch", "-",
                                   input=b'{"path":"/x"}\n')
            self.assertEqual(result.exit, 8, result)
            (row,) = [json.loads(line) for line in result.text.splitlines()]
            self.assertEqual((row["exit"], row["error"]["code"]), (8, "pins_not_enforced"), result)
        self.pin("local")
        self.ok("fetch", "--unauth", "/x", "--strict-pins")

    def test_through_a_proxy_the_pins_of_the_host_hold(self):
        proxy = Proxy().start()
        self.addCleanup(proxy.stop)
        by = {"https_proxy": f"http://127.0.0.1:{proxy.port}", "no_proxy": ""}
        self.pin("local")
        self.assertEqual(self.by(by).out, b"main\n")
        self.assertEqual(len(proxy.asked), 1)
        self.log.mark()
        self.pin(NO_PIN)
        self.assertMismatch(self.by(by), ["local", "intermediate", "root"], [NO_PIN])

    def test_an_https_proxy_with_pins_is_held_to_them(self):
        proxy = Proxy(self.authority.files("proxy")).start()
        self.addCleanup(proxy.stop)
        by = {"https_proxy": f"https://user:secret@proxy.localhost:{proxy.port}", "no_proxy": ""}
        self.pin("local")
        self.assertEqual(self.by(by).out, b"main\n")
        asked, options = len(proxy.asked), ["--host", "proxy.localhost", "--proxy", "--yes"]
        self.log.mark()
        self.ok("pin", "add", NO_PIN, *options)
        result = self.by(by)
        self.assertMismatch(result, ["proxy", "intermediate", "root"], [NO_PIN])
        self.assertIn("the proxy proxy.localhost", result.err)
        self.assertEqual(len(proxy.asked), asked)
        # A pin of the proxy is none of the host, and the other way round.
        self.assertFailed(self.get(host="other.localhost"), 8)
        self.ok("pin", "add", self.authority.pin("proxy"), *options)
        self.assertEqual(self.by(by).out, b"main\n")
        self.ok("pin", "remove", "proxy.localhost", "--proxy", "--yes")
        self.ok("pin", "add", NO_PIN, *options)
        self.ok("profile", "set", "pinPolicy=report")
        result = self.by(by)
        self.assertEqual(result.out, b"main\n")
        self.assertIn(self.authority.pin("proxy"), result.err)

    def test_no_spelling_of_an_https_proxy_avoids_its_pins(self):
        proxy = Proxy(self.authority.files("local")).start()
        self.addCleanup(proxy.stop)
        self.pin("local", host="other.localhost")
        options = ["--proxy", "--yes", "--host"]
        for host in ("localhost", "127.0.0.1"):
            self.ok("pin", "add", NO_PIN, *options, host)
        places = ("127.0.0.1", "127.1", "2130706433", "localhost", "localhos%74", "/localhost")
        for place in places:
            with self.subTest(place):
                url = f"https://user:secret@{place}:{proxy.port}"
                self.assertFailed(self.through(url), 8)
                self.assertEqual(proxy.asked, [])
                self.assertNoRequest(self.log)
        for host in ("localhost", "127.0.0.1"):
            self.ok("pin", "add", self.authority.pin("local"), *options, host)
        for place in places:
            with self.subTest(place):
                result = self.through(f"https://{place}:{proxy.port}")
                self.assertEqual(result.out, b"main\n", result)
        self.assertEqual(len(proxy.asked), len(places))

    def test_a_proxy_that_looks_like_the_host_is_not_used_if_it_has_pins(self):
        proxy = Proxy(self.authority.files("local")).start()
        self.addCleanup(proxy.stop)
        self.pin("local")
        self.ok("pin", "add", NO_PIN, "--host", "localhost", "--proxy", "--yes")
        url = f"https://localhost:{proxy.port}"
        result = self.through(url, "localhost")
        self.assertFailed(result, 8)
        self.assertIn("cannot be checked", result.err)
        self.assertEqual(proxy.asked, [])
        self.assertEqual(self.through(url, "localhost", "localhost").out, b"main\n")
        self.assertEqual(proxy.asked, [])

    def through(self, url, host="other.localhost", exceptions=""):
        return self.home.run("fetch", "--unauth", self.hosts.at("main", host) + "/x",
                             environment={"https_proxy": url, "no_proxy": exceptions})

    def test_a_certificate_that_is_swapped_within_a_batch_gets_no_byte_of_a_request(self):
        server = SwappingServer(*map(self.authority.files, ("local", "rotated", "local"))).start()
        self.addCleanup(server.stop)
        self.pin("local")
        url = f"https://localhost:{server.port}"
        lines = "".join(f'{{"id":{n},"path":"{url}/secret-{n}"}}\n' for n in range(3))
        result = self.home.run("fetch", "--unauth", "--batch", "-", "--parallel", "1", input=lines)
        self.assertNotEqual(result.exit, 0, result)
        rows = {row["id"]: row for row in map(json.loads, result.text.splitlines())}
        self.assertEqual([rows[n].get("status") for n in (0, 2)], [200, 200], rows)
        self.assertIn("pin", json.dumps(rows[1]))
        self.assertNotEqual(rows[1].get("status"), 200)
        server.settle()
        self.assertIn(b"GET /secret-0", server.received[0])
        self.assertEqual(server.received[1], b"")
        self.assertIn(b"GET /secret-2", server.received[2])

    def by(self, environment):
        return self.home.run("fetch", "--unauth", "/x", environment=environment)
