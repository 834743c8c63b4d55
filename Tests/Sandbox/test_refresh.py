"""Refresh tokens that rotate: one refresh for all, reuse ends the family, kills cost little."""

import json
from concurrent.futures import ThreadPoolExecutor

from Servers import kills
from Servers.sandbox import SandboxCase


class RefreshTests(SandboxCase):
    def setUp(self):
        super().setUp()
        self.add_session()

    def test_a_hundred_processes_make_one_refresh(self):
        """The answer is three seconds late, so that all hundred find the token expired."""
        old = json.loads(self.home.slot_file().read_text())
        self.home.expire()
        self.sandbox.fault("latency", "--on", "token")
        with ThreadPoolExecutor(100) as pool:
            results = list(pool.map(lambda _: self.home.run("token", timeout=120), range(100)))
        new = json.loads(self.home.slot_file().read_text())
        token = new["accessToken"]
        self.assertEqual({(result.exit, result.text, result.err) for result in results},
                         {(0, token + "\n", "")})
        self.assertNotIn(token, old.values())
        self.assertNotEqual(new["refreshToken"], old["refreshToken"])
        self.assertTrue(self.sandbox.introspect(token)["active"])
        status = self.sandbox.status()
        self.assertEqual((status["counts"]["grants"]["refresh_token"], status["reuses"]), (1, 0))
        self.assertEqual(self.sandbox.struck("latency"), 1)

    def test_two_slots_that_are_renewed_at_once_do_not_meet(self):
        words = [["token", "--fresh"], ["login", "--anonymous"]] * 20
        with ThreadPoolExecutor(10) as pool:
            results = list(pool.map(lambda each: self.home.run(*each), words))
        self.assertEqual([str(result) for result in results if result.exit != 0], [])
        self.assertEqual(self.home.unsafe_modes(), [])
        names = {path.name for path in self.home.slot_file().parent.iterdir()}
        self.assertEqual(names, {"user.json", "anonymous.json"})

    def test_many_updates_of_the_client_at_once_lose_no_management_token(self):
        processes = [self.home.start("register", "update", "--client-name", f"n{number}")
                     for number in range(10)]
        for process in processes:
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, errors)
        self.ok("register", "show")


class KillTests(SandboxCase):
    """kill -9 while a refresh goes on: the old session or the new one, never half of one."""

    def test_kills_at_any_instant_lose_at_most_the_answer_in_flight(self):
        sessions = kills.kill_many(self, self.sandbox.port, "/token", self.prepare,
                                   lambda token: self.assertTrue(
                                       self.sandbox.introspect_as(self.gateway, token)["active"]))
        # What was lost had been rotated, and the answer had reached nobody.
        self.assertEqual(self.sandbox.status()["reuses"], sum(each.lost for each in sessions))

    def setUp(self):
        super().setUp()
        self.gateway = self.sandbox.status()["gateway"]

    def prepare(self, home, endpoint):
        home.run("profile", "set", "scope=openid read", endpoint)
        for words in (["register"], ["login"]):
            home.use_browser(self.sandbox)
            result = home.run(*words)
            self.assertEqual(result.exit, 0, result)
