"""What `make demo` shows to a newcomer, after the build."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

DEMO = Path(__file__).resolve().parents[2] / "Tests/Demo/run"


class DemoTests(unittest.TestCase):
    def test_the_whole_job_is_shown_and_leaves_nothing_behind(self):
        """Each command in it must end as the script says, or it stops there."""
        with tempfile.TemporaryDirectory() as directory:
            environment = {name: value for name, value in os.environ.items()
                           if name != "BROWSER" and not name.startswith("SDKCTL")}
            environment |= {"TMPDIR": directory, "HOME": directory}
            demo = subprocess.run([DEMO], env=environment, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=120)
            self.assertEqual(demo.returncode, 0, demo.stdout + demo.stderr)
            for words in ("logged alice in", '"devices"', "(exit status 8)", "registered the FIDO key", "The sandbox is stopped."):
                self.assertIn(words, demo.stdout)
            self.assertEqual(os.listdir(directory), [])
