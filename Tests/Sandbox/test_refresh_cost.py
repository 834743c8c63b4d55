"""What a request with an expired token reads and writes, counted as system calls."""

import collections
import re
import subprocess

from Servers.sandbox import SandboxCase
from Servers.sdkctl import BINARY

CALLS = "open,openat,stat,lstat,fstat,newfstatat,statx,access,faccessat,faccessat2,readlink,rename,renameat2"


class RefreshCostTests(SandboxCase):
    def test_each_document_is_read_twice_and_one_is_written_once(self):
        self.add_session()
        self.ok("fetch", "--user", "/devices")
        self.home.expire()
        trace = self.home.directory / "trace"
        done = subprocess.run(
            ["strace", "-f", "-qq", "-s", "300", "-o", trace, "-e", f"trace={CALLS}", BINARY, "fetch", "--user",
             "/devices"],
            env=self.home.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
            cwd=self.home.directory)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(self.sandbox.grants("refresh_token"), 1)
        store, calls = str(self.home.store), 0
        opened, written = collections.Counter(), collections.Counter()
        for line in trace.read_text().splitlines():
            call = line.partition(" ")[2].strip()
            if store not in call:
                continue
            name = call.partition("(")[0]
            calls += not name.startswith("rename")
            if found := re.match(r'open(?:at)?\((?:[^,"]*, )?"([^"]*\.json)".*\) = \d', call):
                opened[found[1]] += 1
            elif found := re.match(r'rename\("[^"]*", "([^"]*)"\)\s+= 0', call):
                written[found[1]] += 1
        self.assertLessEqual(max(opened.values()), 2, opened)
        state = [path for path in written if "/cache/" not in path]
        self.assertEqual([written[path] for path in state], [1], written)
        self.assertTrue(state[0].endswith("/credentials/user.json"), written)
        self.assertLessEqual(calls, 150)
        for unused in ("identities/", "authenticators/", "implicit.json", "anonymous.json", "seal.json"):
            self.assertEqual([path for path in opened if unused in path], [], unused)
