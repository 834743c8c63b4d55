"""Python virtual environments under .build/, each with the packages of one requirements file.

usage: python3 -m Servers.virtual_environment     makes all of them, so that no test waits
"""

import fcntl
import shutil
import subprocess
import sys

from .sdkctl import REPOSITORY

FILES = {path.name.removesuffix("-requirements.txt"): path
         for path in sorted((REPOSITORY / "Tests").glob("*/*-requirements.txt"))}


class VirtualEnvironment:
    def __init__(self, name: str):
        self.directory = REPOSITORY / ".build" / f"tests-{name}"
        self.requirements = FILES[name]

    def program(self, name: str):
        return self.directory / "bin" / name

    def provide(self) -> "VirtualEnvironment":
        """Makes the environment anew unless it was made from this file, by this Python."""
        with open(self.directory.with_suffix(".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._provide()
        return self

    def _provide(self):
        wanted = f"{sys.version}\n{self.requirements.read_text()}"
        seal = self.directory / "made-for"
        if seal.exists() and seal.read_text() == wanted:
            return
        shutil.rmtree(self.directory, ignore_errors=True)
        for command in ([sys.executable, "-m", "venv", self.directory],
                        [self.program("pip"), "install", "--quiet", "--no-deps",
                         "--disable-pip-version-check", "--requirement", self.requirements]):
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            if done.returncode != 0:
                raise RuntimeError(f"{self.requirements.name} could not be installed: "
                                   f"{done.stdout}{done.stderr}")
        seal.write_text(wanted)

    def use(self):
        """Lets this process import from the environment."""
        [packages] = map(str, self.provide().directory.glob("lib/python*/site-packages"))
        if packages not in sys.path:
            sys.path.append(packages)


if __name__ == "__main__":
    for each in FILES:
        VirtualEnvironment(each).provide()
