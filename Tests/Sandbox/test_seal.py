"""Refresh tokens that are sealed under a passcode: what opens them, and what wrong passcodes do."""

import json
from concurrent.futures import ThreadPoolExecutor

from Servers.kills import ROUNDS, Kills
from Servers.pseudo_terminal import PseudoTerminal
from Servers.sandbox import SandboxCase
from Servers.sdkctl import BINARY

PASSCODE = "27182"


class SealCase(SandboxCase):
    def setUp(self):
        super().setUp()
        self.ok("profile", "set", "implicitScope=read offline_access",
                "scope=openid profile read write offline_access", "passwordGrant=true",
                "seal.passcodeSimilarDigits=2", "seal.passcodeBlocked=90210")
        self.ok("register")
        self.log_in()

    def log_in(self):
        self.ok("login", "password", "alice", "--password-file", "-", input="wonderland\n")

    def seal(self, passcode=PASSCODE, *options):
        return self.home.run("profile", "seal", "--passcode-file", "-", *options, input=passcode + "\n")

    def secret_file(self, name, text):
        path = self.home.directory / name
        path.write_text(text + "\n")
        path.chmod(0o600)
        return path

    def slot(self, name="user"):
        return json.loads(self.home.slot_file(name).read_text())

    @property
    def seal_file(self):
        return self.home.slot_file().parent.parent / "seal.json"

    def failures(self):
        return json.loads(self.seal_file.read_text())["passcode"]["failures"]

    def use_askpass(self, answer):
        script = self.home.directory / "askpass"
        script.write_text(f"#!/bin/sh\necho \"$1\" >>{self.home.directory}/asked\necho {answer}\n")
        script.chmod(0o755)
        self.home.environment["SDKCTL_ASKPASS"] = str(script)


class SealTests(SealCase):
    def test_the_refresh_token_takes_the_passcode_and_the_access_token_does_not(self):
        before = self.slot()
        self.assertEqual(self.seal().exit, 0)
        sealed = self.slot()
        self.assertIsNone(sealed.get("refreshToken"))
        self.assertEqual(sealed["accessToken"], before["accessToken"])
        for path in self.home.store.rglob("*"):
            if path.is_file():
                self.assertNotIn(before["refreshToken"].encode(), path.read_bytes(), path)
        self.assertEqual(self.home.unsafe_modes(), [])
        self.assertEqual(self.ok("token").text.strip(), before["accessToken"])
        rows = self.jsonOf(self.ok("token", "list", "--json"))
        self.assertEqual([row["sealed"] for row in rows if row["slot"] == "user"], [True])

        self.assertIn("the refresh token is encrypted under a passcode", self.ok("profile", "show").err)

        self.home.expire()
        refused = self.fails(4, "token")
        self.assertIn("hint: type the passcode on a terminal", refused.err)
        self.assertEqual(self.slot()["sealed"], sealed["sealed"])
        self.ok("--passcode-file", self.secret_file("passcode", PASSCODE), "token")
        # The new refresh token is sealed too, and the access token is usable until it expires.
        self.assertIsNone(self.slot().get("refreshToken"))
        self.assertNotEqual(self.slot()["sealed"], sealed["sealed"])
        self.ok("fetch", "--user", "/devices")

    def test_the_passcode_is_typed_or_asked_for_by_a_program(self):
        self.assertEqual(self.seal().exit, 0)
        self.home.expire()
        terminal = PseudoTerminal(self.home, BINARY, "fetch", "/devices")
        terminal.wait_for(b"Passcode of the profile 'sandbox': ")
        terminal.type("11111\n")
        terminal.wait_for(b"the last passcode was wrong; 4 more tries")
        terminal.wait_for(b"Passcode of the profile 'sandbox': ")
        terminal.type(PASSCODE + "\n")
        status, shown = terminal.end()
        self.assertEqual(status, 0, shown)
        self.assertNotIn(PASSCODE.encode(), shown)
        self.assertEqual(self.failures(), 0)

        self.home.expire()
        self.use_askpass(PASSCODE)
        self.ok("token")
        self.assertEqual((self.home.directory / "asked").read_text(),
                         "Passcode of the profile 'sandbox': \n")

    def test_a_login_asks_for_no_passcode(self):
        self.assertEqual(self.seal().exit, 0)
        first = self.slot()["sealed"]
        self.log_in()
        self.assertIsNone(self.slot().get("refreshToken"))
        self.assertNotEqual(self.slot()["sealed"], first)

    def test_a_profile_that_requires_sealed_tokens_chooses_the_passcode_before_the_login(self):
        self.ok("profile", "set", "seal.slots=user")
        words = ("login", "password", "alice", "--password-file", "-")
        before = self.slot()
        self.assertEqual(self.home.run(*words, input="wonderland\n").exit, 4)
        self.assertEqual(self.slot(), before)
        self.ok("--passcode-file", self.secret_file("passcode", PASSCODE), *words, input="wonderland\n")
        self.assertIsNone(self.slot().get("refreshToken"))
        self.assertIn("sealed", self.slot())
        self.ok("profile", "set", "seal.slots=nothing")
        self.assertIn("'nothing' is no slot", self.fails(3, *words, input="wonderland\n").err)

    def test_implicit_requests_need_no_passcode(self):
        self.assertEqual(self.seal().exit, 0)
        self.assertIn("refreshToken", self.slot("implicit"))
        for _ in range(2):
            self.home.expire()
            self.home.expire("implicit")
            self.ok("fetch", "--implicit", "/user-id-decorated")
        self.assertIsNone(self.slot().get("refreshToken"))
        self.fails(4, "fetch", "--user", "/devices")

    def test_unseal_and_change_passcode(self):
        refresh = self.slot()["refreshToken"]
        self.assertEqual(self.seal().exit, 0)
        old, new = self.secret_file("old", PASSCODE), self.secret_file("new", "31415")
        self.ok("profile", "passcode", "--passcode-file", old, "--new-passcode-file", new)
        self.fails(4, "profile", "unseal", "--passcode-file", old)
        result = self.ok("profile", "unseal", "--passcode-file", new, "--json")
        self.assertEqual(self.jsonOf(result), {"profile": "sandbox", "sealed": []})
        self.assertEqual(self.slot()["refreshToken"], refresh)
        self.assertNotIn("sealed", self.slot())
        self.assertFalse(self.seal_file.exists())
        self.ok("token", "--fresh")

    def test_a_passcode_that_the_policy_does_not_allow(self):
        for passcode, reason in (("1234", "fewer than 5"), ("11172", "more than 2 times"),
                            ("12345", "count up or down"), ("97531", "count up or down"),
                            ("90210", "too easy"), ("1" * 33, "more than 32")):
            result = self.seal(passcode)
            self.assertFailed(result, 2)
            self.assertIn(reason, result.err)
        self.assertFalse(self.seal_file.exists())
        self.assertIn("refreshToken", self.slot())

    def test_logout_revokes_with_the_passcode_and_says_what_it_could_not_revoke(self):
        self.assertEqual(self.seal().exit, 0)
        self.use_askpass(PASSCODE)
        self.assertIn("revoke the refresh token: done", self.ok("logout").err)
        del self.home.environment["SDKCTL_ASKPASS"]
        self.log_in()
        self.assertIn("sealed", self.slot())
        result = self.home.run("logout")
        self.assertNotEqual(result.exit, 0, result)
        self.assertIn("sealed", result.err)
        self.assertFalse(self.home.slot_file().exists())

    def test_a_damaged_token_is_refused(self):
        self.assertEqual(self.seal().exit, 0)
        self.home.expire()
        slot = self.slot()
        parts = slot["sealed"]["refreshToken"].split(".")
        parts[3] = parts[3][::-1]
        slot["sealed"]["refreshToken"] = ".".join(parts)
        self.home.slot_file().write_text(json.dumps(slot))
        result = self.fails(3, "--passcode-file", self.secret_file("passcode", PASSCODE), "token")
        self.assertIn("damaged", result.err)


