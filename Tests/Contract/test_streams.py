"""Standard streams that are empty, closed, full or gone."""

import base64
import fcntl
import json
import os
import signal
import time
import unittest
from pathlib import Path

from Servers.case import Case


def jwt(claims: dict) -> str:
    """A token with these claims, and with a signature that nobody can verify."""
    parts = ({"alg": "RS256"}, claims)
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
                    for part in parts) + ".c2ln"


JWT = jwt({"sub": "alice", "exp": 4102444800})

PRINTERS = (["version"], ["--help"], ["help", "fetch"], ["profile", "list"],
            ["completion", "bash"], ["token", "decode", "jwt"])


class OutputTests(Case):
    def setUp(self):
        super().setUp()
        (self.home.directory / "jwt").write_text(JWT)
        self.ok("profile", "add", "test", "--issuer", "https://localhost:1/i",
                "--resource-url", "https://localhost:1")

    def test_a_full_stdout_is_a_failure(self):
        for arguments in PRINTERS:
            with self.subTest(arguments), open("/dev/full", "wb") as full:
                self.assertFailed(self.home.run(*arguments, stdout=full), 1)

    def test_a_closed_stdout_is_a_failure(self):
        for arguments in PRINTERS:
            with self.subTest(arguments):
                result = self.home.run(*arguments, stdout=None, preexec_fn=lambda: os.close(1))
                self.assertFailed(result, 1)

    def test_a_reader_that_leaves_ends_the_writer_by_sigpipe(self):
        for arguments in (["completion", "bash"], ["help", "fetch"]):
            with self.subTest(arguments):
                reading, writing = os.pipe()
                os.close(reading)
                result = self.home.run(*arguments, stdout=writing)
                os.close(writing)
                self.assertEqual(result.exit, -13, result)

    def test_a_closed_stderr_changes_no_result(self):
        result = self.home.run("version", stderr=None, preexec_fn=lambda: os.close(2))
        self.assertEqual(result.exit, 0)
        result = self.home.run("nonsense", stderr=None, preexec_fn=lambda: os.close(2))
        self.assertEqual(result.exit, 2)

    def test_a_full_stderr_changes_no_result(self):
        with open("/dev/full", "wb") as full:
            self.assertEqual(self.home.run("nonsense", stderr=full).exit, 2)

    def test_all_closed_streams_never_write_into_a_file_of_ours(self):
        def close():
            for descriptor in range(3):
                os.close(descriptor)
        process = self.home.start("profile", "add", "x", "--issuer", "https://localhost:1/i",
                                  "--resource-url", "https://localhost:1", stdin=None,
                                  stdout=None, stderr=None, preexec_fn=close)
        process.wait(20)
        issuers = [json.loads(path.read_text()).get("issuer")
                   for path in self.home.store.rglob("*.json")]
        self.assertIn("https://localhost:1/i", issuers)

    @unittest.skipUnless(os.geteuid() == 0, "only root sees the descriptors of the process")
    def test_closed_streams_are_opened_on_the_null_device(self):
        def close():
            for descriptor in range(3):
                os.close(descriptor)
        self.ok("profile", "set", "scope=x")
        lock = self.home.store / "state/profiles/test/locks/profile.lock"
        with lock.open() as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            process = self.home.start("profile", "set", "scope=y", stdin=None, stdout=None,
                                      stderr=None, preexec_fn=close)
            folder = Path(f"/proc/{process.pid}/fd")
            opened = self.descriptorsOnceReady(folder)
            fcntl.flock(held, fcntl.LOCK_UN)
        process.wait(20)
        self.assertEqual([opened[str(number)] for number in range(3)], ["/dev/null"] * 3)

    def descriptorsOnceReady(self, folder: Path) -> dict:
        """The descriptors of a process, as soon as it has one beside its three streams."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            links = {}
            for entry in folder.iterdir():
                try:
                    links[entry.name] = os.readlink(entry)
                except FileNotFoundError:
                    pass  # closed meanwhile
            if {"0", "1", "2"} < links.keys():
                return links
        self.fail(f"the streams were not opened: {links}")


class InputTests(Case):
    CASES = (["token", "decode", "-"],
             ["register", "--client-id", "c", "--client-secret-file", "-"],
             ["register", "--initial-access-token-file", "-"])

    def refuse(self, arguments, secret=1, **keywords):
        self.home = self.new_home()
        self.ok("profile", "add", "test", "--issuer", "https://localhost:1/i", "--resource-url",
                "https://localhost:1")
        result = self.home.run(*arguments, **keywords)
        self.assertFailed(result, 1 if arguments[0] == "token" else secret)
        self.assertFalse(self.home.registration_file.exists(), result)

    def test_closed_stdin_is_refused(self):
        for arguments in self.CASES:
            with self.subTest(arguments):
                self.refuse(arguments, stdin=None, preexec_fn=lambda: os.close(0))

    def test_a_directory_as_stdin_is_refused(self):
        for arguments in self.CASES:
            with self.subTest(arguments), Unreadable() as descriptor:
                self.refuse(arguments, stdin=descriptor)

    def test_endless_input_is_bounded(self):
        for arguments in self.CASES:
            with self.subTest(arguments), open("/dev/zero", "rb") as zero:
                self.refuse(arguments, stdin=zero)


class Unreadable:
    """A descriptor that opens but does not read."""

    def __enter__(self):
        self.descriptor = os.open("/", os.O_RDONLY)
        return self.descriptor

    def __exit__(self, *_):
        os.close(self.descriptor)


class PatienceTests(Case):
    def test_a_signal_ends_a_command_that_waits_for_standard_input(self):
        self.add_profile(pin=False)
        reading, writing = os.pipe()
        process = self.home.start("register", "--client-id", "c", "--client-secret-file", "-",
                                  stdin=reading)
        os.close(reading)
        self.waitUntilReading(process.pid)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        os.close(writing)
        self.assertEqual(process.returncode, -signal.SIGINT)

    def waitUntilReading(self, pid: int):
        """Until a thread of the process is in read(2) of descriptor 0."""
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            for call in Path(f"/proc/{pid}/task").glob("*/syscall"):
                try:
                    if call.read_text().startswith("0 0x0 "):
                        return
                except OSError:
                    pass  # the thread has ended
        self.fail("it does not read")
