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
