"""What doctor finds in a store that something has happened to, what it mends, and what it tells support."""

import os
import socket
import time
import unittest

from Contract.test_store import StoreCase

STATUSES = {"ok", "fixed", "warning", "error"}


class DoctorCase(StoreCase):
    def examine(self, *arguments, code=None, **keywords) -> list:
        """The findings that are not ok."""
        result = self.home.run("doctor", "--json", *arguments, **keywords)
        if code is not None:
            self.assertEqual(result.exit, code, result)
        document = self.jsonOf(result)
        self.assertEqual(set(document), {"healthy", "errors", "warnings", "fixed", "findings"})
        for finding in document["findings"]:
            self.assertEqual(set(finding), {
                "status", "check", "profile", "subject", "message", "hint", "fixable"})
            self.assertIn(finding["status"], STATUSES)
        self.assertEqual(document["errors"], sum(
            finding["status"] == "error" for finding in document["findings"]))
        self.assertEqual(document["healthy"], document["errors"] == 0)
        return [finding for finding in document["findings"]
                if finding["status"] != "ok" and finding["check"] != "browser"
                # The pin of the stand has no backup, and is that of a short-lived leaf.
                and (finding["check"], finding["status"]) != ("pins", "warning")]

    def only(self, findings, check, status, subject=None) -> dict:
        self.assertEqual([(found["check"], found["status"]) for found in findings], [(check, status)], findings)
        if subject is not None:
            self.assertEqual(findings[0]["subject"], str(subject))
        return findings[0]


class HealthTests(DoctorCase):
    def test_a_store_after_a_session_is_well_and_is_not_changed(self):
        before = self.snapshot()
        result = self.home.run("doctor")
        self.assertEqual(result.exit, 0, result)
        lines = [line.split("\t") for line in result.text.splitlines()]
        self.assertEqual({len(line) for line in lines}, {5})
        self.assertLessEqual({"libcurl", "openssl", "authorities", "loopback", "clock", "umask", "proxy", "permissions",
                              "document", "lock", "settings", "pins", "place", "token", "registration"},
                             {line[1] for line in lines})
        self.assertEqual(self.examine(code=0), [])
        self.assertEqual(self.snapshot(), before)

    def test_the_time_limit_is_that_of_the_command_and_not_of_each_profile(self):
        for number in range(3):
            server = socket.create_server(("127.0.0.1", 0))
            self.addCleanup(server.close)
            place = f"https://localhost:{server.getsockname()[1]}"
            name = f"silent{number}"
            self.assertEqual(self.home.run("profile", "add", name, "--issuer", place).exit, 0)
            self.assertEqual(self.home.run("profile", "set", "pinPolicy=report", "-p", name).exit, 0)
        began = time.monotonic()
        self.home.run("doctor", "--online", "--timeout", "2")
        taken = time.monotonic() - began
        self.assertTrue(1.5 < taken < 4.5, taken)

    def snapshot(self):
        return {path: (path.read_bytes() if path.is_file() else b"", path.stat().st_mode, path.stat().st_mtime_ns)
                for path in self.home.store.rglob("*")}

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a file away")
    def test_another_owner_is_for_the_administrator(self):
        for path in (self.file("user.json"), self.home.store / "config"):
            with self.subTest(path.name):
                os.chown(path, 65534, 65534)
                found = self.only(self.examine("--fix", code=11), "permissions", "error", path)
                self.assertIn("belongs to", found["message"])
                self.assertEqual(found["hint"], f"chown 0 {path}")
                self.assertFalse(found["fixable"])
                os.chown(path, 0, 0)

    def test_an_unreadable_proxy_missing_authorities_and_a_browser_that_is_none(self):
        for variables, check, status in (
                ({"https_proxy": "http://"}, "proxy", "error"),
                ({"SSL_CERT_FILE": "/nonexistent"}, "authorities", "error"),
                ({"SSL_CERT_FILE": "/etc/hostname"}, "authorities", "error"),
                ({"SSL_CERT_DIR": "/etc"}, "authorities", "error")):
            with self.subTest(variables):
                self.only(self.examine(code=11, environment=variables), check, status)
        result = self.home.run("doctor", "--json", environment={"BROWSER": "/nonexistent/browser"})
        [found] = [found for found in self.jsonOf(result)["findings"] if found["check"] == "browser"]
        self.assertEqual((found["status"], found["subject"]), ("warning", "/nonexistent/browser"))

    def test_a_proxy_is_shown_without_its_password(self):
        result = self.home.run("doctor", environment={
            "https_proxy": "http://user:pass-word-1@proxy.test:3128", "no_proxy": "a.test"})
        self.assertIn("proxy.test\trequests use this proxy, but for a.test", result.text)
        self.assertNotIn("pass-word-1", result.text + result.err)


if __name__ == "__main__":
    unittest.main()
