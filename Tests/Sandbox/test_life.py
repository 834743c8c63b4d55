"""A sandbox that stops, crashes or comes back changed, seen by those who use it."""

import time

from Servers.process import wait_until
from Servers.sandbox import SandboxCase


class LifeCase(SandboxCase):
    """Tests with a sandbox of their own, whose home is also the home of the commands."""

    def setUp(self):
        super().setUp()
        self.one = self.own()
        self.home = self.one.home

    def add_session(self):
        self.register()
        self.home.use_browser(self.one)
        self.ok("login")

    def during(self, endpoint, *arguments):
        """Starts a command and returns when the sandbox has its request."""
        before = self.one.requests(endpoint)
        process = self.home.start(*arguments)
        self.addCleanup(process.kill)
        wait_until(lambda: self.one.requests(endpoint) > before, f"a request to {endpoint}")
        return process

    def assertBroken(self, process, words="the connection|closed the connection"):
        out, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (6, b""), errors)
        self.assertRegex(errors.decode(), words)
        self.assertEqual(errors.count(b"sdkctl: error: "), 1)


class CrashTests(LifeCase):
    def test_a_crash_in_the_middle_of_an_answer(self):
        self.ok("profile", "use", "sandbox")
        target = self.home.directory / "target"
        target.write_text("old")
        waiting = self.during("resources", "fetch", "--unauth", "/slow?seconds=100")
        reading = self.during("resources", "fetch", "--unauth", "-o", target, f"/bytes/{1 << 36}")
        self.one.crash()
        self.assertBroken(waiting)
        self.assertBroken(reading)
        self.assertEqual(target.read_text(), "old")
        self.assertEqual([path.name for path in target.parent.glob("*target*")], ["target"])
        result = self.fails(6, "fetch", "--unauth", "/unauthenticated")
        self.assertError(result, f"localhost:{self.one.port} could not be reached: .*refused")

    def test_a_crash_in_the_middle_of_a_refresh_keeps_the_tokens(self):
        self.add_session()
        before = self.home.slot_file().read_bytes()
        self.one.fault("latency", "--on", "token")
        process = self.during("token", "token", "--fresh")
        self.one.crash()
        self.assertBroken(process)
        self.assertEqual(self.home.slot_file().read_bytes(), before)
        self.assertEqual(self.home.unsafe_modes(), [])
        self.fails(6, "token", "--fresh")
        self.ok("token")  # it is good for a while yet

    def test_a_crash_in_the_middle_of_a_login(self):
        self.register()
        self.home.use_browser(self.one)
        self.one.fault("latency", "--on", "token")
        process = self.during("token", "login")
        self.one.crash()
        self.assertBroken(process)
        self.assertFalse(self.home.slot_file().exists())

    def test_a_stop_in_the_middle_of_an_answer(self):
        process = self.during("resources", "fetch", "-p", "sandbox", "--unauth",
                              "/slow?seconds=100")
        began = time.monotonic()
        self.one.command("stop")
        self.assertLess(time.monotonic() - began, 15)
        self.assertBroken(process)

    def test_after_a_crash_it_starts_again_with_the_same_pins(self):
        self.add_session()
        pins = self.one.facts["pins"]
        self.one.crash()
        self.assertIn("not running", self.one.command("status", code=1).text)
        self.assertIn("not running", self.one.command("fault", "500", code=6).err)
        self.one.start(port=self.one.port)
        self.assertEqual(self.one.facts["pins"], pins)
        self.ok("fetch", "--unauth", "/unauthenticated")
        # It forgot everybody: the client must register anew.
        result = self.fails(5, "token", "--fresh")
        self.assertIn("invalid_client", result.err)
        self.assertEqual(self.home.paste(result.hint).exit, 0)
        self.ok("login")


class ChangeTests(LifeCase):
    def test_other_keys_behind_the_same_port_are_a_pin_mismatch(self):
        """Another sandbox takes the port: without its authority the chain is not trusted; with it
        the chain is, and the pins still hold."""
        self.add_session()
        before = self.home.slot_file().read_bytes()
        self.one.command("stop")
        other = self.own(port=self.one.port)
        self.assertError(self.fails(7, "token", "--fresh"), "the certificate's issuer is not trusted")
        self.assertIsNone(self.jsonOf(self.home.run("pin", "check", "--json"))[0]["revocation"])
        self.ok("profile", "set", f"caFile={other.ca_file}")
        result = self.fails(8, "token", "--fresh")
        for pin in self.one.facts["pins"] + other.facts["pins"]:
            self.assertIn(pin, result.err)
        self.fails(8, "fetch", "--unauth", "/unauthenticated")
        self.assertEqual(self.home.run("pin", "check").exit, 8)
        self.assertEqual(other.status()["counts"]["endpoints"], {})
        self.assertEqual(self.home.slot_file().read_bytes(), before)

    def test_starting_again_changes_no_other_profile(self):
        self.ok("profile", "add", "mine", "--issuer", "https://id.example", "--resource-url",
                "https://api.example")
        mine = self.home.store / "config/profiles/mine"
        before = {path: path.read_bytes() for path in mine.rglob("*") if path.is_file()}
        self.one.command("stop")
        self.one.start()  # on another port
        self.assertEqual(before, {path: path.read_bytes() for path in before})
        self.assertIn(self.one.issuer, self.ok("profile", "show", "sandbox").text)
        self.ok("fetch", "-p", "sandbox", "--unauth", "/unauthenticated")


class EncryptionTests(SandboxCase):
    def test_the_profile_of_a_sandbox_that_requires_encryption_has_its_key(self):
        sandbox = self.own("--payload-encryption")
        for _ in range(2):
            result = sandbox.home.run("fetch", "-p", "sandbox", "--unauth", "/unauthenticated")
            self.assertEqual((result.exit, result.out), (0, b"OK"), result)
            # The next run has another key.
            sandbox.command("stop")
            sandbox.start("--payload-encryption")
        sandbox.command("stop")
        sandbox.start()
        shown = sandbox.home.run("profile", "show", "sandbox", "--json")
        self.assertNotIn(b"serverPublicKey", shown.out)
