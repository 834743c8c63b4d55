"""One login for many machines: stores that share a cluster of etcd, and what its faults cost."""

import base64
import json
import os
import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from Servers.etcd import Cluster
from Servers.process import wait_until
from Servers.sandbox import SandboxCase, SandboxHome
from Servers.sdkctl import REPOSITORY

# Processes of each of ten stores: the full run has 100.
PROCESSES = int(os.environ.get("SDKCTL_FLEET_PROCESSES", "10"))
ROUNDS = int(os.environ.get("SDKCTL_FLEET_ROUNDS", "8"))


class FleetCase(SandboxCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.close)

    def setUp(self):
        super().setUp()
        for index, node in enumerate(self.cluster.nodes):
            if node.process is None:
                self.cluster.start(index)
        wait_until(self.cluster.is_healthy, "the health of the cluster")
        self.cluster.etcdctl("del", "team/", "--prefix")
        self.ok("profile", "set", "passwordGrant=true")
        self.ok("register")
        self.log_in()
        self.key = self.home.directory / "work.key"
        self.ok("profile", "store", "key", "create", "--output", self.key)
        self.ok("pin", "add", "--host", "127.0.0.1", self.cluster.authority.pin("node"), "--yes")

    def log_in(self):
        self.ok("login", "password", "alice", "--password-stdin", input="wonderland\n")

    def options(self, certificate="machine", key=None):
        return ["--store-key-file", str(key or self.key), "--store-ca-file",
                str(self.cluster.ca_file), "--store-certificate-file",
                str(self.cluster.certificate(certificate))]

    def move(self):
        self.ok("profile", "store", "move", self.cluster.place(), *self.options())

    def machine(self) -> SandboxHome:
        """Another machine with the profile."""
        home = SandboxHome()
        self.addCleanup(home.remove)
        result = home.run("profile", "add", "work", "--store", self.cluster.place(),
                          *self.options(), timeout=60)
        self.assertEqual(result.exit, 0, result)
        return home

    def copy(self, home, name="sandbox"):
        return json.loads(
            (home.store / f"state/profiles/{name}/shared.json").read_text())


