"""Registration at the sandbox, and clients that people made by hand."""

import json

from Servers.documents import find
from Servers.process import free_port
from Servers.sandbox import SandboxCase


class RegisterTests(SandboxCase):
    def test_what_is_kept_can_manage_the_registration(self):
        self.register()
        document = json.loads(self.home.registration_file.read_text())
        self.assertTrue(find(document, "registration_access_token"))
        self.assertTrue(find(document, "registration_client_uri").startswith(self.sandbox.issuer))
        self.assertEqual(set(find(document, "scope").split()),
                         {"openid", "profile", "read", "write", "application-details"})
        self.assertEqual(self.home.unsafe_modes(), [])

    def test_a_second_registration_needs_force(self):
        self.register()
        before = self.home.registration_file.read_bytes()
        self.assertIn("--replace", self.fails(3, "register").err)
        self.assertEqual(self.home.registration_file.read_bytes(), before)
        self.ok("register", "--replace")
        self.assertEqual(self.sandbox.requests("register"), 2)

    def test_a_replaced_client_is_deleted_with_its_tokens(self):
        self.add_session()
        former = json.loads(self.home.registration_file.read_text())["client"]
        token = self.ok("token").text.strip()
        result = self.ok("--json", "register", "--replace")
        new = self.jsonOf(result)
        steps = [(row["step"], row["outcome"]) for row in new["formerSteps"]]
        self.assertEqual(steps, [
            ("revoke_refresh_token", "done"), ("revoke_access_token", "done"), ("erase", "done"),
            ("delete_registration", "done"), ("erase_registration", "done")])
        self.assertIn("the former client: delete the registration: done", result.err)
        self.assertNotEqual(new["clientID"], former["client_id"])
        self.assertEqual(new["redirectURIs"], former["redirect_uris"])
        self.assertEqual(self.home.run(
            "fetch", "--user", "/devices", environment={"SDKCTL_TOKEN": token}).exit, 12)
        # The server knows the former client no more.
        self.ok("register", "--replace", "--client-id", former["client_id"],
                "--client-secret-file", "-", input=former["client_secret"] + "\n")
        self.assertIn("invalid_client", self.fails(5, "login", "--anonymous").err)

    def test_the_same_client_given_again_is_not_deleted(self):
        self.register()
        client = json.loads(self.home.registration_file.read_text())["client"]
        self.ok("register", "--replace", "--client-id", client["client_id"],
                "--client-secret-file", "-", input=client["client_secret"] + "\n")
        self.ok("login", "--anonymous")

    def test_every_way_to_prove_oneself(self):
        for method in ("client_secret_basic", "client_secret_post"):
            with self.subTest(method):
                self.ok("register", "--replace", "--auth-method", method)
                self.ok("login", "--anonymous")

    def test_a_public_client_has_no_token_of_its_own(self):
        self.ok("register", "--auth-method", "none")
        self.use_person()
        self.ok("login", "--scope", "openid read")
        self.ok("fetch", "--user", "/devices")
        self.ok("token", "--fresh")
        self.fails(4, "login", "--anonymous")
        self.assertEqual(self.sandbox.grants("client_credentials"), 0)

    def test_a_registered_port_is_listened_on(self):
        port = free_port()
        self.ok("register", "--callback-port", str(port))
        self.use_person()
        self.ok("login", "--scope", "openid")
        self.assertTrue(self.notes()[-1]["url"].startswith(f"http://127.0.0.1:{port}/"))

    def test_a_given_client_is_taken_as_it_is(self):
        gateway = self.sandbox.status()["gateway"]
        self.ok("register", "--client-id", gateway["client_id"], "--client-secret-file", "-",
                input=gateway["client_secret"] + "\n")
        self.assertEqual(self.sandbox.requests("register"), 0)
        self.assertIn(gateway["client_id"], self.ok("profile", "show").err)

    def test_a_wrong_secret_is_refused_by_the_server(self):
        self.register()
        client = find(json.loads(self.home.registration_file.read_text()), "client_id")
        self.ok("register", "--replace", "--client-id", client, "--client-secret-file", "-",
                input="wrong\n")
        self.assertIn("invalid_client", self.fails(5, "login", "--anonymous").err)
        self.assertFalse(self.home.slot_file("anonymous").exists())
