"""Every fault of the sandbox: exit code, words, output, and what is left in the store."""

import itertools
import re
import shutil
import time

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
ID_TOKENS = {
    "keys-dropped": "no published key of localhost fits",
    "future-iat": "issued 3[56][0-9]{2} seconds in the future",
    "unknown-kid": "no published key of localhost fits",
    "wrong-iss": "issued by 'https://elsewhere.example', not by 'https://localhost",
    "wrong-aud": "the token is for 'another-client', not for 'client-",
    "wrong-nonce": "the token has another nonce",
    "wrong-at-hash": "another access token",
    "bad-signature": "the signature of the id token is wrong",
    "alg-none": "an algorithm that is not allowed",
    "expired-id-token": "expired 36[0-9]{2} seconds ago",
    "clock-skew": "not valid for another 3[56][0-9]{2} seconds",
}
OTHERS = {"latency", "state-altered", "iss-altered", "lost-rotation", "certificate-swapped",
          "many-keys", "other-sub", "date-skew", "default-scope", "narrowed-rotation", "raw-basic",
          "outdated-app", "outdated-os"}
# What the FIDO UAF server does wrong: tested by test_fido_*.py of the sandbox's own suites.
UAF = {"uaf-wrong-op", "uaf-wrong-version", "uaf-foreign-app", "uaf-critical-extension",
       "uaf-challenge-number", "uaf-short-challenge", "uaf-no-match", "uaf-oversize", "uaf-garbage",
       "facet-unlisted", "facets-redirected"}


class FaultCase(SandboxCase):
    def setUp(self):
        super().setUp()
        self.add_session()

    def files(self) -> dict:
        """What the state of the store holds, byte by byte, but for the note of a failed login."""
        return {path: path.read_bytes()
                for path in (self.home.store / "state").rglob("*.json")
                if path.name != "login.json"}

    def struck_once(self, fault, code, words, *arguments, on=None, keeps=True):
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
        if keeps:
            self.assertEqual(self.files(), before)
        return result

    def forget_metadata(self):
        """So that discovery and keys are asked for again."""
        shutil.rmtree(self.home.store / "cache", ignore_errors=True)