class ShareTests(FleetCase):
    def test_another_machine_has_the_login_and_nothing_is_in_clear(self):
        slot = json.loads(self.home.slot_file().read_text())
        client = json.loads(self.home.registration_file.read_text())["client"]
        self.move()
        self.assertFalse(self.home.slot_file().exists())
        self.assertFalse(self.home.registration_file.exists())
        secrets = [slot["accessToken"], slot["refreshToken"], client["registration_access_token"]]
        for key in self.cluster.keys():
            value = self.cluster.get(key)
            for secret in secrets + ["client_id", client["client_id"]]:
                self.assertNotIn(secret, value, key)
                self.assertNotIn(base64.b64encode(secret.encode()).decode()[:-4], value, key)
        # What would renew the token is on no machine.
        for path in self.home.store.rglob("*"):
            if path.is_file():
                self.assertNotIn(slot["refreshToken"].encode(), path.read_bytes(), path)
        self.assertEqual(self.home.unsafe_modes(), [])
        other = self.machine()
        self.assertEqual(other.run("token").text, slot["accessToken"] + "\n")
        self.assertIn('"devices"', other.run("fetch", "--user", "/devices").text)
        fresh = other.run("token", "--force-new").text
        self.assertNotEqual(fresh, slot["accessToken"] + "\n")
        # This machine's own is valid, and costs no request; a new one comes from the cluster.
        seen = self.cluster.requests()
        self.assertEqual(self.ok("token").text, slot["accessToken"] + "\n")
        self.assertEqual(self.cluster.requests(), seen)
        self.assertEqual(self.sandbox.status()["reuses"], 0)
        other.run("logout")
        self.fails(4, "token", "--force-new")
        self.log_in()
        self.assertEqual(other.run("token").text, self.ok("token").text)
        self.ok("profile", "store", "move", "files", "--yes")
        self.assertTrue(self.home.slot_file().exists())
        self.assertEqual(other.run("token", "--force-new").exit, 4)

    def test_the_state_of_the_cluster_is_shown(self):
        self.move()
        shown = self.jsonOf(self.ok("profile", "store", "show", "--json"))
        self.assertEqual([node["error"] for node in shown["nodes"]], [None] * 3)
        self.assertEqual([document["path"] for document in shown["documents"]],
                         ["credentials/user", "pins", "profile", "registration"])
        self.assertEqual(shown["locks"], [])
        self.assertEqual(sum(node["leader"] for node in shown["nodes"]), 1)
        self.sandbox.fault("latency", "--on", "token")
        holder = self.home.start("token", "--force-new")
        shown = wait_until(lambda: [lock for lock in self.jsonOf(self.ok(
            "profile", "store", "show", "--json"))["locks"]], "a lock")
        self.assertEqual(shown[0]["path"], "credentials/user")
        self.assertIn(f"process {holder.pid}, since 20", shown[0]["holder"])
        holder.communicate(timeout=60)
        self.assertEqual(holder.returncode, 0)

    def test_a_value_that_was_exchanged_is_refused(self):
        self.move()
        key = "team/work/credentials/user/value"
        old, registration = self.cluster.get(key), self.cluster.get("team/work/registration/value")
        self.ok("token", "--force-new")
        for value, cause in ((old, "older"), (registration, "another name"),
                             (old[:-40], "not an encrypted document"), ("{}", "not an encrypted")):
            self.cluster.etcdctl("put", key, value)
            result = self.fails(11, "token", "--force-new")
            self.assertIn(key, result.err)
            self.assertIn(cause, result.err)
        foreign = self.home.directory / "foreign.key"
        self.ok("profile", "store", "key", "create", "--output", foreign)
        home = SandboxHome()
        self.addCleanup(home.remove)
        result = home.run("profile", "add", "work", "--store", self.cluster.place(),
                          *self.options(key=foreign))
        self.assertFailed(result, 11)
        # A new login takes the place of what cannot be used.
        self.log_in()
        self.ok("token", "--force-new")

    def test_a_key_is_rotated_while_another_machine_works(self):
        self.move()
        other, revoked = self.machine(), self.machine()
        new = self.home.directory / "new.key"
        self.ok("profile", "store", "key", "create", "--output", new)
        for home in (self.home, other):
            self.assertEqual(home.run("profile", "store", "key", "import", new).exit, 0)
        self.assertEqual(revoked.run("token", "--force-new").exit, 0)
        with ThreadPoolExecutor(4) as pool:
            tokens = [pool.submit(other.run, "token", "--force-new") for _ in range(4)]
            self.ok("profile", "store", "key", "rotate")
        self.assertEqual([token.result().exit for token in tokens], [0] * 4)
        self.assertEqual(other.run("token", "--force-new").exit, 0)
        self.assertFailed(revoked.run("token", "--force-new"), 11)
        shown = self.jsonOf(self.ok("profile", "store", "show", "--json"))
        self.assertEqual({document["key"] for document in shown["documents"]},
                         {json.loads(new.read_text())["id"]})
        self.assertEqual(self.sandbox.status()["reuses"], 0)

    def test_the_login_of_other_machines_is_not_sealed(self):
        self.move()
        self.fails(10, "profile", "seal", "--pin-stdin", input="27182\n")
        self.assertEqual(self.ok("token", "--force-new").exit, 0)
        self.assertEqual(self.machine().run("token", "--force-new").exit, 0)

    def test_an_exported_key_opens_the_store_on_another_machine(self):
        self.move()
        exported = self.home.directory / "exported.key"
        self.ok("profile", "store", "key", "export", "--output", exported)
        self.assertEqual(exported.stat().st_mode & 0o777, 0o600)
        home = SandboxHome()
        self.addCleanup(home.remove)
        result = home.run("profile", "add", "sandbox", "--store", self.cluster.place(),
                          *self.options(key=exported))
        self.assertEqual(result.exit, 0, result)
        self.assertEqual(home.run("-p", "sandbox", "token").text, self.ok("token").text)

    def test_certificates_and_pins_are_required(self):
        self.assertFailed(self.home.run(
            "profile", "store", "move", self.cluster.place(), *self.options("foreign")), 9)
        self.assertFailed(self.home.run(
            "profile", "store", "move", self.cluster.place(), *self.options()[:4]), 9)
        self.ok("pin", "remove", "127.0.0.1", "--yes")
        self.ok("pin", "add", "--host", "127.0.0.1", self.cluster.authority.pin("good"), "--yes")
        self.assertFailed(self.home.run(
            "profile", "store", "move", self.cluster.place(), *self.options()), 8)
        self.assertTrue(self.home.slot_file().exists())
        self.assertEqual(self.cluster.keys(), [])


class DocumentTests(FleetCase):
    def test_the_lines_of_the_document_make_two_machines(self):
        """docs/fleet.md, with the names of the files and of the cluster of this test."""
        text = (REPOSITORY / "docs/fleet.md").read_text()
        section = text.split("## From nothing to two machines")[1].split("\n## ")[0]
        first, second = [block.split("```")[0].strip().split("\n")
                         for block in section.split("```sh")[1:]]
        self.assertLessEqual(len(first) + len(second), 10)
        other = SandboxHome()
        self.addCleanup(other.remove)
        names = {"etcd:https://etcd.test:2379/team/work": self.cluster.place(),
                 "etcd.test": "127.0.0.1", "node.crt": self.cluster.authority.certificate("node"),
                 "ca.crt": self.cluster.ca_file, "machine.pem": self.cluster.certificate(),
                 "work.key": self.home.directory / "document.key"}
        tokens = []
        for home, lines in ((self.home, first), (other, second)):
            for line in lines:
                for name, value in names.items():
                    line = line.replace(name, str(value))
                result = home.run(*line.split()[1:])
                self.assertEqual(result.exit, 0, f"{line}: {result}")
            tokens.append(result.text)
        self.assertEqual(tokens[0], tokens[1])