class WrongPasscodeTests(SealCase):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.seal().exit, 0)
        self.home.expire()

    def test_a_passcode_of_a_file_is_tried_once(self):
        wrong = self.secret_file("wrong", "31415")
        for _ in range(3):
            self.fails(4, "--passcode-file", wrong, "token")
            self.assertEqual(self.failures(), 1)
        self.use_askpass(PASSCODE)
        self.ok("token")
        self.assertEqual(self.failures(), 0)

    def test_after_too_many_the_login_is_erased(self):
        self.ok("profile", "set", "seal.passcodeAttempts=2")
        self.use_askpass("31415")
        result = self.home.run("token", "--json")
        self.assertEqual(result.exit, 4, result)
        error = self.jsonError(result)
        self.assertEqual(error["number"], 9003, result)
        self.assertIn("erased", error["message"])
        self.assertFalse(self.seal_file.exists())
        self.assertFalse(self.home.slot_file().exists())
        self.assertFalse(self.home.slot_file("implicit").exists())
        self.log_in()  # and the next login is not sealed
        self.assertIn("refreshToken", self.slot())

    def test_there_is_a_wait_after_three(self):
        self.use_askpass("31415")
        result = self.home.run("token")
        self.assertEqual(result.exit, 10, result)
        self.assertRegex(result.err, r"accepts none for another \d+ seconds")
        self.assertEqual(self.failures(), 3)

    def test_many_processes_try_no_more_than_the_limit(self):
        self.use_askpass("31415")
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(lambda _: self.home.run("token"), range(8)))
        self.assertEqual({result.exit for result in results}, {10}, results)
        self.assertEqual(self.failures(), 3)

    def test_a_kill_during_a_trial_never_gives_an_attempt_back(self):
        self.ok("profile", "set", "seal.passcodeAttempts=100")
        self.use_askpass("31415")

        def end_wait():
            document = json.loads(self.seal_file.read_text())
            document["passcode"]["failedAt"] = 0
            self.seal_file.write_text(json.dumps(document))

        kills = Kills.of(lambda: (end_wait(), self.assertEqual(self.home.run("token").exit, 10)))
        count, counted = self.failures(), 0
        for _ in range(ROUNDS):
            end_wait()
            kills.strike(self.home, "token")
            now = self.failures()
            self.assertGreaterEqual(now, count, kills.where)
            counted += now > count
            count = now
        self.assertGreater(counted, 0, "no kill came after an attempt")
        kills.assert_enough(self)
        end_wait()
        self.use_askpass(PASSCODE)
        self.ok("token")
        self.assertEqual(self.failures(), 0)
