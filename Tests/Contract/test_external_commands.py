"""Programs of the path that are commands: `sdkctl-NAME`."""

from Servers.case import Case


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