class FaultTests(FleetCase):
    def test_without_a_majority_valid_tokens_go_on(self):
        self.move()
        token = self.ok("token").text
        for index in (0, 1):
            self.cluster.kill(index)
        try:
            self.assertEqual(self.ok("token").text, token)
            self.assertIn('"devices"', self.ok("fetch", "--user", "/devices").text)
            result = self.fails(6, "token", "--force-new", "--json")
            self.assertTrue(self.jsonError(result)["retryable"])
            for port in self.cluster.ports:
                self.assertIn(f"127.0.0.1:{port}: ", result.err)
            self.assertEqual(self.sandbox.grants("refresh_token"), 0)
        finally:
            for index in (0, 1):
                self.cluster.start(index)
        wait_until(self.cluster.is_healthy, "the health of the cluster")
        self.assertNotEqual(self.ok("token", "--force-new").text, token)

    def test_a_node_that_hangs_costs_two_seconds(self):
        self.move()
        follower = (self.cluster.leader() + 1) % 3
        self.cluster.suspend(follower)
        try:
            times = []
            for _ in range(6):
                start = time.monotonic()
                self.ok("token", "--force-new")
                times.append(time.monotonic() - start)
        finally:
            self.cluster.resume(follower)
        self.assertLess(max(times), 4)
        self.assertLess(min(times), 1.5)

    def test_a_holder_that_was_killed_is_waited_for(self):
        """Its lease ends after a minute at most; an operator can end it at once."""
        self.move()
        other = self.machine()
        self.sandbox.fault("latency", "--on", "token")
        holder = self.home.start("token", "--force-new")
        wait_until(lambda: "team/work/credentials/user/lock" in self.cluster.keys(), "the lock")
        wait_until(lambda: self.sandbox.struck("latency") == 1, "the request")
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
        waiting = other.start("token", "--force-new")
        time.sleep(0.5)
        self.assertIsNone(waiting.poll())
        self.cluster.etcdctl("del", "team/work/credentials/user/lock")
        waiting.communicate(timeout=60)
        # The server's answer was lost with the holder: the session may have ended, and is said to have.
        self.assertIn(waiting.returncode, (0, 4))

    def test_ten_stores_make_one_refresh(self):
        self.home.expire()
        self.move()
        homes = [self.home] + [self.machine() for _ in range(9)]
        self.sandbox.fault("latency", "--on", "token")
        seen = self.cluster.requests()
        jobs = homes * PROCESSES
        with ThreadPoolExecutor(len(jobs)) as pool:
            results = list(pool.map(lambda home: home.run("token", timeout=300), jobs))
        self.assertEqual({result.exit for result in results}, {0},
                         [str(result) for result in results if result.exit != 0][:3])
        self.assertEqual(len({result.text for result in results}), 1)
        status = self.sandbox.status()
        self.assertEqual((status["counts"]["grants"]["refresh_token"], status["reuses"]), (1, 0))
        requests = self.cluster.requests() - seen
        print(f"{len(jobs)} processes: {requests} requests to etcd")
        self.assertLessEqual(requests, 4 + 2 * (len(jobs) - 1))

    def test_faults_at_random_instants_lose_no_session(self):
        self.move()
        homes = [self.home, self.machine()]
        seed = int(os.environ.get("SDKCTL_SEED", random.randrange(1 << 32)))
        dice, lost = random.Random(seed), 0
        for number in range(ROUNDS):
            where = f"SDKCTL_SEED={seed}, round {number}"
            fault = dice.choice(["leader", "node", "suspend"])
            delay = dice.uniform(0, 0.25)
            index = self.cluster.leader() if fault == "leader" else dice.randrange(3)

            def strike():
                time.sleep(delay)
                if fault == "suspend":
                    self.cluster.suspend(index)
                else:
                    self.cluster.kill(index)
            striker = threading.Thread(target=strike)
            striker.start()
            try:
                with ThreadPoolExecutor(6) as pool:
                    results = list(pool.map(
                        lambda home: home.run("token", "--force-new", timeout=120), homes * 3))
            finally:
                striker.join()
                if fault == "suspend":
                    self.cluster.resume(index)
                else:
                    self.cluster.start(index)
            wait_until(self.cluster.is_healthy, "the health of the cluster")
            self.assertEqual([str(result) for result in results if result.exit != 0], [], where)
            self.assertEqual(self.sandbox.status()["reuses"], 0, where)
        for home in homes:
            self.assertEqual(home.run("token", "--force-new").exit, 0, seed)
