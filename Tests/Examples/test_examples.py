"""The programs of Examples/, which use the library as any dependent package does."""

import subprocess

from Servers.sandbox import PERSON, SandboxCase
from Servers.sdkctl import REPOSITORY

PROGRAMS = REPOSITORY / "Examples/.build/debug"


class ExampleTests(SandboxCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not (PROGRAMS / "log-in").exists():
            raise FileNotFoundError(
                f"{PROGRAMS} is not built: swift build --build-tests --package-path Examples")

    def example(self, name, *arguments) -> list:
        """Runs a program, which must succeed, and returns the lines that it printed."""
        done = subprocess.run(
            [PROGRAMS / name, *map(str, arguments)], env=self.home.environment, text=True,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout.splitlines()

    def browser(self, user="alice"):
        """A program in which a person signs in, and which prints where the browser arrived."""
        last = self.home.directory / "last"
        script = self.home.directory / f"browser-{user}"
        script.write_text(
            f"#!/bin/sh\nexport STAND_CA='{self.sandbox.ca_file}' STAND_ACTION=carry "
            f"STAND_LAST='{last}' STAND_USER={user}\n'{PERSON}' \"$1\" >&2\ncat '{last}'\n")
        script.chmod(0o755)
        return script

    def test_a_program_registers_logs_in_by_answering_the_challenge_and_logs_out(self):
        lines = self.example("log-in", "sandbox", self.browser())
        self.assertRegex(lines[0], r"^registered as client-")
        self.assertRegex(lines[1], r"^logged in: user-")
        self.assertEqual(lines[2].split()[:2], ["scope:", "openid"])
        self.assertEqual(lines[3:], ["revokeRefreshToken: done", "revokeAccessToken: done",
                                     "erase: done"])
        self.assertFalse(self.home.slot_file().exists())
        # The registration stays, and the command line uses it.
        self.assertNotIn("registered", self.example("log-in", "sandbox", self.browser())[0])

    def test_a_program_uses_the_login_of_the_command_line(self):
        self.add_session()
        lines = self.example("fetch-resource", "sandbox", "/devices", "/application-details",
                             "/unauthenticated")
        self.assertRegex(lines[0], r'^200 \{"devices":')
        self.assertRegex(lines[1], r'^200 \{"application_identifier":')
        self.assertEqual(lines[2], "200 OK")

    def test_a_program_is_told_that_nobody_is_logged_in(self):
        self.register()
        lines = self.example("fetch-resource", "sandbox", "/devices", "/application-details",
                             "/unauthenticated")
        self.assertEqual(lines[0], "nobody is logged in")
        self.assertEqual(lines[2], "200 OK")

    def test_a_program_pins_a_host_and_evaluates_its_chain(self):
        self.ok("pin", "remove", "localhost", "--yes")
        lines = self.example("pin-host", "sandbox", "localhost", self.sandbox.port)
        self.assertEqual([line.split()[0] for line in lines[:-1]], ["leaf", "intermediate", "root"])
        pin = lines[0].split()[1]
        self.assertEqual(lines[-1], f"pinned: {pin}")
        self.assertIn(pin, self.ok("pin", "list").text)
