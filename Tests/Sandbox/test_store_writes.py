"""Every command that writes the store: killed at any instant, without space, and in what order it writes."""

import os
import re
import shutil
import subprocess
import time

from Servers.kills import ROUNDS, Kills
from Servers.process import wait_until
from Servers.sandbox import SandboxCase
from Servers.sdkctl import BINARY
from Servers.writers import Template, Writer, damage, leftovers, writers

# The calls by which a store changes.
CALLS = ("write", "fsync", "rename", "renameat2", "unlink", "unlinkat", "mkdir", "fchmod", "symlink",
         "flock", "close")


class WriterCase(SandboxCase):
    def setUp(self):
        super().setUp()
        self.template = Template(self)
        self.writers = writers(self.template.folder)

    def assertSound(self, where):
        """All documents are whole for Python, and all is well for doctor."""
        self.assertEqual(damage(self.home), [], where)
        self.assertEqual(self.home.unsafe_modes(), [], where)
        found = self.jsonOf(self.home.run("doctor", "--json"))["findings"]
        checks = ("permissions", "document", "foreign-file", "settings", "users", "registration",
                  "identity", "place")
        troubles = [finding for finding in found if finding["check"] in checks
                    and finding["status"] == "error"]
        self.assertEqual(troubles, [], where)

    def strace(self, writer, *options):
        return subprocess.run(
            ["strace", "-f", "-qq", *options, BINARY, *writer.words], env=self.home.environment,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=120, cwd=self.home.directory)


