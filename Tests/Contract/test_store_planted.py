"""What another program puts in the place of files of the store: refused, never written through, and named by doctor."""

import os
import socket
import stat
import unittest

from Contract.test_store import ISSUER, StoreCase
from Servers.case import NO_PIN, Case

# The commands that have to read a file of the store.
READERS = {
    "config.json": (["profile", "show"], ["profile", "use", "test"]),
    "profile.json": (["profile", "show", "test"], ["fetch", "--unauth", "/x"], ["profile", "set", "scope=x"]),
    "pins.json": (["pin", "list"], ["fetch", "--unauth", "/x"],
                  ["pin", "add", NO_PIN, "--host", "localhost", "--yes"]),
    "registration.json": (["login", "--anonymous"], ["register", "--client-id", "other"]),
    "user.json": (["token"], ["fetch", "--user", "/x"], ["token", "decode"]),
}
ADD = ("--issuer", ISSUER, "--resource-url", "https://localhost:1")


class PlantedTests(StoreCase):
    def plant(self, kind, path):
        """Puts something of that kind at the path."""
        if kind == "link":
            self.target = self.home.directory / ("target-" + path.name)
            self.target.write_bytes(self.kept)
            self.target.chmod(0o600)
            path.symlink_to(self.target)
        elif kind == "pipe":
            os.mkfifo(path, 0o600)
        elif kind == "socket":
            os.chdir(path.parent)  # The path of a socket has at most 107 bytes.
            server = socket.socket(socket.AF_UNIX)
            self.addCleanup(server.close)
            server.bind(path.name)
            os.chdir("/")
            path.chmod(0o600)
        else:
            os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))  # /dev/zero

    def test_what_is_no_file_is_refused_by_readers_and_writers(self):
        kinds = ["link", "pipe", "socket"] + (["device"] if os.geteuid() == 0 else [])
        for name, readers in READERS.items():
            path = self.file(name)
            self.kept = path.read_bytes()
            for kind in kinds:
                path.unlink()
                self.plant(kind, path)
                before = os.lstat(path)
                for arguments in readers:
                    with self.subTest(f"{kind} {name}: {' '.join(arguments)}"):
                        result = self.home.run(*arguments, timeout=20)
                        self.assertFailed(result, 3)
                        self.assertIn(str(path), result.err)
                        after = os.lstat(path)
                        self.assertEqual((after.st_ino, after.st_mode), (before.st_ino, before.st_mode))
                with self.subTest(f"{kind} {name}: doctor"):
                    result = self.home.run("doctor", "--json", timeout=20)
                    self.assertEqual(result.exit, 11)
                    found = [finding for finding in self.jsonOf(result)["findings"]
                             if finding["subject"] == str(path)]
                    self.assertEqual([(finding["check"], finding["status"]) for finding in found],
                                     [("foreign-file", "error")])
                if kind == "link":
                    self.assertEqual(self.target.read_bytes(), self.kept)
            path.unlink()
            path.write_bytes(self.kept)
            path.chmod(0o600)

    def test_a_hard_link_is_never_written_through(self):
        """Its other name may be any file of the user, which must keep its content."""
        writers = {"config.json": ["profile", "use", "test"], "profile.json": ["profile", "set", "scope=openid"],
                   "pins.json": ["pin", "set", "localhost", "--comment", "x"],
                   "user.json": ["token", "--fresh"], "registration.json": ["logout"]}
        for name, arguments in writers.items():
            with self.subTest(name):
                path = self.file(name)
                other = self.home.directory / ("other-" + name)
                os.link(path, other)
                before = other.read_bytes()
                self.ok(*arguments)
                self.assertEqual(other.read_bytes(), before)

    def test_a_lock_that_is_something_else_is_not_followed(self):
        lock = self.home.store / "state/profiles/test/locks/profile.lock"
        target = self.home.directory / "precious"
        target.write_text("precious")
        for kind in ("link", "directory"):
            with self.subTest(kind):
                lock.unlink(missing_ok=True)
                lock.symlink_to(target) if kind == "link" else lock.mkdir()
                self.assertFailed(self.home.run("profile", "set", "scope=x"), 3)
                self.assertEqual(target.read_text(), "precious")
                lock.unlink() if kind == "link" else lock.rmdir()
        self.ok("profile", "set", "scope=x")


class NameTests(Case):
    def test_names_that_differ_in_case_are_two_profiles(self):
        self.ok("profile", "add", "Work", *ADD)
        if (self.home.store / "config/profiles/work").exists():
            # On such a file system both names are one profile, and the second is refused.
            self.fails(3, "profile", "add", "work", *ADD)
            return
        self.ok("profile", "add", "work", *ADD)
        self.ok("-p", "work", "profile", "set", "scope=small")
        self.assertNotIn("small", self.ok("profile", "show", "Work").text)
        self.ok("profile", "remove", "Work", "--yes")
        self.assertIn("small", self.ok("profile", "show", "work").text)

    def test_a_path_that_is_too_long_is_a_clear_error(self):
        home = str(self.home.directory) + "/" + "/".join(["x" * 200] * 25)
        result = self.home.run("profile", "add", "a", *ADD, environment={"SDKCTL_HOME": home})
        self.assertFailed(result, 3)
        self.assertRegex(result.err, "file name too long")
        self.assertEqual(list(self.home.directory.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
