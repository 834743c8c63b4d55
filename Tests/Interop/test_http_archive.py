"""Every entry of `--trace FILE.har` as HAR 1.2 has it, for exchanges of all kinds."""

import copy
import json
import os
import unittest

from Servers.case import Case
from Servers.process import free_port
from Servers.resource import pattern

from . import http_archive

try:
    import jsonschema
except ImportError:
    jsonschema = None


@unittest.skipUnless(jsonschema or "CI" in os.environ, "python3-jsonschema is missing")
class HTTPArchiveTests(Case):
    def setUp(self):
        super().setUp()
        self.file = self.home.directory / "trace.har"

    def troubles(self, archive) -> list:
        validator = jsonschema.Draft202012Validator(http_archive.SCHEMA)
        return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(archive)]

    def traced(self, *words, exit=0, **keywords) -> list:
        """The entries of the archive that a command has written, which must be right."""
        self.file.unlink(missing_ok=True)
        result = self.home.run(*words, "--trace", self.file, **keywords)
        self.assertEqual(result.exit, exit, result)
        archive = json.loads(self.file.read_text())
        self.assertEqual(self.troubles(archive), [], self.file.read_text())
        self.assertEqual(http_archive.contradictions(archive), [])
        self.assertTrue(archive["log"]["entries"])
        return archive["log"]["entries"]

    def test_a_session(self):
        self.add_registered()
        self.home.use_browser(self.stand)
        entries = self.traced("login")
        forms = [entry["request"].get("postData", {}).get("params", []) for entry in entries]
        grant = {"name": "grant_type", "value": "authorization_code"}
        self.assertTrue(any(grant in form for form in forms), forms)
        self.home.expire()
        self.assertIn("POST", [entry["request"]["method"] for entry in self.traced("token")])

    def test_requests_of_all_kinds(self):
        self.add_session()
        data = self.home.directory / "data"
        data.write_bytes(pattern(300_000))
        rows = {
            "a query": ("/api/echo?a=1&b=%20&c",),
            "a request without a body": ("DELETE", "/api/echo"),
            "parameters": ("POST", "/api/echo", "--param", "a=1"),
            "a body from a file": ("POST", "/api/echo", "--data", f"@{data}"),
            "bytes that are no text": ("/bytes/1000", "-o", self.home.directory / "bytes"),
            "no body": ("HEAD", "/bytes/1000"),
            "redirects": ("/redirect/many/3",),
        }
        for name, words in rows.items():
            with self.subTest(name):
                self.traced("fetch", *words)
        self.traced("fetch", "/status/404", exit=12)
        entry = self.traced("fetch", "POST", "/api/echo", "--encoding", "form", "--param", "a=1 2",
                            "--param", "b=")[-1]
        self.assertEqual(entry["request"]["postData"]["params"],
                         [{"name": "a", "value": "1 2"}, {"name": "b", "value": ""}])

    def test_a_batch(self):
        self.add_session()
        lines = "".join(json.dumps({"path": f"/api/echo?n={number}"}) + "\n" for number in range(20))
        self.assertEqual(len(self.traced("fetch", "--batch", "-", "--parallel", "5", input=lines)), 20)

    def test_failures(self):
        self.add_profile()
        self.ok("profile", "set", f"resourceURL=https://localhost:{free_port()}")
        [entry] = self.traced("fetch", "--unauth", "/x", exit=6)
        self.assertEqual(entry["response"]["status"], 0)

    def test_the_schema_notices_what_is_missing_or_wrong(self):
        self.add_session()
        self.traced("fetch", "POST", "/api/echo", "--param", "a=1")
        archive = json.loads(self.file.read_text())
        entry = archive["log"]["entries"][-1]
        for path in self.paths(entry):
            changed = copy.deepcopy(archive)
            *parents, name = path
            place = changed["log"]["entries"][-1]
            for parent in parents:
                place = place[parent]
            place[name] = {"no": "such type"}
            with self.subTest(path):
                self.assertTrue(self.troubles(changed))

    def paths(self, value, path=()) -> list:
        """The members of an entry, at every depth."""
        if isinstance(value, dict):
            found = [(*path, name) for name in value]
            return found + [deep for name in value for deep in self.paths(value[name], (*path, name))]
        if isinstance(value, list):
            return [deep for index, item in enumerate(value) for deep in self.paths(item, (*path, index))]
        return []
