"""Refresh tokens that rotate: one refresh for all, reuse ends the family, kills cost little."""

import json
import random
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from Servers.sandbox import SandboxCase


class RefreshTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.add_session()

    def test_a_hundred_processes_make_one_refresh(self):
        self.home.expire()
        self.sandbox.fault("latency", "--on", "token")
        with ThreadPoolExecutor(100) as pool:
            results = list(pool.map(lambda _: self.home.run("token", timeout=120), range(100)))
        self.assertEqual([result for result in results if result.exit != 0], [])
        self.assertEqual(len({result.out for result in results}), 1)
        status = self.sandbox.status()
        self.assertEqual((status["counts"]["grants"]["refresh_token"], status["reuses"]), (1, 0))

    def test_a_used_refresh_token_ends_the_whole_family(self):
        stale = self.home.slot_file().read_bytes()
        self.home.expire()
        token = self.ok("token").text.strip()
        kept = self.home.slot_file().read_bytes()
        self.home.slot_file().write_bytes(stale)
        self.home.expire()
        result = self.fails(4, "token")
        self.assertIn("invalid_grant", result.err)
        self.assertFalse(self.sandbox.introspect(token)["active"])
        # Only the value that is void has gone.
        slot = json.loads(self.home.slot_file().read_text())
        self.assertIsNone(slot.get("refreshToken"))
        self.assertEqual(slot["accessToken"], json.loads(stale)["accessToken"])
        self.assertFailed(self.home.run("fetch", "--user", "/devices"), 4)
        self.home.slot_file().write_bytes(kept)
        self.home.expire()
        self.fails(4, "token")
        self.assertEqual(self.home.paste(result.hint).exit, 0)
        self.ok("fetch", "--user", "/devices")

    def test_a_registration_that_the_server_forgot_is_refused_and_kept(self):
        self.sandbox.command("reset")
        self.home.expire()
        before = self.home.slot_file().read_bytes()
        result = self.fails(5, "token")
        self.assertIn("invalid_client", result.err)
        self.assertEqual(self.home.slot_file().read_bytes(), before)
        self.assertEqual(self.home.paste(result.hint).exit, 0)
        self.ok("login")


class KillTests(SandboxCase):
    """kill -9 while a refresh goes on: the old session or the new one, never half of one."""

    ROUNDS = 40

    def test_kills_at_any_instant_lose_at_most_the_answer_in_flight(self):
        self.add_session()
        instants, killed, lost = random.Random(9), 0, 0
        whole = min(self.refresh_time() for _ in range(3))
        for number in range(self.ROUNDS):
            with self.subTest(number):
                self.home.expire()
                killed += self.killed_after(instants.uniform(0, whole))
                self.assertSound()
                after = self.home.run("token")
                self.assertIn(after.exit, (0, 4), after)
                if after.exit == 4:  # the server had rotated, and nobody kept the answer
                    self.assertIn("invalid_grant", after.err)
                    lost += 1
                    self.ok("login")
                self.ok("fetch", "--user", "/devices")
        self.assertGreater(killed, self.ROUNDS // 4, "the kills came too late")
        self.assertEqual(self.sandbox.status()["reuses"], lost)

    def refresh_time(self) -> float:
        self.home.expire()
        began = time.monotonic()
        self.ok("token")
        return time.monotonic() - began

    def killed_after(self, seconds) -> bool:
        """Starts a refresh and kills it at this instant; answers whether it was still at work."""
        process = self.home.start("token", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        process.kill()
        return process.wait() < 0

    def assertSound(self):
        self.assertEqual(self.home.unsafe_modes(), [])
        for path in self.home.store.rglob("*.json"):
            self.assertIn("version", json.loads(path.read_text()), path)
