"""Stores of released versions are read by this one; documents of newer versions are refused and left as they are.

`stores/VERSION` is what the programs of that version have written (`stores/make.py`).
"""

import json
import shutil
import unittest
from pathlib import Path

from Servers.case import Case

STORES = Path(__file__).with_name("stores")
PASSCODE = "739184\n"
KEY = json.dumps({"version": 1, "key": "A" * 43 + "="})


class UpgradeCase(Case):
    def use(self, version):
        self.home = self.new_home()
        shutil.copytree(STORES / version, self.home.store)
        # git keeps no modes.
        for path in [self.home.store, *self.home.store.rglob("*")]:
            path.chmod(0o700 if path.is_dir() else 0o600)
        self.home.environment["SDKCTL_PROMPT"] = "never"


class ReleaseTests(UpgradeCase):
    def test_the_stores_of_all_releases_are_read(self):
        versions = sorted(path.name for path in STORES.iterdir() if path.is_dir())
        self.assertIn("0.1.0", versions)
        for version in versions:
            with self.subTest(version):
                self.use(version)
                self.read()
                self.write()

    def read(self):
        before = {path: path.read_bytes() for path in self.home.store.rglob("*.json")}
        names = self.ok("profile", "list").text.split()
        self.assertLessEqual({"sandbox", "sealed", "keys"}, set(names))
        shown = self.jsonOf(self.ok("profile", "show", "--json"))
        self.assertEqual(shown["issuer"], "https://localhost:1")
        for option, slot in (("--user-id=default", "credentials/user"), ("--implicit", "credentials/implicit"),
                             ("--anonymous", "credentials/anonymous"), ("--user-id=bob", "users/bob/credentials/user")):
            document = json.loads((self.home.store / f"state/profiles/sandbox/{slot}.json").read_text())
            token = self.ok("token", option)
            self.assertEqual(token.text, document["accessToken"] + "\n")
        self.assertEqual(self.ok("identity", "list").text.split("\t")[0], "alice")
        self.assertIn("CN=alice", self.ok("identity", "show", "alice").text)
        pins = self.ok("pin", "list").text
        self.assertIn("localhost", pins)
        self.assertIn("b.test", pins)
        self.assertIn("localhost", self.ok("pin", "history").text)
        self.assertEqual(len(self.jsonOf(self.ok("user", "list", "--json"))), 2)
        kinds = {row["slot"] for row in self.jsonOf(self.ok("token", "list", "--json"))}
        self.assertEqual(kinds, {"user", "implicit", "anonymous", "fido"})
        # A registration with its sealed client, and an authenticator whose passcode opens it.
        self.assertIn("registration.json, encrypted under the passcode of the profile",
                      self.ok("-p", "sealed", "profile", "show").err)
        self.ok("-p", "sealed", "token")
        self.ok("status")
        findings = self.jsonOf(self.home.run("doctor", "--json"))["findings"]
        self.assertEqual([found for found in findings if found["status"] == "error"], [])
        self.assertEqual({path: path.read_bytes() for path in self.home.store.rglob("*.json")}, before)

    def write(self):
        """What this version writes has what it did not change."""
        registration = self.home.store / "state/profiles/sealed/registration.json"
        client = json.loads(registration.read_text())["client"]
        self.ok("-p", "sealed", "profile", "unseal", "--passcode-file", "-", input=PASSCODE)
        opened = json.loads(registration.read_text())["client"]
        self.assertEqual({name: opened[name] for name in client}, client)
        self.assertGreater(len(opened), len(client))
        self.ok("profile", "set", "scope=openid")
        self.assertIn("CN=alice", self.ok("identity", "show", "alice").text)


class NewerTests(UpgradeCase):
    """Every kind of document, with commands that read or write it."""

    STATE = "state/profiles/sandbox/"
    READERS = {
        "config/config.json": (["status"], ["profile", "use", "keys"]),
        "config/profiles/sandbox/profile.json": (["profile", "show"], ["profile", "set", "scope=x"],
                                                 ["profile", "copy", "sandbox", "other"]),
        "config/profiles/sandbox/pins.json": (["pin", "list"], ["pin", "remove", "b.test", "--yes"]),
        STATE + "registration.json": (["register", "show"], ["register", "--client-id", "x", "--replace"],
                                      ["logout"]),
        STATE + "credentials/user.json": (["token"], ["fetch", "/x"], ["logout"]),
        STATE + "credentials/implicit.json": (["token", "--implicit"],),
        STATE + "credentials/anonymous.json": (["token", "--anonymous"],),
        STATE + "users/bob/credentials/user.json": (["token", "--user-id", "bob"],),
        STATE + "users.json": (["token"], ["user", "use", "bob"]),
        STATE + "place.json": (["token"], ["profile", "store", "show"], ["profile", "store", "move", "helper:pass"]),
        STATE + "store-key.json": (["profile", "store", "key", "export", "--output", "exported.key"],
                                   ["profile", "store", "key", "import", "work.key"]),
        STATE + "dpop.json": (["token", "--fresh"],),
        STATE + "identities/alice/identity.json": (
            ["identity", "show", "alice"], ["identity", "export", "alice"]),
        STATE + "identities/wanted/request.json": (
            ["identity", "csr", "wanted", "--subject", "CN=x", "--replace"],),
        STATE + "pin-history.json": (["pin", "history"],),
        STATE + "pin-updates.json": (),
        "state/profiles/sealed/seal.json": (["-p", "sealed", "profile", "unseal", "--passcode-file", "-"],
                                            ["-p", "sealed", "token", "--fresh", "--passcode-file", "passcode"]),
        "state/profiles/keys/authenticators/ffff-0001.json": (
            ["-p", "keys", "fido", "passcode", "--passcode-file", "passcode", "--new-passcode-file", "new-passcode"],),
        "state/profiles/keys/dispatch-targets.json": (["-p", "keys", "fido", "target", "add", "x"],),
    }

    def test_every_kind_of_document_is_refused_and_left_as_it_is(self):
        self.use("0.1.0")
        for file, text in (("passcode", PASSCODE), ("new-passcode", "846203\n"), ("work.key", KEY)):
            (self.home.directory / file).write_text(text)
            (self.home.directory / file).chmod(0o600)
        known = {str(path.relative_to(STORES / "0.1.0")) for path in (STORES / "0.1.0").rglob("*.json")
                 if "/sealed/" not in str(path) and "/keys/" not in str(path)}
        self.assertLessEqual(known, set(self.READERS), "a kind of document that this table does not have")
        for name, commands in self.READERS.items():
            path = self.home.store / name
            whole = path.read_bytes() if path.exists() else None
            document = json.loads(whole) if whole else {}
            path.write_text(json.dumps(document | {"version": 3}))
            path.chmod(0o600)
            before = path.read_bytes()
            for words in commands:
                with self.subTest(f"{name}: {' '.join(words)}"):
                    result = self.home.run(*words, input=PASSCODE if "-" in words else None)
                    self.assertFailed(result, 3)
                    self.assertIn("it has version 3, and this program supports", result.err)
                    self.assertIn(str(path), result.err)
                    self.assertEqual(path.read_bytes(), before)
            with self.subTest(f"{name}: doctor"):
                result = self.home.run("doctor", "--fix", "--json")
                self.assertEqual(result.exit, 11)
                found = [found for found in self.jsonOf(result)["findings"]
                         if found["status"] == "error" and found["check"] == "document"]
                self.assertEqual([found["subject"] for found in found], [str(path)])
                self.assertEqual(path.read_bytes(), before)
            path.unlink() if whole is None else path.write_bytes(whole)


if __name__ == "__main__":
    unittest.main()