class KillTests(WriterCase):
    def test_a_kill_at_any_instant_leaves_whole_documents(self):
        kills, killed, lives = Kills(None), 0, {}
        draw = kills.draw
        # Each writer comes at least once.
        for number in range(max(ROUNDS, len(self.writers))):
            listed = self.writers[number % len(self.writers)]
            writer = self.template.restore(listed)
            if draw.random() < 0.5:
                call, count = draw.choice(CALLS), draw.randint(1, 8)
                done = self.strace(writer, "-o", "/dev/null", "-e", f"trace={call}", "-e",
                                   f"inject={call}:signal=SIGKILL:when={count}")
                code, how = done.returncode, f"at {call} {count}"
            else:
                if listed.name not in lives:
                    began = time.monotonic()
                    whole = self.home.run(*writer.words)
                    # What doctor finds here is that two hosts have no pins.
                    self.assertEqual(whole.exit, 11 if writer.words[0] == "doctor" else 0, whole)
                    lives[listed.name] = time.monotonic() - began
                    writer = self.template.restore(listed)
                is_killed = kills.strike(self.home, *writer.words, longest=1.1 * lives[listed.name])
                code, how = -is_killed, kills.where
            where = f"SDKCTL_SEED={kills.seed}, round {number}: {writer.name}, {how}"
            killed += code < 0
            self.assertSound(where)
            again = self.home.run(*writer.words)
            self.assertIn(again.exit, writer.again, f"{where}\n{again}")
            self.assertSound(where)
            self.assertGone(where)
        if os.environ.get("VERBOSE"):
            print(f"{killed} of {number + 1} rounds were killed")
        self.assertGreater(killed, number // 4, "the kills came too late")

    def assertGone(self, where):
        """What the killed process left is removed as soon as it is old."""
        for path in leftovers(self.home):
            os.utime(path, (time.time() - 3600,) * 2)
        self.home.run("doctor", "--fix")
        self.assertEqual(leftovers(self.home), [], where)


class SpaceTests(WriterCase):
    def test_a_full_disk_leaves_the_old_documents_or_the_new_ones(self):
        disk = self.disk("600k")
        refused = 0
        for number, writer in enumerate(self.writers):
            if writer.spends or writer.words[0] == "doctor":
                continue  # What a server has changed cannot be undone: kill tests have them.
            for pages in (0, 1 + number % 3):
                with self.subTest(f"{writer.name}: {pages} pages"):
                    writer = self.template.restore(writer)
                    before = self.documents(disk)
                    self.fill(disk, pages)
                    result = self.home.run(*writer.words)
                    (disk / "filler").unlink()
                    if result.exit not in writer.again:
                        refused += 1
                        self.assertIn(result.exit, (1, 3), result)
                        # A warning about the history of keys may come before it.
                        self.assertRegex(result.err, "(?m)^sdkctl: error: .*(no space left|disk quota)")
                    if result.exit == 3 and "no space" in result.err and pages == 0:
                        self.assertEqual(self.documents(disk), before)
                    self.assertEqual(damage(self.home), [])
                    self.assertEqual(leftovers(self.home), [])
                    again = self.home.run(*writer.words)
                    self.assertIn(again.exit, writer.again, again)
        self.assertGreaterEqual(refused, 8)

    def test_a_disk_that_fills_during_a_request_has_space_for_the_secrets_of_its_response(self):
        disk = self.disk("1m")
        table = {writer.name: writer for writer in self.writers}
        for endpoint, writer in [
                ("token", Writer(("token", "refresh"))),
                ("token", table["login token --token-file"]),
                ("manage", table["register update --client-name Other"]),
                ("register", table["register --replace"]),
                ("dispatch-targets", table["fido target add laptop"])]:
            with self.subTest(writer.name):
                writer = self.template.restore(writer)
                before = self.sandbox.struck("latency")
                self.sandbox.fault("latency", "--delay", "1s", "--on", endpoint)
                process = self.home.start(*writer.words)
                wait_until(lambda: self.sandbox.struck("latency") > before, "the request")
                self.fill(disk, 0)
                _, errors = process.communicate(timeout=60)
                (disk / "filler").unlink()
                self.assertEqual(process.returncode, 0, errors)

    def test_a_file_that_cannot_be_replaced_costs_no_refresh_token(self):
        self.template.restore(Writer(("token", "refresh")))
        file, asked = self.home.slot_file(), self.sandbox.requests("token")
        if subprocess.run(["mount", "--bind", file, file]).returncode != 0:
            self.skipTest("files can be mounted by root only")
        self.addCleanup(subprocess.run, ["umount", file], check=True)
        self.assertIn("is a mount point; mount its directory instead", self.fails(3, "token", "refresh").err)
        self.assertEqual(self.sandbox.requests("token"), asked)

    def disk(self, size):
        """A small disk for the store."""
        disk = self.small_disk(size)
        self.home.store = disk / "store"
        self.home.environment["SDKCTL_HOME"] = str(self.home.store)
        return disk

    @staticmethod
    def fill(disk, pages):
        """Leaves so many free pages."""
        with open(disk / "filler", "wb", buffering=0) as file:
            try:
                while file.write(b"x" * 4096) == 4096:
                    pass
            except OSError:
                pass
            file.truncate(max(0, os.fstat(file.fileno()).st_size // 4096 - pages) * 4096)

    @staticmethod
    def documents(disk):
        return {path: path.read_bytes() for path in (disk / "store").rglob("*.json")
                if "cache" not in path.parts}


class OrderTests(WriterCase):
    """A power loss at any instant leaves the old document or the new one: content, name, directory."""

    def test_content_is_on_the_medium_before_its_name_and_the_name_before_success(self):
        renamed = 0
        for writer in self.writers:
            writer = self.template.restore(writer)
            with self.subTest(writer.name):
                trace = self.home.directory / "trace"
                done = self.strace(writer, "-y", "-s", "300", "-o", trace, "-e",
                                   "trace=write,fsync,rename,renameat2,exit_group")
                self.assertIn(done.returncode, writer.again, done)
                renamed += self.assertOrder(trace.read_text(), self.home.store)
        self.assertGreater(renamed, len(self.writers))

    def assertOrder(self, trace, store) -> int:
        synced, waiting, count = set(), set(), 0
        for line in trace.splitlines():
            call = line.partition(" ")[2].strip()
            if found := re.match(r"write\(\d+<([^>]*)>", call):
                synced.discard(found[1])
            elif found := re.match(r"fsync\(\d+<([^>]*)>", call):
                synced.add(found[1])
                waiting.discard(found[1])
            elif found := re.match(r'rename\("([^"]*)", "([^"]*)"\)\s+= 0', call):
                old, new = found[1], found[2]
                if not new.startswith(str(store)) or "/cache/" in new:
                    continue
                count += 1
                if new.endswith(".json") or new.endswith(".pem"):
                    self.assertIn(old, synced, f"{new} has its name before its content is synced")
                waiting.add(os.path.dirname(new))
        self.assertEqual(waiting, set(), "directories that were not synced after a rename")
        return count


class VanishingTests(WriterCase):
    def test_a_store_that_vanishes_is_an_error_and_no_crash(self):
        for writer in self.writers:
            if writer.spends:
                continue
            writer = self.template.restore(writer)
            with self.subTest(writer.name):
                processes = [self.home.start(*writer.words) for _ in range(3)]
                shutil.rmtree(self.home.store, ignore_errors=True)
                for process in processes:
                    _, errors = process.communicate(timeout=60)
                    self.assertIn(process.returncode, range(0, 16), errors)
                    self.assertNotIn(b"Fatal error", errors)
