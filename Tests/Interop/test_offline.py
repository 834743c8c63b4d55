"""What a command that needs no network leaves alone: libcurl, libcrypto, other threads."""

import subprocess

from Servers.case import Case
from Servers.process import library
from Servers.sdkctl import BINARY

# What neither the network nor a digest or signature is needed for.
PLAIN = (["--help"], ["help", "fetch"], ["profile", "list"], ["pin", "list"],
         ["token"], ["token", "--header"], ["token", "decode"], ["completion", "bash"])
OFFLINE = (*PLAIN, ["profile", "show"], ["pin", "show", "localhost", "--offline"],
           ["logout", "--local"])


def symbols(*arguments) -> set[str]:
    done = subprocess.run(["nm", "-P", *arguments], capture_output=True, text=True, check=True)
    return {line.split(" ", 1)[0].split("@", 1)[0] for line in done.stdout.splitlines()}


class OfflineTests(Case):
    def setUp(self):
        super().setUp()
        self.add_session()

    def loaded(self, *arguments) -> str:
        """The loader's report of a successful run."""
        result = self.home.run(*arguments, environment={"LD_DEBUG": "files"})
        self.assertEqual(result.exit, 0, result)
        report = result.errors.decode(errors="replace")
        self.assertIn("libc.so", report, "the loader reported nothing")
        return report

    def test_offline_commands_do_not_load_libcurl(self):
        for arguments in OFFLINE:
            with self.subTest(" ".join(arguments)):
                self.assertNotIn("libcurl", self.loaded(*arguments))

    def test_what_computes_nothing_does_not_load_libcrypto(self):
        for arguments in PLAIN:
            with self.subTest(" ".join(arguments)):
                self.assertNotIn("libcrypto", self.loaded(*arguments))

    def test_a_fetch_loads_libcurl_and_one_libcrypto_for_both(self):
        report = self.loaded("fetch", "--unauth", "/public")
        self.assertIn("libcurl.so.4", report)
        self.assertEqual(report.count("calling init: "), len(set(
            line for line in report.splitlines() if "calling init: " in line)))
        inits = [line for line in report.splitlines()
                 if "calling init: " in line and "libcrypto.so" in line]
        self.assertEqual(len(inits), 1, inits)

    def test_offline_commands_start_no_thread(self):
        trace = self.home.directory / "trace"
        for arguments in PLAIN:
            with self.subTest(" ".join(arguments)):
                done = subprocess.run(
                    ["strace", "-f", "-e", "trace=clone,clone3,exit_group", "-o", trace, BINARY,
                     *arguments], env=self.home.environment, capture_output=True, timeout=60)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("clone", trace.read_text())

    def test_no_symbol_has_a_name_of_libcrypto(self):
        """A program that uses the library beside another libcrypto keeps its own."""
        own = symbols("--defined-only", BINARY)
        if not own:
            self.skipTest("this program is stripped")
        self.assertIn("copenssl_load", own)
        self.assertEqual(own & symbols("--dynamic", "--defined-only", library("libcrypto.so.3")),
                         set())
