"""Runs the built binary: a store of its own for every test, and what a command answered."""

import atexit
import functools
import json
import os
import re
import shutil
import stat
import subprocess
import time
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("SDKCTL", REPOSITORY / ".build/debug/sdkctl")).resolve()
PERSON = Path(__file__).with_name("person.py")


@dataclass
class Result:
    """How a command ended. `exit` is negative when a signal ended it, as in subprocess."""

    arguments: tuple
    exit: int
    out: bytes
    errors: bytes

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def err(self) -> str:
        return self.errors.decode(errors="strict")

    @property
    def hint(self) -> str:
        """The command that the hint offers, ready to be pasted into a shell."""
        hints = [line.partition("hint: ")[2] for line in self.err.splitlines() if "hint: " in line]
        for hint in hints:
            for command in re.findall(QUOTED, hint) or re.findall(PASTE, hint):
                return command
        return ""

    def __str__(self):
        return (f"{' '.join(map(str, self.arguments))}\nexit {self.exit}\n"
                f"stdout: {self.out[:2000]!r}\nstderr: {self.errors[:4000].decode(errors='replace')}")


QUOTED = r"[`']((?:sdkctl|chmod|chown|rm) [^`']*)[`']"
PASTE = r"\b((?:sdkctl|chmod|chown|rm) .+?)\s*$"


@functools.cache
def persons() -> Path:
    """The pipe at which one process waits to act as a person: see person.py."""
    folder = Path(tempfile.mkdtemp(prefix="sdkctl-persons."))
    folder.chmod(0o755)
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    pipe.chmod(0o666)
    # It ends with its standard input, and that with this process.
    process = subprocess.Popen([sys.executable, "-B", PERSON, "--serve", pipe], stdin=subprocess.PIPE)

    def end():
        process.stdin.close()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    return pipe


class Home:
    """One SDKCTL_HOME and an environment with nothing else of this machine's person in it."""

    def __init__(self, name="test"):
        self.name = name
        self.directory = Path(tempfile.mkdtemp(prefix="sdkctl-home."))
        self.store = self.directory / "store"
        self.environment = {
            "HOME": str(self.directory), "SDKCTL_HOME": str(self.store), "LC_ALL": "C.UTF-8",
            "PATH": f"{BINARY.parent}:/usr/local/bin:/usr/bin:/bin", "TZ": "UTC", "TERM": "dumb",
            "TEST_SCRYPT_N": "16"}  # read by debug builds only
        # Where Swift's own libraries live, when whoever runs the tests has to say so.
        if "LD_LIBRARY_PATH" in os.environ:
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]

    def remove(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def copy(self) -> "Home":
        """A second home with the same store, to be spoilt."""
        other = Home(self.name)
        shutil.copytree(self.store, other.store, symlinks=True)
        return other

    def start(self, *arguments, environment=None, **keywords) -> subprocess.Popen:
        # A session of its own has no terminal, on which the program could ask whoever runs the tests.
        keywords = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                    "stderr": subprocess.PIPE, "cwd": self.directory,
                    "start_new_session": True} | keywords
        return subprocess.Popen([BINARY, *arguments],
                                env=self.environment | (environment or {}), **keywords)

    def run(self, *arguments, input=None, timeout=60, **keywords) -> Result:
        if input is not None:
            keywords["stdin"] = subprocess.PIPE
            input = input.encode() if isinstance(input, str) else input
        with self.start(*arguments, **keywords) as process:
            try:
                out, errors = process.communicate(input, timeout=timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return Result(arguments, process.returncode, out or b"", errors or b"")

    def paste(self, command: str) -> Result:
        """Runs a line in a shell, as a person would who pastes it."""
        done = subprocess.run(["bash", "-c", command], env=self.environment, cwd=self.directory,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                              start_new_session=True)
        return Result((command,), done.returncode, done.stdout, done.stderr)

    # The store

    @property
    def profile_file(self) -> Path:
        return self.store / "config/profiles" / self.name / "profile.json"

    @property
    def pins_file(self) -> Path:
        return self.store / "config/profiles" / self.name / "pins.json"

    @property
    def registration_file(self) -> Path:
        return self.store / "state/profiles" / self.name / "registration.json"

    @staticmethod
    def slot_option(slot: str) -> str:
        """The option that selects a slot."""
        return "--" + slot

    def slot_file(self, slot="user") -> Path:
        return self.store / "state/profiles" / self.name / "credentials" / (slot + ".json")

    def expire(self, slot="user", at=978307200):
        """Makes the stored access token look expired, or about to expire, however its end is written."""
        path = self.slot_file(slot)
        document, changed = json.loads(path.read_text()), []

        def past(value):
            if isinstance(value, dict):
                return {key: aged(key, item) for key, item in value.items()}
            return [past(item) for item in value] if isinstance(value, list) else value

        def aged(key, value):
            if "expir" not in key.lower() or isinstance(value, (dict, list)):
                return past(value)
            changed.append(key)
            text = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
            return text if isinstance(value, str) else at

        path.write_text(json.dumps(past(document)))
        assert changed, f"no expiry in {path}: {document}"

    def forget_failed_login(self):
        """Lets the next login open a browser at once."""
        shutil.rmtree(self.store / "cache/logins", ignore_errors=True)

    def unsafe_modes(self) -> list:
        """What of the store others could read: directories not 0700, secret files not 0600."""
        found = []
        for path in [self.store, *self.store.rglob("*")]:
            if path.is_symlink():
                continue  # A link has no mode of its own, and may lead nowhere.
            mode = stat.S_IMODE(path.stat().st_mode)
            if path.is_dir() and mode != 0o700:
                found.append((str(path), oct(mode)))
            if path.is_file() and path.is_relative_to(self.store / "state") and mode != 0o600:
                found.append((str(path), oct(mode)))
        return found

    # The person's browser

    @property
    def urls(self) -> Path:
        """Where browsers write the URLs behind what they were started with, one a line."""
        return self.directory / "browser-urls"

    def use_browser(self, stand, action="accept", **settings) -> Path:
        """Points $BROWSER at a script that acts as a person would; answers where it takes notes.

        The script also writes down its own environment and arguments, beside the notes.
        """
        script, notes = self.directory / "browser", self.directory / "notes"
        settings = {"STAND_CA": stand.ca_file, "STAND_ACTION": action,
                    "STAND_NOTES": notes, "STAND_URLS": self.urls} | settings
        (self.directory / "browser-settings").write_text(
            json.dumps({key: str(value) for key, value in settings.items()}))
        script.write_text(
            f"#!/bin/sh\nenv >'{self.directory}/browser-environment'\n"
            f"printf '%s\\n' \"$@\" >>'{self.directory}/browser-arguments'\n"
            f"reply='{self.directory}/browser-reply.'$$\n"
            f"mkfifo \"$reply\" && echo $$ >'{persons()}' && read -r status <\"$reply\"\n"
            "rm -f \"$reply\"\nexit \"${status:-1}\"\n")
        script.chmod(0o755)
        self.environment["BROWSER"] = str(script)
        notes.unlink(missing_ok=True)
        return notes
