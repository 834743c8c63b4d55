"""With --json an error is one JSON object on stderr, with the documented members."""

import json

from Contract.commands import PATHS
from Servers.case import Case

MEMBERS = {"code", "domain", "number", "exit", "message", "retryable", "hint", "details"}


class JSONErrorTests(Case):
    def error(self, *arguments, **keywords) -> dict:
        result = self.home.run(*arguments, **keywords)
        self.assertNotEqual(result.exit, 0, result)
        self.assertEqual(result.out, b"", result)
        document = json.loads(result.err)
        self.assertEqual(set(document), {"error"}, result)
        error = document["error"]
        self.assertLessEqual({"code", "domain", "exit", "message", "retryable"}, set(error), result)
        self.assertLessEqual(set(error), MEMBERS, result)
        self.assertEqual(error["exit"], result.exit)
        self.assertIsInstance(error["message"], str)
        self.assertIsInstance(error["retryable"], bool)
        return error

    def test_usage_errors_of_every_command(self):
        for path in PATHS:
            with self.subTest(path):
                error = self.error(*path, "--frobnicate", "--json")
                self.assertEqual((error["exit"], error["retryable"]), (2, False))
                self.assertIn("--frobnicate", error["message"])

    def test_json_may_stand_before_the_command(self):
        self.assertEqual(self.error("--json", "nonsense")["exit"], 2)

    def test_a_missing_profile(self):
        for line in ("token", "fetch /x", "login", "register", "logout", "pin list"):
            with self.subTest(line):
                error = self.error("--json", *line.split())
                self.assertEqual(error["exit"], 3)
                self.assertRegex(error["hint"], r"\Asdkctl profile (add|list)")

    def test_network_trouble_is_retryable(self):
        self.ok("profile", "add", "test", "--issuer", "https://localhost:1/i", "--resource-url",
                "https://localhost:1", "--ca-file", self.stand.ca_file)
        self.ok("pin", "add", self.stand.authority.pin("good"), "--host", "localhost", "--yes",
                "-p", "test")
        error = self.error("-p", "test", "fetch", "--unauth", "/x", "--json")
        self.assertEqual((error["exit"], error["retryable"]), (6, True))
        error = self.error("-p", "test", "fetch", "--user", "/x", "--json")
        self.assertEqual((error["exit"], error["retryable"]), (4, False))
        self.assertIn("number", error)
