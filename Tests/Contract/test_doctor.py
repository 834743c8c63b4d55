"""What doctor finds in a store that something has happened to, what it mends, and what it tells support."""

import json
import os
import socket
import stat
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
            self.assertEqual(self.home.run("profile", "add", f"silent{number}", "--issuer", place).exit, 0)
        began = time.monotonic()
        self.home.run("doctor", "--online", "--timeout", "2")
        self.assertLess(time.monotonic() - began, 4)

    def snapshot(self):
        return {path: (path.read_bytes() if path.is_file() else b"", path.stat().st_mode, path.stat().st_mtime_ns)
                for path in self.home.store.rglob("*")}

    def test_modes_are_found_and_mended(self):
        state = self.home.store / "state"
        path = self.file("user.json")
        for target, mode, right in ((path, 0o644, 0o600), (state, 0o755, 0o700),
                                    (self.file("profile.json"), 0o666, 0o644),
                                    (self.file("registration.json").parent, 0o770, 0o700)):
            with self.subTest(target.name):
                target.chmod(mode)
                found = self.only(self.examine(code=11), "permissions", "error", target)
                self.assertEqual((found["fixable"], found["hint"]), (True, "sdkctl doctor --fix"))
                self.assertEqual(stat.S_IMODE(target.stat().st_mode), mode)
                found = self.only(self.examine("--fix", code=0), "permissions", "fixed", target)
                self.assertIn("now", found["message"])
                self.assertEqual(stat.S_IMODE(target.stat().st_mode), right)
                self.assertEqual(self.examine(code=0), [])
                self.ok("token")

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

    def test_damaged_and_newer_documents_are_named_and_kept(self):
        for name in ("config.json", "profile.json", "pins.json", "registration.json", "user.json"):
            path = self.file(name)
            whole = path.read_bytes()
            newer = json.dumps(json.loads(whole) | {"version": 3}).encode()
            for content, words in ((b"{", "line 1"), (newer, "version 3")):
                with self.subTest(f"{name} {words}"):
                    path.write_bytes(content)
                    found = self.only(self.examine("--fix", code=11), "document", "error", path)
                    self.assertIn(words, found["message"])
                    self.assertEqual(path.read_bytes(), content)
            path.write_bytes(whole)

    def test_what_is_not_of_the_store_is_named_and_kept(self):
        for place in ("state/x", "config/profiles/test/notes.txt", "state/profiles/test/credentials/user.json~",
                      "state/profiles/test/mine", "cache/x"):
            with self.subTest(place):
                path = self.home.store / place
                path.mkdir() if place.endswith("mine") else path.touch(0o600)
                self.only(self.examine("--fix", code=0), "foreign-file", "warning", path)
                self.assertEqual(self.home.run("doctor", "--strict").exit, 11)
                path.rmdir() if place.endswith("mine") else path.unlink()

    def test_leftovers_of_the_dead_are_removed_those_of_the_living_are_not(self):
        folder = self.file("user.json").parent
        for name, content in ((".unfinished.4194304.a", True), (f".unfinished.{os.getpid()}.a", False)):
            path = folder / name
            path.write_text("secret")
            path.chmod(0o600)
            if content:
                self.assertEqual(self.examine(code=0), [], "it is not old enough to be nobody's")
            os.utime(path, (time.time() - 3600,) * 2)
            found = self.examine("--fix", code=0)
            self.assertEqual([finding["status"] for finding in found], ["fixed"] if content else [])
            self.assertEqual(path.exists(), not content)

    def test_defaults_that_no_command_takes_are_named(self):
        path = self.file("config.json")
        path.write_text(json.dumps(json.loads(path.read_text()) | {"defaults": {"fetch": {"nosuch": True}}}))
        self.assertFailed(self.home.run("profile", "show"), 3)
        found = self.only(self.examine(code=11), "settings", "error")
        self.assertIn("nosuch", found["message"])

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

    def test_a_umask_that_lets_others_write(self):
        process = self.home.start("doctor", "--json", preexec_fn=lambda: os.umask(0o002))
        out, _ = process.communicate()
        [found] = [found for found in json.loads(out)["findings"] if found["check"] == "umask"]
        self.assertEqual((found["status"], found["subject"]), ("warning", "0002"))

    def test_one_profile_or_all(self):
        self.ok("profile", "add", "other", "--issuer", "https://id.test", "--resource-url", "https://api.test")
        found = self.examine(code=11)
        self.assertEqual({finding["profile"] for finding in found}, {"other"})
        self.assertEqual(self.examine("-p", "test", code=0), [])
        self.assertEqual(self.examine(code=0, environment={"SDKCTL_PROFILE": "test"}), [])
        self.assertFailed(self.home.run("-p", "nobody", "doctor"), 3)


if __name__ == "__main__":
    unittest.main()
