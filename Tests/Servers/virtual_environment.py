"""Python virtual environments under .build/, each with the packages of one requirements file."""

import shutil
import subprocess
import sys
from pathlib import Path

from .sdkctl import REPOSITORY


class VirtualEnvironment:
    def __init__(self, name: str, requirements: Path):
        self.directory = REPOSITORY / ".build" / name
        self.requirements = requirements

    def program(self, name: str) -> Path:
        return self.directory / "bin" / name

    def provide(self) -> "VirtualEnvironment":
        """Makes the environment anew unless it was made from this file, by this Python."""
        wanted = f"{sys.version}\n{self.requirements.read_text()}"
        seal = self.directory / "made-for"
        if seal.exists() and seal.read_text() == wanted:
            return self
        shutil.rmtree(self.directory, ignore_errors=True)
        for command in ([sys.executable, "-m", "venv", self.directory],
                        [self.program("pip"), "install", "--quiet", "--no-deps",
                         "--disable-pip-version-check", "--requirement", self.requirements]):
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            if done.returncode != 0:
                raise RuntimeError(f"{self.requirements.name} could not be installed: "
                                   f"{done.stdout}{done.stderr}")
        seal.write_text(wanted)
        return self

    def use(self):
        """Lets this process import from the environment."""
        [packages] = map(str, self.provide().directory.glob("lib/python*/site-packages"))
        if packages not in sys.path:
            sys.path.append(packages)
