#!/usr/bin/env python3
"""Makes the store of a release: what every kind of command of that version writes.

usage: cd Tests && Contract/stores/make.py VERSION

Run it once for each release, with the programs of that release, and commit what it makes: later
versions must read it (test_upgrade.py). The server is the sandbox; its secrets are worth nothing.
"""

import re
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True
from Servers.authority import run  # noqa: E402
from Servers.case import NO_PIN  # noqa: E402
from Servers.sandbox import SandboxCase  # noqa: E402

PASSCODE = "739184"
TARGET = Path(__file__).resolve().parent
YEAR_2100 = 4102444800


class Maker(SandboxCase):
    def runTest(self):
        self.home.use_browser(self.sandbox)
        folder = self.home.directory
        for name, text in (("passcode", PASSCODE + "\n"), ("passphrase", "correct horse\n")):
            (folder / name).write_text(text)
            (folder / name).chmod(0o600)
        self.ok("profile", "set", "passwordGrant=true")
        self.register()
        self.ok("profile", "set", "dpop=on")
        self.ok("login")
        self.ok("profile", "unset", "dpop")
        self.ok("login", "--implicit")
        self.ok("login", "--anonymous")
        self.ok("login", "password", "bob", "--password-file", "-", "--user-id", "bob", input="builder\n")
        self.ok("user", "use", "default")
        key, chain = folder / "one.key", folder / "one.crt"
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-keyout", key, "-out", chain, "-subj", "/CN=alice", "-days", "27000")
        both = folder / "one.pem"
        both.write_text(key.read_text() + chain.read_text())
        both.chmod(0o600)
        self.ok("identity", "import", both, "--name", "alice", "--host", "api.test")
        self.ok("identity", "csr", "wanted", "--subject", "CN=wanted")
        self.ok("pin", "add", NO_PIN, "--host", "b.test", "--yes")
        self.ok("pin", "backup", "b.test")
        self.ok("pin", "check", "localhost")
        # A third profile: a login by form, a FIDO key and a dispatch target.
        self.ok("profile", "copy", "sandbox", "keys")
        self.home.name = "keys"
        issuer = self.sandbox.issuer
        self.ok("-p", "keys", "profile", "set", f"fido.url={issuer}/nevisfido", "fido.user=alice",
                f"form.url={issuer}/auth/pwd", "form.page=false", "form.userField=isiwebuserid",
                "form.passwordField=isiwebpasswd", "form.user=alice")
        self.ok("-p", "keys", "login", "form", "--password-file", "-", input="wonderland\n")
        self.ok("-p", "keys", "fido", "register", "--passcode-file", folder / "passcode")
        self.ok("-p", "keys", "fido", "login", "--passcode-file", folder / "passcode")
        self.ok("-p", "keys", "fido", "target", "add", "laptop")
        # A second profile, whose secrets are sealed.
        self.ok("profile", "copy", "sandbox", "sealed")
        self.ok("-p", "sealed", "register")
        self.home.forget_failed_login()
        self.ok("-p", "sealed", "login")
        self.ok("-p", "sealed", "profile", "seal", "client", "--user", "--passcode-file", folder / "passcode")
        self.ok("profile", "use", "sandbox")
        for name in ("sandbox", "sealed", "keys"):
            self.ok("-p", name, "profile", "unset", "caFile")
        self.keep(sys.argv[1])

    def keep(self, version):
        target = TARGET / version
        shutil.rmtree(target, ignore_errors=True)
        for area in ("config", "state"):
            for path in (self.home.store / area).rglob("*"):
                if not path.is_file() or path.suffix == ".lock":
                    continue
                copy = target / path.relative_to(self.home.store)
                copy.parent.mkdir(parents=True, exist_ok=True)
                text = path.read_text().replace(f"localhost:{self.sandbox.port}", "localhost:1")
                # The tokens of a fixture never expire.
                copy.write_text(re.sub(r'"(expires|refreshExpires)": ?\d+', rf'"\1": {YEAR_2100}', text))


if __name__ == "__main__":
    result = unittest.TextTestRunner().run(Maker())
    sys.exit(not result.wasSuccessful())
