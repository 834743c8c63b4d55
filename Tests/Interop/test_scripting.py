"""The recipes of docs/scripting.md, each in a shell of its own."""

import re
import subprocess

from Servers.case import Case
from Servers.sdkctl import REPOSITORY

PAGE = REPOSITORY / "docs/scripting.md"


class ScriptingTests(Case):
    def test_a_store_that_is_read_only_gives_a_valid_token_and_a_hint_for_an_expired_one(self):
        self.add_session()
        token = self.ok("token").text.strip()
        self.assertEqual(self.read_only("token"), (0, token + "\n", ""))
        status, _, errors = self.read_only("token", "--fresh")
        self.assertEqual(status, 3, errors)
        self.assertIn("hint: make the store writable", errors)
        status, output, errors = self.read_only("doctor", "--json", "--field", "findings")
        self.assertIn("it cannot be written: no token can be renewed", output + errors)
        status, output, errors = self.read_only("fetch", "/api/echo", SDKCTL_TOKEN=token)
        self.assertEqual(status, 0, errors)

    def read_only(self, *words, **variables):
        """Runs a command whose store is on a read-only file system, as in a container."""
        store = self.home.environment["SDKCTL_HOME"]
        script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec sdkctl "$@"'
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", script, store, *words],
            env=self.home.environment | variables, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=60)
        return done.returncode, done.stdout, done.stderr

    def test_each_recipe_runs(self):
        self.add_session()
        recipes = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
        self.assertGreater(len(recipes), 15)
        # The first one sets the variables that the others use.
        variables, *rest = recipes
        self.assertIn("CA_FILE=", variables)
        for recipe in rest:
            with self.subTest(recipe):
                done = subprocess.run(
                    ["bash", "-euo", "pipefail", "-c", f"{variables}export API CA_FILE\n{recipe}"],
                    env=self.home.environment,
                    cwd=self.home.directory, stdin=subprocess.DEVNULL, capture_output=True,
                    text=True, timeout=60)
                self.assertEqual(done.returncode, 0, f"{recipe}\n{done.stdout}{done.stderr}")
                self.assertNotIn("error:", done.stderr)