class AnswerTests(FaultCase):
    """An answer of the token server that is missing, broken or not one."""

    def test_the_tables_know_every_fault(self):
        listed = {line.split()[0] for line in
                  self.sandbox.command("fault", "list").text.splitlines()}
        self.assertEqual({*ANSWERS, *ID_TOKENS, *OTHERS, *UAF}, listed)
        self.assertEqual(set(RESOURCES), set(ANSWERS))

    def test_without_metadata_the_old_registration_is_kept(self):
        for fault in ANSWERS:
            with self.subTest(fault):
                self.forget_metadata()
                self.struck_once(fault, *ANSWERS[fault][:2], "register", "--replace", on="discovery")
        self.ok("token")

    def test_a_registration_that_fails_is_told_after_the_end_of_the_old_one(self):
        for fault, (code, words, _) in ANSWERS.items():
            with self.subTest(fault):
                self.home.registration_file.unlink(missing_ok=True)
                self.ok("register")
                self.sandbox.fault(fault, "--on", "register")
                result = self.home.run("register", "--replace")
                self.assertEqual(result.exit, code, result)
                told, _, error = result.err.partition("sdkctl: error: ")
                self.assertIn("the former client: delete the registration: done", told)
                self.assertRegex(error.lower(), words)
                self.assertFalse(self.home.registration_file.exists())

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

    def test_an_installation_whose_token_fails_has_none(self):
        for fault in ANSWERS:
            with self.subTest(fault):
                self.struck_once(fault, *ANSWERS[fault][:2], "login", "--anonymous", on="token")
        self.ok("login", "--anonymous")

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

    def test_a_fault_strikes_as_often_as_it_was_told_to(self):
        self.sandbox.fault("503", "--times", "3", "--on", "token")
        for code in (6, 6, 6, 0):
            result = self.home.run("token", "--fresh")
            self.assertEqual(result.exit, code, result)
        self.assertEqual(self.sandbox.struck("503"), 3)


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

    def test_every_fault_ends_every_kind_of_fetch_in_the_same_way(self):
        kinds = {"--user": "/devices", "--implicit": "/user-id-decorated",
                 "--anonymous": "/application-details", "--unauth": "/unauthenticated"}
        for kind, path in kinds.items():
            self.ok("fetch", kind, path)  # now each has its token
        cases = [(fault, code, ["--on", "resources"], []) for fault, (code, _) in RESOURCES.items()]
        cases += [("certificate-swapped", 7, [], []),
                  ("latency", 6, ["--on", "resources"], ["--timeout", "2"])]
        for (fault, code, on, options), (kind, path) in itertools.product(cases, kinds.items()):
            with self.subTest(fault, kind=kind):
                count = self.sandbox.struck(fault)
                self.sandbox.fault(fault, *on)
                result = self.home.run("fetch", kind, *options, path)
                self.assertEqual(result.exit, code, result)
                self.assertEqual("sdkctl: error: " in result.err, code != 0)
                self.assertEqual(self.sandbox.struck(fault), count + 1)
        for kind, path in kinds.items():
            self.ok("fetch", kind, path)

    def test_a_cut_body_leaves_the_old_file(self):
        target = self.home.directory / "target"
        target.write_text("old")
        self.sandbox.fault("cut-body", "--on", "resources")
        self.fails(6, "fetch", "--user", "-o", target, "/bytes/1000000")
        self.assertEqual(target.read_text(), "old")
        self.assertEqual([path.name for path in target.parent.glob("*target*")], ["target"])

    def test_a_gateway_that_cannot_ask_is_asked_again_with_a_new_token(self):
        self.sandbox.fault("500", "--on", "introspect")
        self.ok("fetch", "--user", "/devices")
        self.assertEqual(self.sandbox.grants("refresh_token"), 1)
        self.sandbox.fault("500", "--on", "introspect", "--times", "2")
        result = self.fails(12, "fetch", "--user", "/devices")
        self.assertIn("returned 401", result.err)
        self.assertIn(b"The token server gave no answer.", result.out)
        self.assertEqual(self.sandbox.grants("refresh_token"), 2)
        self.ok("fetch", "--user", "/devices")

    def test_latency_is_waited_for_or_not(self):
        for fault in ("token", "resources"):
            self.sandbox.fault("latency", "--on", fault)
        began = time.monotonic()
        self.ok("token", "--fresh")
        self.ok("fetch", "--user", "/devices")
        self.assertGreaterEqual(time.monotonic() - began, 6)
        self.struck_once("latency", 6,
                         "localhost:[0-9]+ did not respond in full within the time limit of the command",
                         "fetch", "--user", "--timeout", "2", "/devices", on="resources")


class ForgeryTests(FaultCase):
    """Answers that another party may have made."""

    def test_an_id_token_that_does_not_fit_is_not_believed(self):
        for fault, words in ID_TOKENS.items():
            with self.subTest(fault):
                self.forget_metadata()  # a key that is kept verifies though it is gone
                self.struck_once(fault, 11, words, "login")
                self.assertEqual(self.notes()[-1]["h1"], "The login failed")
        self.ok("login")

    def test_an_answer_with_another_state_is_not_ours(self):
        asked = self.sandbox.requests("token")
        self.struck_once("state-altered", 6, "no response came from the browser in time",
                         "login", "--timeout", "5")
        last = self.notes()[-1]
        self.assertEqual((last["status"], last["h1"]),
                         (400, "This is not the expected response"))
        self.assertEqual(self.sandbox.requests("token"), asked)

    def test_an_answer_of_another_issuer_is_refused_before_the_exchange(self):
        asked = self.sandbox.requests("token")
        self.struck_once("iss-altered", 11, "another issuer, 'https://elsewhere.example'", "login")
        self.assertEqual(self.sandbox.requests("token"), asked)

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
