"""Secrets in a credential helper: what is moved, what is used, and what a helper that fails costs."""

import itertools
import json
import time
from concurrent.futures import ThreadPoolExecutor

from Servers.kills import ROUNDS, Kills
from Servers.sandbox import SandboxCase
from Servers.secret_helper import add_secret_helper


class PlaceCase(SandboxCase):
    def setUp(self):
        super().setUp()
        self.ok("profile", "set", "passwordGrant=true")
        self.ok("register")
        self.log_in()
        self.place = add_secret_helper(self.home)
        self.program = self.place / "docker-credential-test"

    def log_in(self):
        self.ok("login", "password", "alice", "--password-file", "-", input="wonderland\n")

    def fault(self, name):
        (self.place / "faults").write_text(name)

    def entries(self):
        kept = self.place / "kept.json"
        entries = json.loads(kept.read_text()) if kept.exists() else {}
        return {url.split("/", 4)[4]: json.loads(entry["Secret"]) for url, entry in entries.items()}

    def change(self, name, edit):
        """Changes a document in the helper."""
        kept = self.place / "kept.json"
        entries = json.loads(kept.read_text())
        for url, entry in entries.items():
            if url.endswith("/" + name):
                document = json.loads(entry["Secret"])
                edit(document)
                entry["Secret"] = json.dumps(document)
        kept.write_text(json.dumps(entries))

    def expire(self):
        self.change("credentials/user", lambda document: document.update(expires=1577836800))

    def secrets(self):
        """The secrets of the files, as they are now."""
        slot = json.loads(self.home.slot_file().read_text())
        client = json.loads(self.home.registration_file.read_text())["client"]
        return [slot["accessToken"], slot["refreshToken"], client["registration_access_token"]]

    def assertInNoFile(self, secrets):
        for path in self.home.store.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                for secret in secrets:
                    self.assertNotIn(secret.encode(), content, path)

    def move(self, place="helper:test", *options):
        return self.home.run("profile", "store", "move", place, *options)


class MoveTests(PlaceCase):
    def test_everything_works_with_a_helper_and_back_in_files(self):
        secrets = self.secrets()
        before = {path: json.loads(path.read_text())
                  for path in (self.home.slot_file(), self.home.registration_file)}
        self.assertEqual(self.ok("profile", "store", "show").text, "files\n")
        moved = self.ok("profile", "store", "move", "helper:test", "--json")
        self.assertEqual(self.jsonOf(moved), {
            "profile": self.home.name, "place": "helper:test", "unfinished": None})
        self.assertInNoFile(secrets)
        self.assertEqual(set(self.entries()), {"registration", "credentials/user"})
        self.assertEqual(self.home.unsafe_modes(), [])

        self.assertEqual(self.ok("token").text.strip(), secrets[0])
        self.ok("fetch", "--user", "/devices")
        asked = (self.place / "calls").read_text()
        self.ok("profile", "set", "expiryMargin=60")
        self.assertEqual((self.place / "calls").read_text(), asked)
        self.expire()
        renewed = self.ok("token").text.strip()
        self.assertNotEqual(renewed, secrets[0])
        self.assertEqual(self.entries()["credentials/user"]["accessToken"], renewed)
        self.assertInNoFile([renewed])
        shown = self.ok("profile", "show").err
        self.assertIn("secret (tokens): credentials/user in helper:test, kept by the helper", shown)
        self.ok("register", "show")
        self.ok("fetch", "--anonymous", "/devices", "--no-fail")
        self.assertIn("credentials/anonymous", self.entries())
        self.ok("logout")
        self.assertNotIn("credentials/user", self.entries())
        self.log_in()
        self.assertInNoFile([self.entries()["credentials/user"]["refreshToken"]])

        # Where nothing is encrypted, the command asks.
        self.fails(2, "profile", "store", "move", "files")
        self.ok("profile", "store", "move", "files", "--yes")
        self.assertEqual(self.entries(), {})
        for path in before:
            self.assertEqual(set(json.loads(path.read_text())), set(before[path]), path)
        self.ok("token")
        self.assertFalse((self.home.registration_file.parent / "place.json").exists())

    def test_eight_processes_make_one_refresh(self):
        self.assertEqual(self.move().exit, 0)
        self.expire()
        before = self.sandbox.grants("refresh_token")
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(lambda _: self.home.run("token"), range(8)))
        self.assertEqual({result.exit for result in results}, {0}, results)
        self.assertEqual(len({result.text for result in results}), 1)
        self.assertEqual(self.sandbox.grants("refresh_token"), before + 1)

    def test_a_process_that_waits_finds_what_was_moved(self):
        """`token` waits for the locks of the move, and then for no other place than the new one."""
        self.fault("slow-store")
        moving = self.home.start("profile", "store", "move", "helper:test")
        deadline = time.monotonic() + 30
        while not (self.place / "calls").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.home.run("token", "--fresh").exit, 0)
        moving.communicate(timeout=60)
        self.assertEqual(moving.returncode, 0)


class FaultTests(PlaceCase):
    def test_a_helper_that_fails_is_named_and_nothing_else_is_used(self):
        self.assertEqual(self.move().exit, 0)
        for fault in ("fail-get", "silent"):
            self.fault(fault)
            error = self.fails(3, "token").err
            self.assertIn("credentials/user in helper:test", error)
        self.fault("slow-get")
        self.ok("token")
        self.fault("hang-get")
        started = time.monotonic()
        self.fails(14, "--timeout", "2s", "token")
        self.assertLess(time.monotonic() - started, 30)

    def test_a_kill_during_a_move_leaves_one_place_with_everything(self):
        token = self.ok("token").text
        targets = itertools.cycle(("helper:test", "files"))
        move = lambda target: ("profile", "store", "move", target, "--yes")
        kills = Kills.of(lambda: self.ok(*move(next(targets))), tries=2)
        for _ in range(ROUNDS):
            target = next(targets)
            kills.strike(self.home, *move(target))
            index = kills.where
            self.assertEqual(self.ok("token").text, token, index)
            self.ok("profile", "store", "move", target, "--yes")
            self.assertEqual(self.ok("profile", "store", "show").text, target + "\n")
            self.assertEqual(self.ok("token").text, token, index)
            if target == "files":
                self.assertEqual(self.entries(), {}, index)
            else:
                self.assertFalse(self.home.slot_file().exists())
        kills.assert_enough(self)
