"""Servers that answer nonsense: the right exit code, a clear word, nothing believed or stored."""

import os
import subprocess
import tempfile
import time

from Servers.case import Case

# fault → exit code: 1 nonsense, 6 network or no JSON
TOKEN = {"token-html": 6, "token-nothing": 6, "token-huge": 1, "token-huge-chunked": 1, "token-half": 6,
         "token-half-head": 6, "token-garbage": 1, "token-big-fields": 1, "token-deep": 6, "token-not-utf8": 1,
         "token-redirects": 6}
PEAK = 200 << 10  # KiB of memory that a debug build may take at most


class HostileTests(Case):
    def at(self, fault):
        self.home = self.new_home()
        self.add_profile(issuer=self.stand.hostile.issuer(fault))

    def test_token_answers(self):
        for fault, code in TOKEN.items():
            with self.subTest(fault):
                self.at(fault)
                self.given_client()
                result = self.fails(code, "login", "--anonymous")
                self.assertFalse(self.home.slot_file("anonymous").exists(), result)
                for secret in ("at-1", "rt-1", "s3cret"):
                    self.assertNotIn(secret, result.err)
        # A redirect is not followed: it would take the client's secret along.
        self.assertEqual(self.stand.hostile.count("elsewhere", "token"), 0)

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

    def given_client(self):
        self.ok("register", "--client-id", "c1", "--client-secret-file", "-", input="s3cret\n")
