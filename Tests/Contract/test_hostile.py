"""Servers that answer nonsense: the right exit code, a clear word, nothing believed or stored."""

import json
import os
import re
import subprocess
import tempfile
import time

from Servers.case import Case

# fault → exit code: 1 nonsense, 5 refused or not what was asked for, 6 network or no JSON, 11 not verified
DISCOVERY = {
    "issuer-differs": 11, "metadata-html": 6, "metadata-empty": 6,
    "metadata-array": 1, "metadata-deep": 6, "metadata-huge": 1,
    "metadata-missing": 6,
}
REGISTRATION = {"register-html": 6, "register-refused": 5, "register-no-id": 1}
TOKEN = {
    "metadata-no-token": 1, "metadata-wrong-type": 1, "metadata-plain-http": 11,
    "token-html": 6, "token-html-error": 5, "token-empty": 6,
    "token-nothing": 6, "token-huge": 1, "token-huge-chunked": 1,
    "token-half": 6, "token-half-head": 6, "token-garbage": 1,
    "token-big-fields": 1, "token-deep": 6, "token-not-utf8": 6,
    "token-missing": 1, "token-number": 1, "token-blank": 1,
    "token-injects": 1, "token-other-type": 5,
    "token-refused": 5, "token-500": 6, "token-redirects": 6,
}
PEAK = 200 << 10  # KiB of memory that a debug build may take at most


class HostileTests(Case):
    def at(self, fault):
        self.home = self.new_home()
        self.add_profile(issuer=self.stand.hostile.issuer(fault))

    def test_a_server_that_binds_no_tokens(self):
        self.at("plain")
        self.ok("register")
        self.ok("profile", "set", "dpop=on")
        result = self.ok("login", "--anonymous")
        self.assertIn("warning: the server binds no tokens", result.err)
        self.ok("profile", "set", "dpop=required")
        before = self.home.slot_file("anonymous").read_text()
        result = self.fails(11, "token", "--anonymous", "--fresh")
        self.assertIn("bound to a key is required", result.err)
        self.assertEqual(self.home.slot_file("anonymous").read_text(), before)

    def test_discovery(self):
        for fault, code in DISCOVERY.items():
            with self.subTest(fault):
                self.at(fault)
                self.fails(code, "register")
                self.assertFalse(self.home.registration_file.exists())
                self.assertEqual(self.stand.hostile.count(fault, "register"), 0)

    def test_both_issuers_are_named_when_they_differ(self):
        self.at("issuer-differs")
        result = self.fails(DISCOVERY["issuer-differs"], "register")
        self.assertIn("localhost.example/other", result.err)
        self.assertIn(self.stand.hostile.issuer("issuer-differs"), result.err)

    def test_registration(self):
        for fault, code in REGISTRATION.items():
            with self.subTest(fault):
                self.at(fault)
                self.fails(code, "register")
                self.assertFalse(self.home.registration_file.exists())

    def test_token_answers(self):
        for fault, code in TOKEN.items():
            with self.subTest(fault):
                self.at(fault)
                self.given_client()
                result = self.fails(code, "login", "--anonymous")
                self.assertFalse(self.home.slot_file("anonymous").exists(), result)
                for secret in ("at-1", "rt-1", "s3cret"):
                    self.assertNotIn(secret, result.err)

    def test_a_redirected_token_request_is_not_followed(self):
        self.at("token-redirects")
        self.given_client()
        before = self.stand.hostile.count("token-500", "token")
        self.fails(TOKEN["token-redirects"], "login", "--anonymous")
        self.assertEqual(self.stand.hostile.count("token-500", "token"), before)

    def test_a_dripping_answer_ends_at_the_timeout(self):
        self.at("token-drip")
        self.given_client()
        began = time.monotonic()
        self.fails(6, "--timeout", "2", "login", "--anonymous")
        self.assertLess(time.monotonic() - began, 20)

    def test_ten_megabytes_do_not_fill_the_memory(self):
        self.at("token-huge-chunked")
        self.given_client()
        process = self.home.start("login", "--anonymous", stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, TOKEN["token-huge-chunked"])
        self.assertLess(usage.ru_maxrss, PEAK)

    def test_nonsense_at_a_refresh_keeps_the_tokens(self):
        """Only invalid_grant may cost the refresh token; a broken server must not."""
        self.at("honest")
        self.ok("profile", "set", "scope=read")
        self.ok("register")
        self.home.use_browser(self.stand)
        self.ok("login")
        self.home.forget_endpoints()  # those of a login do not change
        self.home.expire()
        before = self.home.slot_file().read_bytes()
        for fault in ("token-html", "token-empty", "token-half", "token-500", "token-huge",
                      "token-missing"):
            with self.subTest(fault):
                self.ok("profile", "set",
                        f"endpoints.token={self.stand.hostile.issuer(fault)}/token")
                self.fails(TOKEN[fault], "token")
                self.assertEqual(self.home.slot_file().read_bytes(), before)
        self.ok("profile", "unset", "endpoints.token")
        self.assertEqual(self.ok("token").out, b"at-1\n")

    def test_ten_thousand_keys_are_bounded(self):
        """Keys that are none, within the limit of an answer, and keys beyond it."""
        for fault, code in {
                "id-token-many-keys": 11, "id-token-fitting-keys": 11,
                "id-token-huge-keys": 1}.items():
            with self.subTest(fault):
                self.at(fault)
                self.ok("profile", "set", "scope=openid")
                self.ok("register")
                self.home.use_browser(self.stand)
                began = time.monotonic()
                with tempfile.TemporaryFile() as errors:
                    process = self.home.start("login", stdout=subprocess.DEVNULL, stderr=errors)
                    _, status, usage = os.wait4(process.pid, 0)
                    process.returncode = os.waitstatus_to_exitcode(status)
                    errors.seek(0)
                    self.assertEqual(process.returncode, code, errors.read().decode())
                self.assertGreaterEqual(self.stand.hostile.count(fault, "jwks"), 1)
                self.assertLess(time.monotonic() - began, 60)
                self.assertLess(usage.ru_maxrss, PEAK)
                self.assertFalse(self.home.slot_file().exists())

    def test_a_clock_that_differs_is_told_where_it_matters(self):
        ahead = r"(?m)^sdkctl: warning: this machine's clock is \d+ seconds behind"
        self.at("clock-refused")
        self.given_client()
        result = self.home.run("login", "--anonymous")
        self.assertEqual(result.exit, 5, result)
        self.assertEqual(len(re.findall(ahead, result.err)), 1, result)
        self.at("clock-granted")
        self.given_client()
        self.ok("profile", "set", "scope=read")
        self.home.use_browser(self.stand)
        result = self.ok("login", "--json")
        [warning] = [line for line in result.err.splitlines() if line.startswith("{")]
        self.assertRegex(json.loads(warning)["warning"]["message"],
                         r"\Athis machine's clock is \d+ seconds behind")
        self.jsonOf(result)
        # Expiry is what our own clock says, so nothing else differs and nothing else is said.
        self.assertNotIn("clock", self.ok("token").err)
        self.home.expire()
        self.assertNotIn("clock", self.ok("token").err)

    def given_client(self):
        self.ok("register", "--client-id", "c1", "--client-secret-file", "-", input="s3cret\n")
