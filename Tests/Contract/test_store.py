"""Store files that are broken, newer, foreign or too open: refused, explained, untouched."""

import os
import unittest

from Servers.case import Case, NO_PIN

ISSUER = "https://localhost:1/i"


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


class PermissionTests(StoreCase):
    SECRETS = {"registration.json": ["login", "--anonymous"], "user.json": ["token"]}

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
