"""The recipes of docs/scripting.md, each in a shell of its own."""

import re
import subprocess

from Servers.case import Case
from Servers.sdkctl import REPOSITORY

PAGE = REPOSITORY / "docs/scripting.md"


class ScriptingTests(Case):
    def test_each_recipe_runs(self):
        self.add_session()
        recipes = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
        self.assertGreater(len(recipes), 15)
        environment = self.home.environment | {
            "API": self.stand.gateway.url, "CA_FILE": str(self.stand.ca_file)}
        for recipe in recipes:
            with self.subTest(recipe):
                done = subprocess.run(
                    ["bash", "-euo", "pipefail", "-c", recipe], env=environment,
                    cwd=self.home.directory, stdin=subprocess.DEVNULL, capture_output=True,
                    text=True, timeout=60)
                self.assertEqual(done.returncode, 0, f"{recipe}\n{done.stdout}{done.stderr}")
                self.assertNotIn("error:", done.stderr)
