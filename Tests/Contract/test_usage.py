"""Command lines that are wrong: exit 2, what is wrong on stderr, nothing on stdout."""

import json

from Contract.commands import COMMANDS, EXITS, PATHS
from Servers.case import Case

NEAR_COMMANDS = {"fetsh": "fetch", "logni": "login", "regster": "register", "tokn": "token",
                 "profil": "profile", "pni": "pin", "versoin": "version",
                 "profile lst": "list", "profile ad": "add", "pin chek": "check",
                 "token decod": "decode", "profile remov": "remove"}

NEAR_OPTIONS = {"fetch --usr /x": "--user", "fetch --anonymus /x": "--anonymous",
                "login --no-browsr": "--no-browser", "token --min-tll 3": "--min-ttl",
                "profile list --jsno": "--json", "register --clientid x": "--client-id",
                "pin add --subdomain x": "--subdomains", "logout --locl": "--local"}

MISSING = ["profile add", "profile use", "profile copy", "profile copy a", "profile remove",
           "profile set", "profile unset", "pin show", "pin remove", "fetch",
           "completion", "profile add x --issuer", "fetch -H", "fetch /x -o", "fetch /x --param",
           "login password", "token --min-ttl", "login --scope", "login --callback-port",
           "profile list --profile", "--timeout", "-p", "register --client-id", "pin add x --host"]

REPEATED = ["--profile a --profile b profile list", "profile list --timeout 1 --timeout 2",
            "profile add x --issuer https://a --issuer https://b --resource-url https://c",
            "token --min-ttl 1 --min-ttl 2", "fetch /x -o a -o b", "fetch -X GET -X PUT /x",
            "login --callback-port 1 --callback-port 2", "fetch /x --data a --data b"]

WRONG_VALUES = ["--timeout abc version", "--timeout -1 version", "--timeout 1e999 version",
                "--timeout= version", "--timeout nan version", "--color maybe version",
                "token --min-ttl x", "token --min-ttl -5", "token --min-ttl 99999999999999999999",
                "login exchange --token-file - --token-type saml", "login --callback-port 70000",
                "login --callback-port 0x50", "login --callback-port -1",
                "register --auth-method none-of-these", "pin add x --role boss",
                "pin add x --host localhost --expires yesterday", "fetch --encoding xml /x",
                "fetch --param novalue /x", "completion tcsh", "profile set novalue",
                "profile set =x"]

MALFORMED = ["profile list --quiet=yes", "version --quiet=", "profile list --jso",
             "token --head", "fetch --user --anonymous /x", "fetch --user --unauth /x",
             "version extra", "profile list extra", "token decode a b", "profile use a b",
             "logout now", "-Z", "-qZ version", "- version", "--=x version", "---json version",
             "login --anonymous --no-browser", "register --client-secret-file -",
             "login --user --anonymous", "login --device --manual", "login assertion",
             "login exchange", "login exchange --token-file - --token-file f"]


class UsageTests(Case):
    def usage(self, arguments: list):
        result = self.home.run(*arguments)
        self.assertFailed(result, 2)
        self.assertEqual(result.out, b"", result)
        self.assertFalse(self.home.store.exists(), "a usage error wrote into the store")
        return result

    def test_unknown_options_of_every_command(self):
        for path in PATHS:
            with self.subTest(path):
                result = self.usage([*path, "--frobnicate"])
                self.assertIn("--frobnicate", result.err)
                self.assertIn("Z", self.usage([*path, "-Z"]).err)

    def test_near_misses_of_options_get_a_suggestion(self):
        for line, meant in NEAR_OPTIONS.items():
            with self.subTest(line):
                self.assertIn(meant, self.usage(line.split()).err)
        for path in PATHS:
            with self.subTest(path):
                self.assertIn("--profile", self.usage([*path, "--profle"]).err)

    def test_near_misses_of_commands_get_a_suggestion(self):
        for line, meant in NEAR_COMMANDS.items():
            with self.subTest(line):
                result = self.usage(line.split())
                self.assertRegex(result.err, rf"\b{meant}\b")

    def test_far_misses_get_none(self):
        result = self.usage(["qqqqqqqq"])
        self.assertNotIn("did you mean", result.err)

    def test_missing_words(self):
        for line in MISSING:
            with self.subTest(line):
                self.usage(line.split())

    def test_repeated_options(self):
        for line in REPEATED:
            with self.subTest(line):
                self.usage(line.split())

    def test_values_of_the_wrong_type(self):
        for line in WRONG_VALUES:
            with self.subTest(line):
                self.usage(line.split())

    def test_malformed_lines(self):
        for line in MALFORMED:
            with self.subTest(line):
                self.usage(line.split())

    def test_empty_words(self):
        for path in PATHS:
            with self.subTest(path):
                result = self.home.run(*path, "")
                self.assertIn(result.exit, EXITS - {0}, result)

    def test_no_arguments_at_all(self):
        result = self.home.run()
        self.assertEqual(result.exit, 2, result)
        self.assertIn("sdkctl", result.text + result.err)

    def test_invalid_utf8_is_survived_everywhere(self):
        bad = b"\xff\xfe\xc3"
        lines = [[*path, bad] for path in PATHS]
        lines += [[bad], [b"--" + bad], [b"--profile=" + bad, "version"], ["-p", bad, "token"],
                  [b"-" + bad], ["fetch", "-H", b"X: " + bad, "/x"], ["fetch", b"/" + bad],
                  ["profile", "set", b"scope=" + bad], ["pin", "add", "x", "--host", bad]]
        for line in lines:
            with self.subTest(line):
                result = self.home.run(*line)
                self.assertIn(result.exit, EXITS - {0}, result)
                self.assertFailed(result, tuple(EXITS))

    def test_long_and_odd_words_are_survived(self):
        for word in ("x" * 100_000, "--" + "x" * 100_000, "-" + "x" * 5000, "\u202e",
                     "\x1b[31m", "é", "--é", "=", "--\n"):
            with self.subTest(word[:20]):
                self.assertFailed(self.home.run(word), 2)

    def test_global_options_stand_before_or_after(self):
        self.ok("profile", "add", "test", "--issuer", "https://localhost:1/i",
                "--resource-url", "https://localhost:1")
        for line in ("--json profile list", "profile --json list", "profile list --json"):
            with self.subTest(line):
                self.assertIn('"test"', json.dumps(self.jsonOf(self.ok(*line.split()))))

    def test_the_table_of_these_tests_is_the_table_of_the_program(self):
        for path in COMMANDS:
            with self.subTest(path):
                self.assertIn("sdkctl " + path, self.ok(*path.split(), "--help").text)
