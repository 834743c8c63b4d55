"""Profiles: copied and removed under kills; those of a directory and of the site; defaults."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from Servers.case import Case, NO_PIN
from Servers.kills import ROUNDS, Kills
from Servers.sdkctl import BINARY

SECRET = {"version": 2, "issuer": "https://id.test", "accessToken": "a1", "tokenType": "Bearer",
          "expires": 4102444800, "obtained": 0, "refreshToken": "r1"}


class ProfileCase(Case):
    def setUp(self):
        super().setUp()
        self.add("work")
        self.add_secret("work")

    def add(self, name):
        self.ok("profile", "add", name, "--issuer", "https://id.test",
                "--resource-url", "https://api.test")
        self.ok("-p", name, "pin", "add", NO_PIN, "--host", "api.test", "--yes")

    def add_secret(self, name):
        path = self.state(name) / "credentials" / "user.json"
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for parent in (path.parent, path.parent.parent, path.parent.parent.parent):
            parent.chmod(0o700)
        path.write_text(json.dumps(SECRET))
        path.chmod(0o600)

    def state(self, name):
        return self.home.store / "state" / "profiles" / name

    def config(self, name):
        return self.home.store / "config" / "profiles" / name

    def names(self):
        return self.ok("profile", "list").text.split()

    def token(self, name):
        return self.home.run("token", "-p", name)


class KillTests(ProfileCase):
    """After a kill at any instant there is the whole profile or none, under one name."""

    def test_copy(self):
        kills = Kills.of(lambda: self.ok("profile", "copy", "work", "first"), tries=1)
        whole = 0
        for number in range(ROUNDS):
            name = f"copy{number}"
            kills.strike(self.home, "profile", "copy", "work", name)
            if self.config(name).exists():
                whole += 1
                for file in ("profile.json", "pins.json"):
                    self.assertEqual(json.loads((self.config(name) / file).read_text()),
                                     json.loads((self.config("work") / file).read_text()),
                                     kills.where)
            else:
                self.assertNotIn(name, self.names())
                self.ok("profile", "copy", "work", name)
            self.assertFailed(self.token(name), 4)
        kills.assert_enough(self)
        # What killed copies left is removed when it is old.
        left = [path for path in self.config("").iterdir() if path.name.startswith(".unfinished")]
        for path in left:
            os.utime(path, (1, 1))
        self.ok("profile", "copy", "work", "last")
        self.assertFalse([path for path in left if path.exists()])


class CommandTests(ProfileCase):
    def test_a_copy_has_settings_and_pins_and_no_secret(self):
        self.ok("profile", "copy", "work", "lab")
        self.assertEqual(self.ok("profile", "show", "work").text,
                         self.ok("profile", "show", "lab").text)
        self.assertIn(NO_PIN, self.ok("pin", "list", "-p", "lab").text)
        self.assertFailed(self.token("lab"), 4)
        self.fails(3, "profile", "copy", "work", "lab")
        self.fails(3, "profile", "copy", "nobody", "new")
        self.fails(3, "profile", "copy", "work", "../new")
        self.fails(2, "profile", "copy", "work")

    def test_remove_says_what_stays_valid(self):
        result = self.jsonOf(self.ok("profile", "remove", "work", "--yes", "--json"))
        self.assertEqual(result, {"profile": "work", "staysValid": [
            {"what": "tokens", "name": "user", "until": None}]})
        self.fails(3, "profile", "remove", "work", "--yes")

    def test_show_says_where_values_and_secrets_are(self):
        shown = self.jsonOf(self.ok("profile", "show", "work", "--sources", "--json"))
        self.assertEqual(shown["sources"]["issuer"],
                         {"value": "https://id.test", "source": "profile"})
        self.assertEqual(shown["sources"]["pinPolicy"], {"value": "enforce", "source": "default"})
        self.assertEqual(shown["secrets"], [
            {"kind": "tokens", "file": str(self.state("work") / "credentials" / "user.json"),
             "protection": "permissions"}])
        self.assertNotIn("r1", json.dumps(shown["secrets"]))

    def test_status_and_list_use_no_network(self):
        status = self.jsonOf(self.ok("status", "--json"))
        self.assertEqual((status["profile"], status["chosenBy"]), ("work", "current"))
        self.assertTrue(status["user"]["refreshable"])
        [row] = self.jsonOf(self.ok("status", "--all", "--json"))
        self.assertEqual(row["user"], status["user"])
        self.fails(3, "status", "-p", "nobody")
        self.fails(2, "status", "extra")

    def test_metadata_of_a_server_that_does_not_exist(self):
        self.ok("profile", "set", "issuer=https://localhost:1", "-p", "work")
        self.assertFailed(self.home.run("profile", "metadata", "-p", "work"), (6, 8))
        self.fails(2, "profile", "metadata", "--stale")

    def test_deregister_all_lists_every_profile(self):
        self.add("lab")
        self.fails(2, "deregister", "--all")
        self.fails(2, "deregister", "--all", "-p", "work", "--yes")
        result = self.home.run("deregister", "--all", "--local", "--yes", "--json")
        self.assertEqual(result.exit, 0, result)
        self.assertEqual([row["profile"] for row in self.jsonOf(result)], ["lab", "work"])
        self.assertFailed(self.token("work"), 4)


class DirectoryTests(ProfileCase):
    def setUp(self):
        super().setUp()
        self.add("lab")
        self.place = Path(tempfile.mkdtemp(prefix="sdkctl-place."))
        self.addCleanup(shutil.rmtree, self.place)
        self.below = self.place / "a" / "b"
        self.below.mkdir(parents=True)
        for folder in (self.below, self.below.parent):
            folder.chmod(0o700)
        self.file = self.place / "a" / ".sdkctl-profile"

    def write(self, content, mode=0o644):
        self.file.unlink(missing_ok=True)
        self.file.write_bytes(content)
        self.file.chmod(mode)

    def chosen(self, *arguments, **keywords):
        result = self.home.run("status", "--json", *arguments, cwd=self.below, **keywords)
        self.assertEqual(result.exit, 0, result)
        status = self.jsonOf(result)
        return status["profile"], status["chosenBy"]

    def refused(self, pattern):
        result = self.home.run("profile", "show", cwd=self.below)
        self.assertFailed(result, 3)
        self.assertIn(str(self.file), result.err)
        self.assertRegex(result.err, pattern)
        # An explicit choice does not read it.
        self.assertEqual(self.chosen("-p", "work"), ("work", "flag"))

    def test_is_below_option_and_variable_and_above_the_current_profile(self):
        self.assertEqual(self.chosen(), ("work", "current"))
        self.write(b"lab\n")
        self.assertEqual(self.chosen(), ("lab", "directory"))
        self.assertEqual(self.chosen("-p", "work"), ("work", "flag"))

    def test_hostile_content_is_refused(self):
        for content in (b"", b"a b\n", b"lab\nwork\n", b"../lab\n", b"-p\n", b"l\x1b[31mab\n",
                        b"lab\0\n", b"\xff\xfe\n", b"a" * (1 << 20)):
            with self.subTest(content[:16]):
                self.write(content)
                self.refused("it must have one line, the name of a profile")

    def test_a_file_or_directory_that_others_can_write_is_refused(self):
        self.write(b"lab\n", mode=0o664)
        self.refused("others may use it")
        self.write(b"lab\n")
        self.below.parent.chmod(0o775)
        self.refused("others may change its directory")

    def test_links_and_pipes_are_refused(self):
        target = self.place / "target"
        target.write_text("lab\n")
        self.file.symlink_to(target)
        self.refused("is a symbolic link")
        self.file.unlink()
        os.mkfifo(self.file)
        self.refused("is not a regular file")

    @unittest.skipUnless(os.geteuid() == 0, "only root can give files away")
    def test_a_file_of_another_user_is_ignored_once_with_a_note(self):
        self.write(b"lab\n")
        os.chown(self.file, 12345, 12345)
        self.assertEqual(self.chosen(), ("work", "current"))
        result = self.home.run("profile", "show", cwd=self.below)
        self.assertEqual(result.err.count(f"ignored '{self.file}'"), 1, result)

    def test_a_profile_that_does_not_exist_is_an_error_that_names_the_file(self):
        self.write(b"gone\n")
        self.refused("could not find the profile 'gone'")


class DefaultsTests(ProfileCase):
    def write(self, defaults):
        path = self.home.store / "config" / "config.json"
        path.write_text(json.dumps({"version": 1, "current": "work", "defaults": defaults}))

    def test_a_default_applies_and_the_option_replaces_it(self):
        self.write({"fetch": {"unauth": True, "dry-run": True, "header": ["A: 1"]}})
        self.assertIn("A: 1", self.ok("fetch", "/x").text)
        self.assertNotIn("A: 1", self.ok("fetch", "/x", "-H", "B: 2").text)

    def test_unknown_names_and_wrong_values_name_file_and_key(self):
        for defaults, key in (({"fetsh": {}}, "defaults.fetsh"),
                              ({"fetch": {"x": 1}}, "defaults.fetch.x"),
                              ({"fetch": {"retry": "many"}}, "defaults.fetch.retry")):
            with self.subTest(key):
                self.write(defaults)
                result = self.fails(3, "fetch", "/x", "--unauth", "--dry-run")
                self.assertIn(key, result.err)
                self.assertIn("config.json", result.err)
                self.ok("help", "environment")


def can_mount() -> bool:
    return subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0


@unittest.skipUnless(can_mount(), "needs a mount namespace for /etc/sdkctl")
class SiteTests(ProfileCase):
    """The directory of the site is fixed, so each run sees another one at its place."""

    SCRIPT = ('mkdir -p "$1" && mount -t tmpfs none /etc && mkdir /etc/sdkctl '
              '&& cp -r "$1/." /etc/sdkctl && chmod -R go-w /etc/sdkctl && shift && exec "$@"')

    def site(self, *arguments, files=None):
        with tempfile.TemporaryDirectory() as folder:
            for name, document in (files or self.files).items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps({"version": 1, **document}))
            environment = dict(os.environ, SDKCTL_HOME=str(self.home.store))
            done = subprocess.run(
                ["unshare", "-m", "sh", "-c", self.SCRIPT, "sh", folder, str(BINARY), *arguments],
                capture_output=True, text=True, env=environment, timeout=60)
        return done

    files = {
        "profiles/corp/profile.json": {
            "issuer": "https://corp.test", "resourceURL": "https://api.corp.test"},
        "profiles/work/profile.json": {"issuer": "https://other.test"},
        "config.json": {"current": "corp", "alias": {"who": "status"},
                        "defaults": {"fetch": {"unauth": True, "dry-run": True}}},
    }

    def test_its_profiles_and_defaults_are_below_the_users_own(self):
        rows = json.loads(self.site("profile", "list", "--json").stdout)
        self.assertEqual([(row["name"], row["site"], row["issuer"]) for row in rows],
                         [("corp", True, "https://corp.test"),
                          ("work", False, "https://id.test")])
        self.assertIn("profile:    work", self.site("who").stdout)
        self.assertIn("GET /x", self.site("fetch", "/x", "-p", "corp").stdout)

    def test_its_profiles_cannot_be_changed(self):
        for arguments in (["profile", "set", "scope=a", "-p", "corp"],
                          ["profile", "remove", "corp", "--yes"],
                          ["pin", "add", NO_PIN, "--host", "a.test", "--yes", "-p", "corp"]):
            with self.subTest(arguments):
                done = self.site(*arguments)
                self.assertEqual(done.returncode, 3, done)
                self.assertIn("profile of the site", done.stderr)
        self.assertEqual(self.site("profile", "copy", "corp", "mine").returncode, 0)
        self.assertEqual(self.site("profile", "set", "scope=a", "-p", "mine").returncode, 0)
