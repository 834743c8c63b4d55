"""Directories of the store that others may use, and names in it that are not UTF-8."""

import os
import shutil
import subprocess
import unittest

from Contract.test_store import ISSUER, StoreCase
from Servers.case import Case
from Servers.sdkctl import BINARY


class DirectoryTests(StoreCase):
    COMMANDS = (["token"], ["login", "--anonymous"], ["profile", "show"], ["token", "--fresh"])

    def levels(self):
        """The directories of secrets, the outermost first."""
        last = self.home.slot_file().parent
        return [last, *last.parents][:4][::-1]

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a directory away")
    def test_directories_of_another_user_are_refused_and_the_hint_mends_them(self):
        for level in self.levels():
            with self.subTest(level.name):
                os.chown(level, 65534, 65534)
                result = self.fails(3, "token")
                self.assertIn(f"'{level}' belongs to user 65534", result.err)
                self.assertEqual(self.home.paste(result.hint).exit, 0)
                self.ok("token")


class NameTests(StoreCase):
    def test_a_profile_with_a_name_that_is_not_utf8_is_removed_with_its_tokens(self):
        directory = self.home.slot_file().parent
        (directory / os.fsdecode(b"\xff.json")).write_text("{}")
        (directory / os.fsdecode(b"\xfe")).mkdir()
        self.ok("profile", "remove", "test", "--yes")
        self.assertFalse(directory.parent.exists())

    def test_a_store_whose_path_is_not_utf8_is_refused_and_made_nowhere(self):
        base = self.home.directory / "place"
        base.mkdir()
        path = os.fsencode(base) + b"/\xff"
        add = ["profile", "add", "x", "--issuer", ISSUER, "--resource-url", "https://localhost:1"]
        for variable in ("SDKCTL_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            with self.subTest(variable):
                environment = dict(self.home.environment)
                if variable != "SDKCTL_HOME":
                    environment.pop("SDKCTL_HOME")
                environment[variable] = os.fsdecode(path)
                done = subprocess.run([BINARY, *add], env=environment, capture_output=True)
                self.assertEqual(done.returncode, 3, done)
                self.assertIn(f"{variable} is not UTF-8".encode(), done.stderr)
                self.assertEqual(list(base.iterdir()), [])
        # The same by way of the current directory.
        os.mkdir(path)
        environment = self.home.environment | {"SDKCTL_HOME": "store"}
        done = subprocess.run([BINARY, *add], env=environment, capture_output=True, cwd=path)
        self.assertEqual(done.returncode, 3, done)
        self.assertEqual(os.listdir(path), [])


class DurabilityTests(Case):
    """What fsync cannot do is no success: strace lets it fail."""

    def setUp(self):
        super().setUp()
        if shutil.which("strace") is None:
            self.fail("strace is not installed")
        self.ok("profile", "add", "test", "--issuer", ISSUER, "--resource-url",
                "https://localhost:1")

    def set_scope(self, scope, failing):
        """Changes the profile while one of the calls of fsync fails."""
        return subprocess.run(
            ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e",
             f"inject=fsync:error=EIO:when={failing}", BINARY, "profile", "set", f"scope={scope}"],
            env=self.home.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)

    def test_content_that_is_not_on_the_medium_replaces_nothing(self):
        before = self.home.profile_file.read_bytes()
        done = self.set_scope("a", failing=1)
        self.assertEqual(done.returncode, 3, done)
        self.assertIn(b"input/output error", done.stderr)
        self.assertEqual(self.home.profile_file.read_bytes(), before)
        self.assertEqual(list(self.home.profile_file.parent.glob(".*")), [])

    def test_a_name_that_is_not_on_the_medium_is_a_failure(self):
        done = self.set_scope("a", failing=2)
        self.assertEqual(done.returncode, 3, done)
        self.assertIn(b"input/output error", done.stderr)

    def test_each_write_is_synced_twice_and_no_more(self):
        self.assertEqual(self.set_scope("a", failing=3).returncode, 0)
