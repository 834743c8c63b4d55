"""Secrets that are sealed under a passcode, at terminals, in many processes, and when one is killed."""

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

    def assert_nowhere(self, *secrets):
        for path in self.home.store.rglob("*"):
            if path.is_file():
                for secret in secrets:
                    self.assertNotIn(secret.encode(), path.read_bytes(), path)

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
        self.assert_nowhere(before["refreshToken"])
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


class WrongPasscodeTests(SealCase):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.seal().exit, 0)
        self.home.expire()

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


class SealedClientTests(SealCase):
    def test_the_client_takes_the_passcode(self):
        registration = lambda: json.loads(self.home.registration_file.read_text())
        client = registration()["client"]
        secrets = [client[name] for name in ("client_secret", "registration_access_token")]
        result = self.seal(PASSCODE, "client")
        self.assertEqual(result.exit, 0, result)
        self.assertIn("after 5 wrong passcodes", result.err)
        self.assertIn("implicit and anonymous requests need the passcode", result.err)
        self.assert_nowhere(*secrets)
        self.assertEqual(self.home.unsafe_modes(), [])
        self.assertEqual(sorted(registration()["sealed"]),
                         ["client.client_secret", "client.registration_access_token"])
        shown = self.ok("profile", "show").err
        self.assertIn("registration.json, encrypted under the passcode of the profile", shown)
        # The login itself is not sealed, and a valid token needs nothing.
        self.ok("fetch", "/devices")
        self.home.expire()
        self.assertIn("hint: type the passcode on a terminal", self.fails(4, "token").err)
        self.use_askpass(PASSCODE)
        self.ok("token")
        self.assertEqual(len((self.home.directory / "asked").read_text().splitlines()), 1)
        self.ok("register", "show")
        self.ok("fetch", "--anonymous", "/application-details")
        self.assert_nowhere(*secrets)
