"""Identities on disk: kills while they are written, and several processes."""

import itertools
import json
from concurrent.futures import ThreadPoolExecutor

from Servers.authority import run
from Servers.case import Case
from Servers.kills import ROUNDS, Kills


class StoredIdentityTests(Case):
    def setUp(self):
        super().setUp()
        self.ok("profile", "add", self.home.name, "--issuer", "https://id.invalid",
                "--resource-url", "https://api.invalid")
        self.ok("profile", "use", self.home.name)
        self.files = [self.made("one"), self.made("two")]

    def made(self, name):
        key, chain = (self.home.directory / f"{name}.{end}" for end in ("key", "crt"))
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-keyout", key, "-out", chain, "-subj", f"/CN={name}", "-days", "30")
        both = self.home.directory / f"{name}.pem"
        both.write_text(key.read_text() + chain.read_text())
        both.chmod(0o600)
        return both

    def importing(self, file):
        return ("identity", "import", file, "--name", "a", "--replace")

    @property
    def document(self):
        return self.home.store / f"state/profiles/{self.home.name}/identities/a/identity.json"

    def assertPair(self, where=""):
        """Key and certificate of the stored document belong together, for openssl."""
        document = json.loads(self.document.read_text())
        of_key = run("openssl", "pkey", "-pubout", stdin=document["key"]["pem"].encode())
        of_certificate = run("openssl", "x509", "-noout", "-pubkey",
                             stdin=document["chain"].encode())
        self.assertEqual(of_key, of_certificate, where)
        return document["chain"]

    def test_a_kill_at_any_instant_leaves_the_old_pair_or_the_new_one(self):
        self.ok(*self.importing(self.files[0]))
        files = itertools.cycle(self.files)
        kills, seen = Kills.of(lambda: self.ok(*self.importing(next(files))), tries=4), set()
        for number in range(4 * ROUNDS):
            # Until some kills have come before the write, and some after it.
            if number >= ROUNDS and len(seen) == 2:
                break
            kills.strike(self.home, *self.importing(next(files)))
            seen.add(self.assertPair(kills.where))
            self.assertEqual(self.home.unsafe_modes(), [], kills.where)
        kills.assert_enough(self)
        self.assertEqual(len(seen), 2)
        self.ok("identity", "show", "a")

    def test_processes_that_import_at_once_leave_one_whole_identity(self):
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(
                lambda number: self.home.run(*self.importing(self.files[number % 2])), range(16)))
        self.assertEqual({result.exit for result in results}, {0}, results)
        self.assertPair()

    def test_a_key_file_that_others_may_read_is_refused_in_the_store(self):
        self.ok(*self.importing(self.files[0]))
        self.document.chmod(0o640)
        result = self.fails(3, "identity", "show", "a")
        self.assertEqual(self.home.paste(result.hint).exit, 0)
        self.ok("identity", "show", "a")
