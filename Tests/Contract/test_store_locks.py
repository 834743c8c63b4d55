"""Many processes at once, locks of processes that are dead, stopped or elsewhere, and file systems without locks."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from Contract.test_store import ISSUER
from Servers.case import Case, NO_PIN
from Servers.process import wait_until
from Servers.sdkctl import BINARY

ADD = ("--issuer", ISSUER, "--resource-url", "https://localhost:1")
# Holds the lock of a file until it is killed.
HOLDER = ("import fcntl, signal, sys; file = open(sys.argv[1], 'w'); fcntl.flock(file, fcntl.LOCK_EX); "
          "print(flush=True); signal.pause()")


class LockCase(Case):
    def setUp(self):
        super().setUp()
        self.ok("profile", "add", "test", *ADD)
        self.ok("pin", "add", NO_PIN, "--host", "a.test", "--yes")

    def lock(self, name):
        return self.home.store / f"state/profiles/test/locks/{name}.lock"

    @staticmethod
    def state(process) -> str:
        return Path(f"/proc/{process.pid}/stat").read_text().split()[2]

    def hold(self, name) -> subprocess.Popen:
        holder = subprocess.Popen([sys.executable, "-c", HOLDER, self.lock(name)], stdout=subprocess.PIPE)
        self.addCleanup(holder.stdout.close)
        self.addCleanup(holder.wait)
        self.addCleanup(holder.kill)
        holder.stdout.readline()
        return holder

    def finding(self, check, *arguments) -> list:
        result = self.home.run("doctor", "--json", *arguments)
        return [found for found in self.jsonOf(result)["findings"] if found["check"] == check]


class ParallelTests(LockCase):
    def test_two_hundred_processes_that_write_lose_no_update(self):
        commands = [("pin", "add", NO_PIN, "--host", f"h{number}.test", "--yes") for number in range(80)]
        commands += [("profile", "set", f"scope=s{number}") for number in range(40)]
        commands += [("profile", "set", f"endpoints.{name}=https://id.test/{name}") for name in (
            "authorization", "token", "revocation", "introspection", "userinfo", "registration")]
        commands += [("profile", "add", f"p{number}", *ADD) for number in range(50)]
        commands += [("profile", "use", "test")] * 24
        with ThreadPoolExecutor(32) as pool:
            results = list(pool.map(lambda words: self.home.run("-p", "test", *words)
                                    if words[1] != "use" else self.home.run(*words), commands))
        self.assertEqual([str(result) for result in results if result.exit != 0], [])
        self.assertEqual(len(results), 200)
        pins = json.loads(self.home.pins_file.read_text())["hosts"]
        self.assertEqual(set(pins), {"a.test"} | {f"h{number}.test" for number in range(80)})
        profile = json.loads(self.home.profile_file.read_text())
        self.assertRegex(profile["scope"], r"^s\d+$")
        self.assertEqual(len(profile["endpoints"]), 6)
        names = {path.name for path in (self.home.store / "config/profiles").iterdir()}
        self.assertEqual(names, {"test"} | {f"p{number}" for number in range(50)})
        self.assertEqual(json.loads((self.home.store / "config/config.json").read_text())["current"], "test")


class DeadLockTests(LockCase):
    SET = ("profile", "set", "scope=x")

    def test_a_lock_ends_with_its_process(self):
        holder = self.hold("profile")
        waiting = self.home.start(*self.SET)
        with self.assertRaises(subprocess.TimeoutExpired):
            waiting.wait(1)
        holder.kill()
        holder.wait()
        began = time.monotonic()
        self.assertEqual(waiting.communicate(timeout=30)[0], b"")
        self.assertEqual(waiting.returncode, 0)
        self.assertLess(time.monotonic() - began, 5)

    def test_doctor_names_who_holds_a_lock_and_disturbs_nobody(self):
        holder = self.hold("profile")
        [found] = self.finding("lock")
        self.assertEqual((found["status"], found["subject"]), ("ok", str(self.lock("profile"))))
        self.assertRegex(found["message"], rf"^process {holder.pid} \(python")
        holder.send_signal(signal.SIGSTOP)
        self.addCleanup(holder.send_signal, signal.SIGCONT)
        wait_until(lambda: self.state(holder) == "T", "the stop of the process")
        [found] = self.finding("lock")
        self.assertEqual(found["status"], "warning")
        self.assertIn("is stopped", found["message"])
        holder.send_signal(signal.SIGCONT)
        holder.kill()
        holder.wait()
        [found] = self.finding("lock")
        self.assertEqual(found["message"], "no process holds a lock")

    def test_a_file_system_without_locks_is_a_clear_error(self):
        before = self.home.profile_file.read_bytes()
        for words in (self.SET, ("pin", "add", NO_PIN, "--host", "b.test", "--yes"),
                      ("profile", "add", "new", *ADD), ("profile", "remove", "test", "--yes")):
            with self.subTest(words[:2]):
                done = subprocess.run(
                    ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=flock", "-e",
                     "inject=flock:error=ENOLCK", BINARY, *words], env=self.home.environment,
                    stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
                self.assertEqual(done.returncode, 3, done)
                self.assertRegex(done.stderr.decode(), r"sdkctl: error: could not .*: no locks available\n")
                self.assertEqual(self.home.profile_file.read_bytes(), before)


class ClockTests(LockCase):
    """The clock of the machine jumps: what was written then lies in the future now."""

    def test_files_of_the_future_are_used_and_reported(self):
        later = time.time() + 10 * 86400
        for path in self.home.store.rglob("*.json"):
            os.utime(path, (later, later))
        self.ok("profile", "set", "scope=x")
        found = [finding for finding in self.finding("clock") if finding["status"] == "warning"]
        self.assertEqual(len(found), 1)
        self.assertIn("which is still to come", found[0]["message"])

    def test_what_a_killed_writer_left_in_the_future_is_not_taken_for_old(self):
        leftover = self.home.profile_file.parent / ".unfinished.4194304.x"
        leftover.write_text("{}")
        later = time.time() + 86400
        os.utime(leftover, (later, later))
        self.ok("profile", "set", "scope=x")
        self.assertTrue(leftover.exists())
        os.utime(leftover, (1, 1))
        self.ok("profile", "set", "scope=y")
        self.assertFalse(leftover.exists())
