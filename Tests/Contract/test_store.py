"""Store files that are broken, newer, foreign or too open: refused, explained, untouched."""

import json
import os
import unittest

from Servers.case import Case, NO_PIN

ISSUER = "https://localhost:1/i"


class Files:
    """Which store file a command has to read, by a short name."""

    READERS = {
        "config.json": (["profile", "show"], ["profile", "use", "test"]),
        "profile.json": (["profile", "show", "test"], ["fetch", "--unauth", "/x"],
                         ["profile", "set", "scope=x"]),
        "pins.json": (["pin", "list"], ["fetch", "--unauth", "/x"],
                      ["pin", "add", NO_PIN, "--host", "localhost", "--yes"]),
        "registration.json": (["login", "--anonymous"], ["register", "--client-id", "other"]),
        "user.json": (["token"], ["fetch", "--user", "/x"], ["token", "decode"]),
    }


class StoreCase(Case):
    """A store with every file in it, made once by a real session and copied for each test."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        maker = Case()
        maker.home = maker.new_home()
        maker.add_session()
        cls.original = maker.home
        cls.addClassCleanup(cls.original.remove)

    def setUp(self):
        self.home = self.original.copy()
        self.addCleanup(self.home.remove)

    def file(self, name):
        found = list(self.home.store.rglob(name))
        self.assertEqual(len(found), 1, f"{name}: {found}")
        return found[0]

    def refused(self, name, arguments, path=None):
        """The command fails with 3, names the file and leaves it byte for byte."""
        path = path or self.file(name)
        before = path.read_bytes()
        result = self.home.run(*arguments)
        self.assertFailed(result, 3)
        self.assertIn(str(path), result.err)
        self.assertEqual(path.read_bytes(), before, "the file was changed")
        return result


class CorruptionTests(StoreCase):
    def test_pins_for_all_hosts_below_a_public_suffix_are_refused(self):
        path = self.file("pins.json")
        document = json.loads(path.read_text())
        for host in ("com", "co.uk"):
            with self.subTest(host):
                [keys] = [hosts["keys"] for hosts in document["hosts"].values()][:1]
                added = {host: {"includeSubdomains": True, "keys": keys}}
                path.write_text(json.dumps(document | {"hosts": document["hosts"] | added}))
                for arguments in Files.READERS["pins.json"]:
                    result = self.refused("pins.json", arguments)
                    self.assertIn(f"'hosts.{host}' includes the subdomains of a public suffix",
                                  result.err)

    def test_text_that_is_no_json_is_refused_with_its_position(self):
        for name, readers in Files.READERS.items():
            whole = self.file(name).read_bytes()
            for label, content in (("truncated", whole[:len(whole) // 2]),
                                   ("empty", b""), ("garbage", b"{\n  nonsense\n}\n"),
                                   ("trailing", whole + b"x"), ("bytes", b'{"a": "\xff"}'),
                                   ("zeros", b"\0" * 100),
                                   ("duplicate comma", b'{"version": 1,, "a": 2}')):
                for arguments in readers:
                    with self.subTest(f"{name} {label}: {' '.join(arguments)}"):
                        self.file(name).write_bytes(content)
                        result = self.refused(name, arguments)
                        self.assertError(result, r"line \d+")
            self.file(name).write_bytes(whole)

    def test_json_of_the_wrong_shape_is_refused_by_path(self):
        for name, readers in Files.READERS.items():
            whole = self.file(name).read_bytes()
            for content in (b"[]", b"null", b'"text"', b"{}", b'{"version": "one"}',
                            b"[" * 5000 + b"]" * 5000):
                with self.subTest(f"{name} {content[:20]}"):
                    self.file(name).write_bytes(content)
                    self.refused(name, readers[0])
            self.file(name).write_bytes(whole)

    def test_members_of_the_wrong_type_are_named(self):
        for name, arguments in (("profile.json", ["profile", "show", "test"]),
                                ("pins.json", ["pin", "list"])):
            for key in json.loads(self.file(name).read_text()):
                if key == "version":
                    continue
                with self.subTest(f"{name} {key}"):
                    whole = self.file(name).read_text()
                    self.file(name).write_text(json.dumps(json.loads(whole) | {key: -1.5}))
                    self.assertIn(key, self.refused(name, arguments).err)
                    self.file(name).write_text(whole)

    def test_a_directory_in_place_of_a_file(self):
        for name, readers in Files.READERS.items():
            with self.subTest(name):
                path = self.file(name)
                kept = path.read_bytes()
                path.unlink()
                path.mkdir()
                self.assertFailed(self.home.run(*readers[0]), 3)
                path.rmdir()
                path.write_bytes(kept)
                path.chmod(0o600)

    def test_a_newer_version_is_refused_and_never_rewritten(self):
        for name, readers in Files.READERS.items():
            whole = json.loads(self.file(name).read_text())
            self.assertIn("version", whole, name)
            self.file(name).write_text(json.dumps(whole | {"version": whole["version"] + 1}))
            for arguments in readers:
                with self.subTest(f"{name}: {' '.join(arguments)}"):
                    self.assertIn("version", self.refused(name, arguments).err)
            self.file(name).write_text(json.dumps(whole))

    def test_unknown_members_survive_a_rewrite(self):
        writers = {"config.json": ["profile", "use", "test"],
                   "profile.json": ["profile", "set", "scope=openid"],
                   "pins.json": ["pin", "add", NO_PIN, "--host", "other.example", "--yes"],
                   "user.json": ["token", "--fresh"]}
        for name, arguments in writers.items():
            with self.subTest(name):
                whole = json.loads(self.file(name).read_text())
                self.file(name).write_text(json.dumps(whole | {"x-mine": {"kept": [1, "é"]}}))
                self.ok(*arguments)
                after = json.loads(self.file(name).read_text())
                self.assertEqual(after["x-mine"], {"kept": [1, "é"]})

    def test_documents_are_pretty_and_sorted(self):
        for name in Files.READERS:
            with self.subTest(name):
                text = self.file(name).read_text()
                document = json.loads(text)
                self.assertGreater(text.count("\n"), 2)
                self.assertEqual(list(document), sorted(document))
                self.assertTrue(text.endswith("}\n"))

    def test_a_damaged_slot_is_cleared_by_a_local_logout_which_says_so(self):
        path = self.file("user.json")
        for text in ("", "{", "[]", '{"version":2}', "\0" * 64):
            with self.subTest(text):
                path.touch()
                path.chmod(0o600)
                path.write_text(text)
                issuer = json.loads(self.file("profile.json").read_text())["issuer"]
                if text == '{"version":2}':
                    path.write_text(json.dumps({"version": 2, "issuer": issuer}))
                for words in (["token"], ["logout"], ["fetch", "--user", "/x"]):
                    result = self.refused("user.json", words)
                    self.assertIn("hint: sdkctl -p test logout --local", result.err)
                result = self.ok("logout", "--local", "--json")
                self.assertIn("were damaged and are gone", result.err)
                self.assertIn(str(path), result.err)
                self.assertEqual([step["outcome"] for step in self.jsonOf(result)["steps"]],
                                 ["skipped", "skipped", "done"])
                self.assertFalse(path.exists())
                self.fails(4, "token")


class PermissionTests(StoreCase):
    SECRETS = {"registration.json": ["login", "--anonymous"], "user.json": ["token"]}

    def test_loose_permissions_are_refused_and_the_hint_mends_them(self):
        for name, arguments in self.SECRETS.items():
            for mode in (0o644, 0o640, 0o606, 0o620):
                with self.subTest(f"{name} {mode:o}"):
                    self.file(name).chmod(mode)
                    result = self.refused(name, arguments)
                    self.assertTrue(result.hint.startswith("chmod "), result)
                    self.assertEqual(self.home.paste(result.hint).exit, 0)
                    self.ok(*arguments)

    def test_a_symbolic_link_is_not_followed(self):
        for name, arguments in self.SECRETS.items():
            with self.subTest(name):
                path = self.file(name)
                target = self.home.directory / name
                path.rename(target)
                path.symlink_to(target)
                self.assertFailed(self.home.run(*arguments), 3)
                path.unlink()
                target.rename(path)

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a file away")
    def test_a_foreign_owner_is_refused(self):
        for name, arguments in self.SECRETS.items():
            with self.subTest(name):
                os.chown(self.file(name), 65534, 65534)
                self.assertIn("own", self.refused(name, arguments).err)
                os.chown(self.file(name), 0, 0)


class PlaceTests(Case):
    """Where no store can be."""

    ADD = ["profile", "add", "x", "--issuer", ISSUER, "--resource-url", "https://localhost:1"]

    def test_a_store_below_a_regular_file(self):
        file = self.home.directory / "file"
        file.write_text("mine")
        place = {"SDKCTL_HOME": str(file / "store")}
        for arguments in (self.ADD, ["profile", "use", "x"], ["profile", "set", "scope=x"],
                          ["token"], ["register"]):
            with self.subTest(arguments[:2]):
                self.assertFailed(self.home.run(*arguments, environment=place), 3)
        self.assertEqual(file.read_text(), "mine")

    def test_a_store_that_may_not_be_written(self):
        self.ok(*self.ADD)
        before = {path: path.read_bytes() for path in self.home.store.rglob("*.json")}
        as_nobody = {}
        if os.geteuid() == 0:  # root writes everywhere: be somebody else
            self.give_to_nobody()
            as_nobody = {"user": 65534, "group": 65534, "extra_groups": []}
            self.requires_a_program_for_all(as_nobody)
        folders = [self.home.store, *(p for p in self.home.store.rglob("*") if p.is_dir())]
        for folder in folders:
            folder.chmod(0o500)
        for arguments in (["profile", "set", "scope=y", "-p", "x"], ["profile", "use", "x"],
                          ["profile", "remove", "x", "--yes"], ["profile", "copy", "x", "y"],
                          ["pin", "add", NO_PIN, "--host", "a.example", "--yes", "-p", "x"]):
            with self.subTest(arguments[:2]):
                result = self.home.run(*arguments, **as_nobody)
                self.assertFailed(result, 3)
                self.assertError(result, "permission denied|read-only")
        self.assertEqual(self.home.run("profile", "list", **as_nobody).exit, 0)
        for folder in folders:
            folder.chmod(0o700)
        self.assertEqual({p: p.read_bytes() for p in self.home.store.rglob("*.json")}, before)
        self.assertEqual([p for p in self.home.store.rglob("*") if "tmp" in p.name.lower()], [])

    def test_relative_and_empty_homes(self):
        result = self.home.run("profile", "list", environment={"SDKCTL_HOME": "relative"})
        self.assertEqual(result.exit, 0, result)
        self.home.environment.pop("SDKCTL_HOME")
        self.home.environment["XDG_CONFIG_HOME"] = str(self.home.directory / "xdg")
        self.ok(*self.ADD)
        self.assertTrue((self.home.directory / "xdg/sdkctl/profiles/x/profile.json").exists())

    def test_without_HOME_the_user_database_is_asked(self):
        self.home.environment.pop("SDKCTL_HOME")
        self.home.environment.pop("HOME")
        # Reads only: the store is that of whoever runs the tests.
        for environment in ({}, {"HOME": ""}):
            result = self.home.run("profile", "list", environment=environment)
            self.assertEqual(result.exit, 0, result)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be a user without an account")
    def test_a_user_without_a_home_is_told(self):
        self.home.environment.pop("SDKCTL_HOME")
        self.home.environment.pop("HOME")
        nobody = {"user": 64999, "group": 64999, "extra_groups": [], "cwd": "/"}
        self.requires_a_program_for_all(nobody)
        result = self.home.run(*self.ADD, **nobody)
        self.assertFailed(result, 3)
        self.assertIn("nor HOME is set", result.err)

    def requires_a_program_for_all(self, as_nobody):
        try:
            runs = self.home.run("version", **as_nobody).exit == 0
        except PermissionError:
            runs = False
        if not runs:
            self.skipTest("the binary lies where only root may run it")

    def give_to_nobody(self):
        for path in [self.home.directory, self.home.store, *self.home.store.rglob("*")]:
            os.chown(path, 65534, 65534)
