"""The tour of the README, typed by somebody whose home directory is empty."""

import re
import subprocess
import unittest
from pathlib import Path

from Servers.process import free_port
from Servers.sandbox import PROGRAM
from Servers.sdkctl import BINARY, PERSON, REPOSITORY, Home

README = REPOSITORY / "README.md"


class TourTests(unittest.TestCase):
    def setUp(self):
        self.home = Home("sandbox")
        self.addCleanup(self.home.remove)
        del self.home.environment["SDKCTL_HOME"]
        self.home.environment["PATH"] = f"{BINARY.parent}:{PROGRAM.parent}:/usr/bin:/bin"
        self.port = str(free_port())

    def test_every_command_does_what_the_readme_shows(self):
        shown = list(self.steps())
        self.assertGreater(len(shown), 14)
        self.addCleanup(self.run_line, "sdkctl sandbox stop")
        for command, expected in shown:
            with self.subTest(command):
                output = self.run_line(command)
                self.assertRegex(output, self.pattern(expected), output)

    def steps(self):
        """Each command of the tour with the lines that are shown below it."""
        tour = README.read_text().partition("## A tour")[2].partition("## More")[0]
        for block in re.findall(r"(?s)```console\n(.*?)```", tour):
            for step in re.split(r"(?m)^\$ ", block)[1:]:
                command, _, output = re.fullmatch(r"((?:.*\\\n)*.*)(\n((?s:.*)))?", step).groups()
                if "example.com" not in command:
                    yield command, step[len(command) + 1:]

    def run_line(self, command) -> str:
        """Runs a line in bash, with a person at the browser and a free port in place of 8443."""
        settings = {"BROWSER": str(self.browser()), "STAND_CA": str(self.ca)}
        command = command.replace("sandbox start", f"sandbox start --port {self.port}")
        done = subprocess.run(
            ["bash", "-c", command.replace("8443", self.port)], cwd=self.home.directory,
            env=self.home.environment | settings, stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        return done.stdout

    @property
    def ca(self) -> Path:
        return self.home.directory / ".local/state/sdkctl/sandbox/ca.pem"

    def browser(self) -> Path:
        script = self.home.directory / "browser"
        script.write_text(f"#!/bin/sh\nexec '{PERSON}' \"$@\" >/dev/null 2>&1\n")
        script.chmod(0o755)
        return script

    def pattern(self, expected) -> str:
        """The shown lines as a pattern: what is drawn at random or depends on the day may differ."""
        lines = [self.line(line) for line in expected.strip("\n").splitlines()]
        return r"\A" + r"\n".join(lines).replace(r"\n(?s:.*)\n", r"\n(?s:(?:.*\n)?)") + r"\n?\Z"

    def line(self, line) -> str:
        if line == "…":
            return "(?s:.*)"
        line = line.replace("/home/you", str(self.home.directory)).replace("8443", self.port)
        line = re.escape(line).replace("…", ".*")
        for drawn in (r"client\\-[0-9a-f]{16}", r"user\\-[0-9a-f]{12}", r"sha256/(?!AAAA)[\w+/\\]{43,}=",
                      r"\d{4}\\-\d\d\\-\d\d(T\d\d:\d\d:\d\dZ)?"):
            line = re.sub(drawn, ".*", line)
        # The time that is left is rounded down.
        line = line.replace(r"in\ 5\ minutes", r"in\ [45]\ minutes")
        return line


if __name__ == "__main__":
    unittest.main()
