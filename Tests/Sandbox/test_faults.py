"""Responses that are missing, broken or lost: exit code, words, output, and what is left in the store."""

import itertools
import re
import shutil

from Servers.sandbox import SandboxCase

CLOSED = r"localhost\S*: the connection closed before the response was complete"
NOT_JSON = "the response of localhost .* is not json"

# What a spoilt answer of the token server comes to: exit code and words. A refresh has rotated
# by then if the answer was made (True) and only spoilt on its way.
ANSWERS = {
    "500": (6, "localhost returned 500", False),
    "503": (6, "localhost returned 503", False),
    "cut-body": (6, CLOSED, True),
    "wrong-length": (6, NOT_JSON, True),
    "garbage": (6, NOT_JSON, True),
    "html": (6, NOT_JSON.replace(".*", r"\(text/html\)"), True),
}
# What it comes to at a resource: exit code, and the body that is delivered.
RESOURCES = {
    "500": (13, rb'{"error":"server_error".*}'),
    "503": (13, rb'{"error":"temporarily_unavailable".*}'),
    "cut-body": (6, rb'{"devices":\[.*[^}]'),
    "wrong-length": (0, rb'{"devices":\[.*[^}]'),  # HTTP cannot tell: the length is the body's
    "garbage": (0, rb"\x00\xff\xfe.*"),
    "html": (0, rb"<!doctype html>.*"),
}


class FaultCase(SandboxCase):
    def setUp(self):
        super().setUp()
        self.add_session()

    def files(self) -> dict:
        """What the state of the store holds, byte by byte, but for the note of a failed login."""
        return {path: path.read_bytes()
                for path in (self.home.store / "state").rglob("*.json")
                if path.name != "login.json"}

    def struck_once(self, fault, code, words, *arguments, on=None):
        """One run under a fault that strikes once: how it ends, and that nothing is touched."""
        self.home.forget_failed_login()
        before, count = self.files(), self.sandbox.struck(fault)
        self.sandbox.fault(fault, *(["--on", on] if on else []))
        result = self.home.run(*arguments)
        said = re.sub(rb"(?s)sdkctl: waiting for the browser.*?\nhttps://\S+\n", b"",
                      result.errors)
        result.errors = said
        self.assertFailed(result, code)
        self.assertError(result, words)
        self.assertEqual(result.out, b"", result)
        self.assertEqual(self.sandbox.struck(fault), count + 1)
        self.assertEqual(self.sandbox.status()["faults"], [])
        self.assertEqual(self.files(), before)
        return result

    def forget_metadata(self):
        """So that discovery and keys are asked for again."""
        shutil.rmtree(self.home.store / "cache", ignore_errors=True)


class AnswerTests(FaultCase):
    """An answer of the token server that is missing, broken or not one."""

    def test_a_login_that_fails_keeps_the_old_session(self):
        for fault, endpoint in itertools.product(ANSWERS, ("token", "jwks")):
            with self.subTest(fault, endpoint=endpoint):
                self.forget_metadata()
                self.struck_once(fault, *ANSWERS[fault][:2], "login", on=endpoint)
                self.assertEqual(self.notes()[-1]["h1"], "The login failed")
        self.ok("fetch", "--user", "/devices")

    def test_a_refresh_that_fails_keeps_the_tokens(self):
        for fault, (code, words, has_rotated) in ANSWERS.items():
            with self.subTest(fault):
                self.struck_once(fault, code, words, "token", "--fresh", on="token")
                if has_rotated:
                    # The new refresh token is lost, so the old one counts as stolen.
                    self.assertIn("invalid_grant", self.fails(4, "token", "--fresh").err)
                    self.ok("login")
                else:
                    self.ok("token", "--fresh")

    def test_a_logout_erases_and_tells_the_truth(self):
        for fault, code in (("500", 6), ("503", 6), ("cut-body", 6), ("wrong-length", 0),
                            ("garbage", 0), ("html", 0)):  # 200 is all that RFC 7009 asks for
            with self.subTest(fault):
                self.sandbox.fault(fault, "--on", "revoke")
                result = self.home.run("logout")
                self.assertEqual((result.exit, result.out), (code, b""), result)
                self.assertEqual("the server may still hold the grant" in result.err, code == 6)
                self.assertFalse(self.home.slot_file().exists())
                self.ok("login")


class ResourceTests(FaultCase):
    def test_a_resource_is_delivered_as_it_came(self):
        for fault, (code, body) in RESOURCES.items():
            with self.subTest(fault):
                self.sandbox.fault(fault, "--on", "resources")
                result = self.home.run("fetch", "--user", "/devices")
                self.assertEqual(result.exit, code, result)
                self.assertRegex(result.out, re.compile(rb"\A" + body + rb"\Z", re.DOTALL))
                self.assertEqual("sdkctl: error: " in result.err, code != 0)
                self.assertEqual(self.sandbox.struck(fault), 1)
                self.ok("fetch", "--user", "/devices")


class ForgeryTests(FaultCase):
    """Answers that another party may have made."""

    def test_a_certificate_of_another_authority_is_not_trusted(self):
        words = "the certificate's issuer is not trusted"
        self.struck_once("certificate-swapped", 7, "localhost: " + words, "token", "--fresh")
        self.struck_once("certificate-swapped", 7, words, "fetch", "--user", "/devices")
        self.struck_once("certificate-swapped", 7, words, "login", "--anonymous")
        self.assertEqual(self.sandbox.grants("refresh_token"), 0)
        self.ok("token", "--fresh")


class RotationTests(FaultCase):
    def test_a_lost_rotation_costs_a_login_and_nothing_else(self):
        """The server has rotated and its answer never came. Nobody can tell that from a server
        that did nothing, so the tokens stay (exit 6); the next refresh shows the old refresh
        token again, which the server takes for stolen (RFC 9700 section 4.14.2): exit 4."""
        self.struck_once("lost-rotation", 6, CLOSED, "token", "--fresh")
        self.assertEqual(self.sandbox.status()["reuses"], 0)
        token = self.ok("token").text.strip()  # the old one is good as long as it lasts
        self.assertTrue(self.sandbox.introspect(token)["active"])
        result = self.fails(4, "token", "--fresh")
        self.assertIn("invalid_grant", result.err)
        self.assertEqual(self.sandbox.status()["reuses"], 1)
        self.assertFalse(self.sandbox.introspect(token)["active"])
        self.assertEqual(self.home.paste(result.hint).exit, 0)
        self.ok("fetch", "--user", "/devices")
