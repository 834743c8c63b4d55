"""One login for many machines: stores that share a cluster of etcd."""

import base64
import datetime
import json
from concurrent.futures import ThreadPoolExecutor

from Servers.fleet import VALUE, FleetCase
from Servers.sandbox import SandboxHome
from Servers.sdkctl import REPOSITORY


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
        fresh = other.run("token", "--fresh").text
        self.assertNotEqual(fresh, slot["accessToken"] + "\n")
        # This machine's own is valid, and costs no request; a new one comes from the cluster.
        seen = self.cluster.requests()
        self.assertEqual(self.ok("token").text, slot["accessToken"] + "\n")
        self.assertEqual(self.cluster.requests(), seen)
        self.assertEqual(self.sandbox.status()["reuses"], 0)
        other.run("logout")
        self.fails(4, "token", "--fresh")
        self.log_in()
        self.assertEqual(other.run("token").text, self.ok("token").text)
        self.ok("profile", "store", "move", "files", "--yes")
        self.assertTrue(self.home.slot_file().exists())
        self.assertEqual(other.run("token", "--fresh").exit, 4)

    def test_a_logout_elsewhere_is_noticed_at_the_next_refresh(self):
        self.move()
        other = self.machine()
        token = self.ok("token").text
        self.assertEqual(other.run("logout").exit, 0)
        self.assertEqual(self.ok("token").text, token)
        self.fails(4, "token", "--fresh")
        self.fails(4, "token")

    def test_the_state_of_the_cluster_is_shown(self):
        self.move()
        shown = self.jsonOf(self.ok("profile", "store", "show", "--json"))
        self.assertEqual([node["error"] for node in shown["nodes"]], [None] * 3)
        self.assertEqual([document["path"] for document in shown["documents"]],
                         ["credentials/user", "pins", "profile", "registration"])
        self.assertEqual(shown["locks"], [])
        self.assertEqual(sum(node["leader"] for node in shown["nodes"]), 1)
        holder = self.later("token", "--fresh")
        shown = self.jsonOf(self.ok("profile", "store", "show", "--json"))["locks"]
        self.assertEqual(shown[0]["path"], "credentials/user")
        self.assertIn(f"process {holder.pid}, since 20", shown[0]["holder"])
        self.assertEqual(self.ended(holder).exit, 0)

    def test_a_value_that_was_exchanged_is_refused(self):
        self.move()
        key = VALUE
        old, registration = self.cluster.get(key), self.cluster.get("team/work/registration/value")
        self.ok("token", "--fresh")
        for value, cause in ((old, "older"), (registration, "another name"),
                             (old[:-40], "not an encrypted document"), ("{}", "not an encrypted")):
            self.cluster.etcdctl("put", key, value)
            result = self.fails(11, "token", "--fresh")
            self.assertIn(key, result.err)
            self.assertIn(cause, result.err)
        foreign = self.home.directory / "foreign.key"
        self.ok("profile", "store", "key", "export", "--new", "--output", foreign)
        home = SandboxHome()
        self.addCleanup(home.remove)
        result = home.run("profile", "add", "work", "--store", self.cluster.place(),
                          *self.options(key=foreign))
        self.assertFailed(result, 11)
        # A new login takes the place of what cannot be used.
        self.log_in()
        self.ok("token", "--fresh")

    def test_a_key_is_rotated_while_another_machine_works(self):
        self.move()
        other, revoked = self.machine(), self.machine()
        new = self.home.directory / "new.key"
        self.ok("profile", "store", "key", "export", "--new", "--output", new)
        for home in (self.home, other):
            self.assertEqual(home.run("profile", "store", "key", "import", new).exit, 0)
        self.assertEqual(revoked.run("token", "--fresh").exit, 0)
        with ThreadPoolExecutor(4) as pool:
            tokens = [pool.submit(other.run, "token", "--fresh") for _ in range(4)]
            rotated = self.jsonOf(self.ok("profile", "store", "key", "rotate", "--json"))
        self.assertEqual(rotated["key"], json.loads(new.read_text())["id"])
        self.assertEqual([token.result().exit for token in tokens], [0] * 4)
        self.assertEqual(other.run("token", "--fresh").exit, 0)
        self.assertFailed(revoked.run("token", "--fresh"), 11)
        shown = self.jsonOf(self.ok("profile", "store", "show", "--json"))
        self.assertEqual({document["key"] for document in shown["documents"]},
                         {json.loads(new.read_text())["id"]})
        self.assertEqual(self.sandbox.status()["reuses"], 0)

    def test_the_login_of_other_machines_is_not_sealed(self):
        self.move()
        self.fails(10, "profile", "seal", "--passcode-file", "-", input="27182\n")
        self.assertEqual(self.ok("token", "--fresh").exit, 0)
        self.assertEqual(self.machine().run("token", "--fresh").exit, 0)

    def test_an_exported_key_opens_the_store_on_another_machine(self):
        self.move()
        exported = self.home.directory / "exported.key"
        self.ok("profile", "store", "key", "export", "--output", exported)
        self.assertEqual(exported.stat().st_mode & 0o777, 0o600)
        home = SandboxHome()
        self.addCleanup(home.remove)
        result = home.run("profile", "add", "sandbox", "--store", self.cluster.place(),
                          "--allow-weaker", "--allow", "caFile", *self.options(key=exported))
        self.assertEqual(result.exit, 0, result)
        self.assertEqual(home.run("-p", "sandbox", "token").text, self.ok("token").text)

    def test_certificates_and_pins_are_required(self):
        certificate = self.home.directory / "machine.pem"
        options = [*self.options()[:4], "--store-certificate-file", str(certificate)]
        place = self.cluster.place()
        self.show(certificate, "foreign")
        self.fails(9, "profile", "store", "move", place, *options)
        self.fails(9, "profile", "store", "move", place, *options[:4])
        self.show(certificate, "machine")
        self.pin("good")
        self.fails(8, "profile", "store", "move", place, *options)
        self.assertTrue(self.home.slot_file().exists())
        self.assertEqual(self.cluster.keys(), [])
        # And so after a move, as soon as the cluster is asked.
        self.pin("node")
        self.ok("profile", "store", "move", place, *options)
        self.show(certificate, "foreign")
        self.ok("token")
        for words in (["token", "--fresh"], ["profile", "store", "key", "rotate"]):
            self.fails(9, *words)
        self.show(certificate, "machine")
        self.pin("good")
        self.ok("token")
        self.fails(8, "token", "--fresh")
        self.fails(8, "profile", "store", "key", "rotate")
        self.ok("profile", "set", "pinPolicy=report")
        for words in (["token", "--fresh"], ["profile", "store", "show"]):
            self.assertIn("the profile lets it pass", self.ok(*words).err)
        self.ok("profile", "unset", "pinPolicy")
        self.pin("node")
        self.ok("token", "--fresh")

    def show(self, path, name):
        path.touch(0o600)
        path.write_bytes(self.cluster.certificate(name).read_bytes())

    def pin(self, name):
        self.ok("pin", "remove", "127.0.0.1", "--yes")
        self.ok("pin", "add", "--host", "127.0.0.1", self.cluster.authority.pin(name), "--yes")

    def test_a_document_above_the_limit_is_refused_by_name(self):
        slot = json.loads(self.home.slot_file().read_text())
        self.home.slot_file().write_text(json.dumps(slot | {"idToken": "x" * 800_000}))
        result = self.fails(3, "profile", "store", "move", self.cluster.place(), *self.options())
        self.assertIn("credentials/user", result.err)
        self.assertIn("the shared store takes 1048576", result.err)
        self.assertEqual(self.ok("token").text, slot["accessToken"] + "\n")
        self.assertEqual(self.jsonOf(self.ok("profile", "store", "show", "--json"))["place"], "files")
        # What is just below goes through etcd, whose own limit is 1.5 MiB.
        self.home.slot_file().write_text(json.dumps(slot | {"idToken": "x" * 760_000}))
        self.move()
        self.assertGreater(len(self.cluster.get(VALUE)), 1_000_000)
        self.assertEqual(self.machine().run("token").text, slot["accessToken"] + "\n")

    def test_a_trace_shows_the_requests_to_the_cluster_without_secrets(self):
        slots = [json.loads(self.home.slot_file().read_text())]
        self.move()
        traces = [self.ok("token", "--fresh", "--trace", "-").err]
        for method in ("lease/grant", "kv/txn"):
            self.assertRegex(traces[0], rf"POST https://127\.0\.0\.1:\d+/v3/{method}\n")
        self.assertIn(base64.b64encode(VALUE.encode()).decode(), traces[0])
        # And without a session.
        traces.append(self.ok("profile", "store", "show", "--trace", "-").err)
        self.assertIn("/v3/maintenance/status", traces[1])
        traces.append(self.ok("profile", "store", "move", "files", "--trace", "-", "--yes").err)
        self.assertIn("/v3/kv/txn", traces[2])
        slots.append(json.loads(self.home.slot_file().read_text()))
        secrets = [slot[name] for slot in slots for name in ("accessToken", "refreshToken")]
        secrets += [json.loads(self.key.read_text())["key"],
                    self.cluster.certificate().read_text().splitlines()[-2]]
        for trace in traces:
            for secret in secrets:
                self.assertNotIn(secret, trace)
                self.assertNotIn(base64.b64encode(secret.encode()).decode()[:-4], trace)

    def test_a_clock_that_is_an_hour_ahead_changes_nothing_for_the_others(self):
        self.assertClockChangesNothing("+1h", 3600)

    def test_a_clock_that_is_an_hour_slow_changes_nothing_for_the_others(self):
        self.assertClockChangesNothing("-1h", -3600)

    def assertClockChangesNothing(self, clock, seconds):
        self.move()
        other = self.machine(clock=clock)
        token = self.ok("token").text
        # The token that is valid here is valid there, although its time has come by that clock.
        for _ in range(2):
            self.assertEqual(other.run("token").text, token)
        expires = self.expires(self.home)
        self.assertLess(abs(self.expires(other) - expires - seconds), 5)
        self.assertEqual(self.sandbox.grants("refresh_token"), 0)
        # What it obtains expires here when the server said so.
        new = other.run("token", "--fresh").text
        self.assertNotEqual(new, token)
        self.assertEqual(other.run("token").text, new)
        third = self.machine()
        self.assertEqual(third.run("token").text, new)
        self.assertLess(abs(self.expires(third) - expires), 120)
        self.assertEqual(self.sandbox.grants("refresh_token"), 1)

    def expires(self, home):
        end = self.jsonOf(home.run("token", "--json"))["expires"]
        return datetime.datetime.fromisoformat(end.replace("Z", "+00:00")).timestamp()


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
                # Nobody is asked here, as on a terminal, about the settings of the sandbox that need consent.
                consent = ["--yes", "--allow-weaker", "--allow", "caFile"] if "profile add" in line else []
                result = home.run(*line.split()[1:], *consent)
                self.assertEqual(result.exit, 0, f"{line}: {result}")
            tokens.append(result.text)
        self.assertEqual(tokens[0], tokens[1])
