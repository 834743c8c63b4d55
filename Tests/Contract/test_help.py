"""Help, version and completions are data: on stdout, exit 0, without a store."""

import subprocess

from Contract.commands import PATHS
from Servers.case import Case


class HelpTests(Case):
    def test_every_command_explains_itself_in_both_lengths(self):
        for path in PATHS:
            with self.subTest(path):
                short, long = self.ok(*path, "-h"), self.ok(*path, "--help")
                for result in (short, long):
                    self.assertIn(" ".join(path), result.text)
                    self.assertEqual(result.err, "")
                    self.assertNotIn("\x1b", result.text)
                    prose = [line for line in result.text.splitlines()
                             if not line.strip().startswith("sdkctl ")]  # examples do not wrap
                    self.assertLessEqual(max(map(len, prose)), 80)
                self.assertEqual(self.ok("help", *path).text, long.text)

    def test_help_wins_over_what_is_missing(self):
        self.ok("profile", "add", "--help")
        self.ok("--help", "fetch")

    def test_topics(self):
        for topic in ("environment", "exit-codes"):
            with self.subTest(topic):
                self.assertGreater(len(self.ok("help", topic).text), 200)
        self.fails(2, "help", "nonsense-topic")

    def test_the_exit_codes_are_all_told(self):
        text = self.ok("help", "exit-codes").text
        for code in range(15):
            self.assertRegex(text, rf"(?m)^\W*{code}\b")

    def test_version_is_one_line(self):
        for arguments in (["version"], ["--version"]):
            with self.subTest(arguments):
                self.assertRegex(self.ok(*arguments).text, r"\Asdkctl \d+\.\d+\S*[^\n]*\n")

    def test_completions_parse_in_their_shells(self):
        for shell, check in (("bash", ["bash", "-n"]), ("zsh", ["zsh", "-n"]),
                             ("fish", ["fish", "--no-execute"])):
            with self.subTest(shell):
                file = self.home.directory / ("completion." + shell)
                file.write_bytes(self.ok("completion", shell).out)
                done = subprocess.run([*check, file], capture_output=True)
                self.assertEqual((done.returncode, done.stderr), (0, b""))


class ExternalCommandTests(Case):
    def place(self, name, text):
        script = self.home.directory / name
        script.write_text("#!/bin/sh\n" + text)
        script.chmod(0o755)
        self.home.environment["PATH"] = f"{self.home.directory}:{self.home.environment['PATH']}"

    def test_an_unknown_command_is_looked_for_in_the_path(self):
        self.place("sdkctl-hello", 'echo "$SDKCTL_PROFILE|$#|$2|$SDKCTL_EXECUTABLE"; exit 42\n')
        result = self.home.run("--profile", "mine", "hello", "a", "b c", "--json")
        self.assertEqual(result.exit, 42, result)
        profile, count, second, program = result.text.strip().split("|")
        self.assertEqual((profile, count, second), ("mine", "3", "b c"))
        self.assertTrue(program.startswith("/") and program.endswith("/sdkctl"), program)

    def test_a_built_in_is_never_hidden(self):
        self.place("sdkctl-version", "echo hijacked\n")
        self.assertNotIn("hijacked", self.ok("version").text)

    def test_names_with_a_slash_are_no_commands(self):
        self.place("sdkctl-x", "echo reached\n")
        self.fails(2, "../sdkctl-x")
        self.fails(2, "/x")

    def test_help_lists_what_the_path_offers(self):
        self.place("sdkctl-hello", "exit 0\n")
        self.assertIn("hello", self.ok("help", "-a").text)
