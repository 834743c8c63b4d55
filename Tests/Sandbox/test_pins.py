"""Pins against a chain of leaf, intermediate and root made by another TLS stack."""

from Servers.case import NO_PIN
from Servers.sandbox import SandboxCase


class PinTests(SandboxCase):
    def fetch(self):
        self.assertEqual(self.ok("fetch", "--unauth", "/unauthenticated").out, b"OK")

    def assertUntouched(self):
        """No request line has reached the sandbox."""
        self.assertEqual(self.sandbox.status()["counts"]["endpoints"], {})

    def test_any_key_of_the_validated_path_matches(self):
        root = self.sandbox.ca_file  # which the server never shows
        for source in (*self.sandbox.facts["pins"], root):
            with self.subTest(source):
                self.set_pin(source)
                self.fetch()

    def test_a_wrong_pin_ends_every_command_before_its_request(self):
        self.set_pin(NO_PIN)
        for command in (["fetch", "--unauth", "/unauthenticated"], ["register"]):
            with self.subTest(command[0]):
                result = self.fails(8, *command)
                for pin in (NO_PIN, *self.sandbox.facts["pins"]):
                    self.assertIn(pin, result.err)
                self.assertEqual(result.out, b"")
        self.assertUntouched()

    def test_a_host_without_pins_is_refused_with_the_line_that_mends_it(self):
        self.ok("pin", "remove", "localhost", "--yes")
        result = self.fails(8, "fetch", "--unauth", "/unauthenticated")
        self.assertUntouched()
        self.assertEqual(self.home.paste(result.hint + " --yes").exit, 0)
        self.fetch()

    def test_pins_of_another_name_of_the_same_server_do_not_count(self):
        other = f"https://127.0.0.1:{self.sandbox.port}/resources/unauthenticated"
        self.fails(8, "fetch", "--unauth", other)
        self.assertUntouched()

    def test_check_tells_whether_a_pinned_key_is_in_use(self):
        place = f"localhost:{self.sandbox.port}"
        self.ok("pin", "check", place, "--within", "1d")
        self.set_pin(NO_PIN)
        self.assertEqual(self.home.run("pin", "check", place, "--within", "1d").exit, 8)
        self.assertUntouched()

    def test_roles_choose_which_keys_are_pinned(self):
        leaf, intermediate = self.sandbox.facts["pins"]
        self.ok("pin", "remove", "localhost", "--yes")
        self.ok("pin", "add", self.sandbox.issuer, "--role", "intermediate", "--yes")
        shown = self.ok("pin", "show", f"localhost:{self.sandbox.port}", "--offline").text
        self.assertIn(intermediate, shown)
        self.assertNotIn(leaf, shown)
        self.fetch()

    def test_without_its_authority_the_chain_is_not_trusted(self):
        self.ok("profile", "unset", "caFile")
        result = self.fails(7, "fetch", "--unauth", "/unauthenticated")
        self.assertError(result, "not trusted")
        self.assertUntouched()
