"""kill -9 at random instants of a command's life, and what a refresh may leave afterwards."""

import json
import os
import random
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

from .relay import Relay

ROUNDS = int(os.environ.get("SDKCTL_KILL_ROUNDS", 24))
DELAYS = (0.0, 0.0, 0.02, 0.1)  # how late the answers of the token server come; each as often
LEFTOVER = ".unfinished."


class Kills:
    """Kills of a command at random instants, and what a failure must say to repeat them."""

    def __init__(self, longest):
        """`longest` is the latest instant, somewhat later than the end of the command."""
        self.seed = int(os.environ.get("SDKCTL_SEED") or random.randrange(1 << 32))
        self.draw = random.Random(self.seed)
        self.longest, self.rounds, self.killed = longest, 0, 0
        self.where = f"SDKCTL_SEED={self.seed}"

    @classmethod
    def of(cls, command, tries=3):
        """For a command that was measured so many times, by calls."""
        lives = []
        for _ in range(tries):
            began = time.monotonic()
            command()
            lives.append(time.monotonic() - began)
        return cls(1.2 * statistics.median(lives))

    def strike(self, home, *words, longest=None) -> bool:
        """Starts a command and kills it; returns whether it had not ended."""
        instant = self.draw.uniform(0, longest or self.longest)
        self.where = f"SDKCTL_SEED={self.seed}, round {self.rounds}, {words}, after {instant:.4f} s"
        process = home.start(*words)
        time.sleep(instant)
        process.kill()
        process.communicate()
        self.rounds += 1
        self.killed += process.returncode < 0
        if longest is None:
            # The load of the machine changes: a kill that came too late makes the next ones earlier.
            self.longest *= 1.02 if process.returncode < 0 else 0.9
        return process.returncode < 0

    def assert_enough(self, test, least=4):
        """A part of the kills came before the end."""
        test.assertGreater(self.killed, self.rounds // least, f"the kills came too late: {self.where}")


class Session:
    """One home with a session, whose token server answers through a relay."""

    def __init__(self, test, home, port, path, draw):
        self.test, self.home, self.draw = test, home, draw
        self.relay = Relay(port).start()
        test.addCleanup(self.relay.stop)
        self.endpoint = f"endpoints.token=https://localhost:{self.relay.port}{path}"
        self.killed = self.renewed = self.repeated = self.lost = 0

    def measure(self):
        """How long a refresh lives, from start to exit, for each delay."""
        self.lives = {delay: statistics.median(self._life(delay) for _ in range(3))
                      for delay in DELAYS}

    def _life(self, delay) -> float:
        self.home.expire()
        self.relay.delay = delay
        began = time.monotonic()
        self.succeeds("token")
        self.renewed += 1
        return time.monotonic() - began

    def round(self, number):
        """Kills one refresh at a random instant of its life; answers the token that is good then.

        There is the old session, byte by byte, or the whole new one. What was printed is on disk.
        Only a session whose refresh token the server took, and whose answer came to nobody, is
        lost; a login brings it back.
        """
        delay = self.draw.choice(DELAYS)
        instant = self.draw.uniform(0, 1.1 * self.lives[delay])
        self.home.expire()
        before, rest = self.home.slot_file().read_bytes(), self._rest()
        self.relay.delay = delay
        process = self.home.start("token")
        time.sleep(instant)
        process.kill()
        out, errors = process.communicate()
        self.relay.delay = 0
        # A request that is still on its way would come after the next one, as a reuse of its token.
        self.relay.settle()
        where = f"round {number}: {delay:g} s late, killed after {instant:.4f} s: {errors!r}"
        test, is_killed = self.test, process.returncode < 0
        self.killed += is_killed
        self._assert_sound(where)
        test.assertEqual(self._rest(), rest, where)
        after = self.home.slot_file().read_bytes()
        old, new = json.loads(before), json.loads(after)
        is_new = after != before
        if is_new:
            self.renewed += 1
            test.assertEqual(new.keys(), old.keys(), where)
            for member in ("accessToken", "refreshToken"):
                test.assertNotEqual(new[member], old[member], where)
        if not is_killed:
            test.assertEqual((process.returncode, is_new), (0, True), where)
        if out:
            test.assertEqual(out.decode(), new["accessToken"] + "\n", where)
            test.assertTrue(is_new, where)
        return self._usable(is_new, new, where)

    def _usable(self, is_new, slot, where) -> str:
        result = self.home.run("token")
        if is_new:
            self.test.assertEqual((result.exit, result.text), (0, slot["accessToken"] + "\n"), where)
        if result.exit != 0:
            self.test.assertFailed(result, 4)
            self.lost += 1
            login = self.home.paste(result.hint)
            self.test.assertEqual(login.exit, 0, f"{where}\n{result}\n{login}")
            result = self.succeeds("token")
        elif not is_new:
            self.repeated += 1
        return result.text.strip()

    def end(self):
        """What killed writers left is gone when it is old and somebody writes again."""
        old = time.time() - 3600
        for path in self._leftovers():
            os.utime(path, (old, old))
        self.succeeds("token", "--fresh")
        self.renewed += 1
        self.test.assertEqual(self._leftovers(), [])

    def succeeds(self, *arguments):
        result = self.home.run(*arguments)
        self.test.assertEqual(result.exit, 0, result)
        return result

    def _leftovers(self) -> list:
        return [path for path in self.home.store.rglob("*") if path.name.startswith(LEFTOVER)]

    def _rest(self) -> dict:
        """What a refresh has no business with."""
        return {path: path.read_bytes() for path in self.home.store.rglob("*.json")
                if path != self.home.slot_file() and "cache" not in path.parts}

    def _assert_sound(self, where):
        self.test.assertEqual(self.home.unsafe_modes(), [], where)
        for path in self.home.store.rglob("*"):
            if path.is_file() and not path.name.startswith(LEFTOVER) and path.suffix != ".lock":
                self.test.assertIn("version", json.loads(path.read_text()), f"{where}: {path}")


def kill_many(test, port, path, prepare, judge, workers=4) -> list:
    """Runs the rounds, in as many homes at once as there are workers; answers their sessions.

    `prepare(home, endpoint)` logs in, with the token endpoint behind a relay to `port`;
    `judge(token)` is called with the token that is good after each round.
    """
    seed = int(os.environ.get("SDKCTL_SEED") or random.randrange(1 << 32))

    def work(worker) -> Session:
        session = Session(test, homes[worker], port, path, random.Random(f"{seed}/{worker}"))
        prepare(session.home, session.endpoint)
        session.measure()
        for number in range(worker, ROUNDS, workers):
            judge(session.round(number))
        session.end()
        return session

    homes = [test.new_home() for _ in range(workers)]
    try:
        with ThreadPoolExecutor(workers) as pool:
            sessions = list(pool.map(work, range(workers)))
    except BaseException as trouble:
        trouble.add_note(f"the rounds of SDKCTL_SEED={seed}")
        raise
    if os.environ.get("VERBOSE"):
        print(*(f"{name} {sum(getattr(each, name) for each in sessions)}," for name in
                ("killed", "renewed", "repeated", "lost")), f"of {ROUNDS} rounds")
    killed = sum(session.killed for session in sessions)
    test.assertGreater(killed, ROUNDS // 4, "the kills came too late")
    return sessions
