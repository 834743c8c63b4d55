"""`pin check`, `pin update` and `pin backup` against nginx and openssl s_server."""

import resource
import xml.etree.ElementTree as XML

from Servers.case import NO_PIN
from Servers.process import Server, free_port
from Servers.pseudo_terminal import PseudoTerminal
from Servers.relay import Proxy
from Servers.sdkctl import BINARY

from .test_pin_chains import HostCase


class PinCheckTests(HostCase):
    def check(self, *words, within="1d", **keywords):
        result = self.home.run("pin", "check", "--within", within, *words, **keywords)
        rows = [line.split("\t") for line in result.text.splitlines()]
        return result.exit, {row[0]: row[1] for row in rows}, result

    def add(self, role, *names):
        for name in names:
            self.ok("pin", "add", self.authority.pin(name), "--host", "localhost", "--role", role,
                    "--yes")

    def test_each_status_has_its_exit_code(self):
        main, rotated = self.hosts.place(), self.hosts.place("rotated")
        past, closed = self.hosts.place("past"), f"localhost:{free_port()}"
        self.add("leaf", "local")
        self.assertEqual(self.check(main)[:2], (0, {main: "OK"}))
        self.assertEqual(self.check(rotated)[:2], (8, {rotated: "MISMATCH"}))
        self.assertEqual(self.check(past)[:2], (11, {past: "UNTRUSTED"}))
        self.assertEqual(self.check(closed)[:2], (6, {closed: "UNREACHABLE"}))
        self.assertEqual(self.check(main, within="11d")[:2], (11, {main: "WILL-EXPIRE"}))
        self.add("backup", "rotated")
        self.assertEqual(self.check(rotated)[:2], (11, {rotated: "BACKUP-ONLY"}))
        self.add("intermediate", "intermediate")
        self.assertEqual(self.check(main)[:2], (0, {main: "OK"}))
        self.assertEqual(self.check(rotated)[:2], (11, {rotated: "DRIFT"}))
        code, statuses, _ = self.check(main, rotated, past, closed)
        self.assertEqual(code, 11)
        self.assertEqual(list(statuses), [main, rotated, past, closed])
        self.assertNoRequest(self.log)

    def test_the_chain_of_a_server_that_demands_a_certificate_is_shown_checked_and_pinned(self):
        for version in ("-tls1_2", "-tls1_3"):
            with self.subTest(version):
                place = self.demanding("local", version)
                self.ok("pin", "add", place, "--yes")
                self.ok("pin", "show", place)
                self.assertEqual(self.check(place)[:2], (0, {place: "OK"}))
                # The pin keeps its port, which is checked again.
                self.assertEqual(self.check()[:2], (0, {place: "OK"}))
                self.ok("pin", "remove", place, "--yes")
                wrong = self.demanding("wronghost", version)
                self.ok("pin", "add", self.authority.pin("wronghost"), "--host", wrong, "--yes")
                self.assertEqual(self.check(wrong)[:2], (11, {wrong: "UNTRUSTED"}))
                self.ok("pin", "remove", wrong, "--yes")

    def demanding(self, name, version):
        """The place of an openssl s_server that refuses clients without a certificate."""
        port = free_port()
        chain, key = self.authority.files(name)
        server = Server(
            ["openssl", "s_server", "-www", version, "-accept", f"127.0.0.1:{port}", "-cert", chain,
             "-cert_chain", chain, "-key", key, "-Verify", "1", "-verify_return_error", "-CAfile",
             self.authority.root], port, self.home.directory / f"s_server-{port}")
        self.addCleanup(server.start().stop)
        return f"localhost:{port}"

    def test_the_junit_report_is_xml_with_a_case_for_each_host(self):
        self.add("leaf", "local")
        places = [self.hosts.place(), self.hosts.place("rotated"), f"localhost:{free_port()}"]
        code, _, _ = self.check(*places, "--junit", "pins.xml")
        self.assertEqual(code, 8)
        root = XML.parse(self.home.directory / "pins.xml").getroot()
        (suite,) = root
        self.assertEqual((root.tag, suite.tag), ("testsuites", "testsuite"))
        counts = {key: suite.get(key) for key in ("tests", "failures", "errors")}
        self.assertEqual(counts, {"tests": "3", "failures": "1", "errors": "1"})
        self.assertEqual([case.get("name") for case in suite], places)
        found = [[(part.tag, part.get("type")) for part in case] for case in suite]
        self.assertEqual(found, [[], [("failure", "MISMATCH")], [("error", "UNREACHABLE")]])
        self.assertIn(self.authority.pin("rotated"), suite[1][0].text)

    def test_a_proxy_with_another_key_is_a_mismatch_of_the_hosts_behind_it(self):
        proxy = Proxy(self.authority.files("proxy")).start()
        self.addCleanup(proxy.stop)
        by = {"https_proxy": f"https://proxy.localhost:{proxy.port}", "no_proxy": ""}
        main = self.hosts.place()
        self.add("leaf", "local")
        self.ok("pin", "add", NO_PIN, "--host", "proxy.localhost", "--proxy", "--yes")
        code, statuses, result = self.check(main, environment=by)
        self.assertEqual((code, statuses), (8, {main: "MISMATCH"}), result)
        for text in ("the proxy proxy.localhost", NO_PIN, self.authority.pin("proxy")):
            self.assertIn(text, result.err)
        self.assertEqual(proxy.asked, [])
        self.ok("pin", "add", self.authority.pin("proxy"), "--host", "proxy.localhost", "--proxy",
                "--yes")
        self.assertEqual(self.check(main, environment=by)[:2], (0, {main: "OK"}))

    def test_a_long_list_needs_few_descriptors(self):
        names = [f"h{number}.example.localhost:{self.hosts.ports['main']}"
                 for number in range(200)]
        pins = [self.authority.pin("local"), NO_PIN]
        lines = [f"{name} {pins[number % 2]}" for number, name in enumerate(names)]
        code, statuses, result = self.check(
            "@-", "--parallel", "20", "-q", input="\n".join(lines), preexec_fn=few_descriptors)
        self.assertEqual(code, 8, result.err[:1000])
        self.assertEqual(list(statuses), names)
        self.assertEqual(list(statuses.values()), ["OK", "MISMATCH"] * 100)
        self.assertNoRequest(self.log)

    def test_a_rotation_to_the_backup_key_needs_no_change_in_time(self):
        self.add("leaf", "local")
        made = self.jsonOf(self.ok("pin", "backup", "localhost", "--json"))
        certificate, key = self.authority.certified(self.home.directory / made["request"])
        server = self.hosts.s_server("-WWW", leaf=(certificate, key))
        place = f"localhost:{server.port}"
        self.assertEqual(self.check(place)[:2], (11, {place: "BACKUP-ONLY"}))
        self.ok("pin", "update", place, "--yes")
        self.assertEqual(self.check(place)[:2], (0, {place: "OK"}))
        roles = {key["pin"]: key["role"]
                 for entry in self.jsonOf(self.ok("pin", "list", "--json"))
                 for key in entry["keys"]}
        # The old key stays until its certificate has ended.
        self.assertEqual(roles, {self.authority.pin("local"): "leaf", made["pin"]: "leaf"})
        history = self.jsonOf(self.ok("pin", "history", place, "--json"))
        self.assertEqual([key["role"] for key in history], ["leaf", "intermediate", "root"])
        self.assertEqual(history[0]["pin"], made["pin"])

    def test_a_person_sees_the_difference_before_the_question(self):
        self.ok("pin", "add", NO_PIN, "--host", "localhost", "--yes")
        terminal = PseudoTerminal(self.home, BINARY, "pin", "update",
                                  self.hosts.place())
        shown = terminal.wait_for(b"[y/N]")
        self.assertIn(b"it stays, because the end of its certificate is not known", shown)
        self.assertIn(b"+ sha256/", shown)
        terminal.type("n\n")
        self.assertEqual(terminal.end()[0], 15)

    def test_a_backup_key_joins_the_pins_that_decide_about_the_server(self):
        self.home.pins_file.unlink(missing_ok=True)
        leaf = self.authority.pin("local")
        for host, wanted in (("**.example.test", "api.example.test"), ("db.test:8443", "db.test:8443"),
                             ("db.test:5432", "db.test:5432")):
            self.ok("pin", "add", leaf, "--host", host, "--yes")
            made = self.jsonOf(self.ok("pin", "backup", wanted, "--json"))
            self.assertEqual((made["host"], made["pattern"]), (wanted.split(":")[0], host))
        keys = {entry["pattern"]: len(entry["keys"])
                for entry in self.jsonOf(self.ok("pin", "list", "--json"))}
        self.assertEqual(keys, {"**.example.test": 2, "db.test:8443": 2, "db.test:5432": 2})
        result = self.fails(2, "pin", "backup", "db.test")
        self.assertIn("only pins for db.test:5432, db.test:8443", result.err)
        self.assertEqual(len(list(self.home.store.rglob("backup-keys/*.key"))), 3)


def few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
