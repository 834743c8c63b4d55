"""What doctor says of servers: metadata, clock, keys and pins."""

from Servers.sandbox import SandboxCase


class OnlineTests(SandboxCase):
    ONLINE = {"discovery", "server-clock", "keys", "server-pins"}

    def examine(self, *arguments) -> tuple:
        """The exit status, and the status of each check of servers."""
        result = self.home.run("doctor", "--online", "--json", *arguments)
        found = self.jsonOf(result)["findings"]
        self.found = {finding["check"]: finding for finding in found}
        worst = {}
        for finding in found:
            if finding["check"] in self.ONLINE:
                worst.setdefault(finding["check"], set()).add(finding["status"])
        return result.exit, {check: "error" if "error" in seen else "warning" if "warning" in seen else "ok"
                             for check, seen in worst.items()}

    def test_after_a_session_all_is_well(self):
        self.add_session()
        def files():
            return {path: (path.stat().st_mtime_ns, path.read_bytes())
                    for path in self.home.store.rglob("*") if path.is_file()}
        before = files()
        self.assertEqual(self.examine(), (0, dict.fromkeys(self.ONLINE, "ok")))
        self.assertEqual(files(), before)
        # The sandbox lets a password log in, which doctor warns of.
        self.ok("profile", "unset", "passwordGrant")
        self.assertEqual(self.home.run("doctor", "--strict", "--problems", environment={
            "BROWSER": "/bin/true"}).text, "")

    def test_without_the_option_no_server_is_asked(self):
        before = self.sandbox.status()["counts"]["endpoints"]
        self.ok("doctor")
        self.assertEqual(self.sandbox.status()["counts"]["endpoints"], before)

    def test_a_clock_that_differs(self):
        self.sandbox.fault("date-skew", "--times", "20")
        code, checks = self.examine()
        self.assertEqual((code, checks["server-clock"]), (11, "error"))
        self.assertRegex(self.found["server-clock"]["message"], r"clock is \d+ seconds (behind|ahead of)")

    def test_metadata_and_keys_that_cannot_be_read(self):
        for fault in ("500", "garbage", "html"):
            with self.subTest(fault):
                self.sandbox.command("reset")
                self.sandbox.fault(fault, "--on", "discovery", "--times", "20")
                code, checks = self.examine()
                self.assertEqual((code, checks["discovery"]), (11, "error"))
        self.sandbox.command("reset")
        self.sandbox.fault("garbage", "--on", "jwks", "--times", "20")
        code, checks = self.examine()
        self.assertEqual((code, checks["keys"], checks["discovery"]), (11, "error", "ok"))

    def test_pins_that_do_not_match(self):
        self.ok("pin", "remove", "localhost", "--yes")
        self.ok("pin", "add", "sha256/" + "A" * 43 + "=", "--host", "localhost", "--yes")
        code, checks = self.examine()
        self.assertEqual((code, checks["server-pins"], checks["discovery"]), (11, "error", "error"))
        self.assertIn("pin check localhost", self.found["server-pins"]["hint"])

    def test_a_server_that_is_gone(self):
        sandbox = self.own()
        sandbox.command("stop")
        result = sandbox.home.run("doctor", "--online", "--json")
        self.assertEqual(result.exit, 11)
        found = {finding["check"]: finding for finding in self.jsonOf(result)["findings"]}
        for check in ("discovery", "server-pins"):
            self.assertEqual(found[check]["status"], "error")
            self.assertIn("could not be reached", found[check]["message"])
