"""Exports of token servers in folders; the published schema."""

import json
import os
import subprocess
import sys
from pathlib import Path

from Servers.case import Case
from Servers.kills import ROUNDS, Kills

CONFIG = {
    "max_pin_failures": 3, "token_server_uri": "https://tokens.example.test",
    "application_identifier": "ExampleApp", "application_platform": "ios", "application_version": "1.0.2",
    "resource_gateway_uri": ["https://gateway.example.test/resources/", "https://files.example.test:8443/"],
    "redirect_url": "oneginiexample://loginsuccess",
    "server_public_key": {"encoded": "07" * 32, "algorithm": "x25519"},
    "server_type": "access", "server_version": "12",
}


class TestImports(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.certificate = subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-keyout", "/dev/null", "-subj", "/CN=Test CA", "-days", "30",
             "-addext", "basicConstraints=critical,CA:TRUE"],
            check=True, capture_output=True, text=True).stdout

    def export(self) -> str:
        """The folder of an export of a token server."""
        folder = self.home.directory / "export"
        (folder / "certificates").mkdir(parents=True)
        (folder / "config.json").write_text(json.dumps(CONFIG))
        (folder / "certificates" / "ca.pem").write_text(self.certificate)
        return str(folder)

    def write(self, name, content) -> str:
        path = self.home.directory / name
        path.write_bytes(content)
        return str(path)

    def test_kill_during_import(self):
        """A profile that is imported is there as a whole, or not at all, and another import succeeds."""
        self.ok("profile", "import", "--new", "a", "--yes", "--allow", "allowedHosts", self.export())
        self.ok("-p", "a", "register", "--client-id", "app")
        passphrase = self.write("passphrase", b"correct horse\n")
        os.chmod(passphrase, 0o600)
        sealed = str(self.home.directory / "sealed")
        self.ok("-p", "a", "profile", "export", "--with-secrets", "-o", sealed, "--passphrase-file", passphrase)
        words = ("profile", "import", "--new", "b", "--yes", "--allow", "allowedHosts", sealed, "--passphrase-file", passphrase)
        kills = Kills.of(lambda: self.ok(*words), tries=1)
        whole = 0
        for _ in range(ROUNDS):
            self.ok("profile", "remove", "b", "--yes")
            kills.strike(self.home, *words)
            names = self.ok("profile", "list").text.split()
            self.assertIn(names, (["a"], ["a", "b"]), kills.where)
            if "b" in names:
                whole += 1
                for part in ("config", "state"):
                    old, new = (self.home.store / part / "profiles" / name for name in "ab")
                    for file in old.rglob("*.json"):
                        if "locks" not in file.parts:
                            self.assertEqual(
                                file.read_bytes(), (new / file.relative_to(old)).read_bytes(), kills.where)
            else:
                self.ok(*words)
        print(f"{whole} imports were complete", file=sys.stderr)

    def test_a_file_is_at_most_4_mib_large(self):
        result = self.fails(1, "profile", "import", self.write("large", bytes((4 << 20) + 1)))
        self.assertIn("larger than 4194304 bytes", result.err)

    def test_schema(self):
        """A schema that other programs can read, which knows the exported settings."""
        schema = json.loads((Path(__file__).parents[2] / "docs" / "profile.schema.json").read_text())
        self.assertEqual(schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
        self.ok("profile", "import", "--new", "a", "--yes", "--allow", "allowedHosts", self.export())
        settings = json.loads(self.ok("-p", "a", "profile", "export", "--share").out)["profile"]
        self.assertLessEqual(set(settings), set(schema["properties"]))
        try:
            import jsonschema
        except ImportError:
            if "CI" in os.environ:
                raise
            self.skipTest("python3-jsonschema is missing")
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.validate(settings, schema)
        for wrong in ({"pinPolcy": "x"}, {"pkce": "no"}, {"redirectPort": 0}, {"identity": {"x": 1}}):
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(wrong, schema)
