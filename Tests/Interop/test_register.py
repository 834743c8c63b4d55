"""Making this installation known: RFC 7591 with and without initial access token, or a given client."""

from Servers.case import Case
from Servers.glewlwyd import GATEWAY
from Servers.process import free_port


class RegisterTests(Case):
    def test_registration_keeps_what_management_needs(self):
        self.add_profile()
        events = self.stand.provider.events()
        self.ok("register", "--client-name", "My laptop")
        self.assertEqual(events.count('registered with redirect_uri ["http://127.0.0.1:'), 1)
        kept = self.home.registration_file.read_text()
        self.assertIn("/api/oidc/register/", kept.replace("\\/", "/"))
        self.assertIn("client", kept)
        self.assertEqual(self.home.unsafe_modes(), [])

    def test_the_callback_port_is_registered_and_used(self):
        self.add_profile()
        port = str(free_port())
        events = self.stand.provider.events()
        self.ok("register", "--callback-port", port)
        self.assertEqual(events.count(f"http://127.0.0.1:{port}/callback"), 1)
        notes = self.home.use_browser(self.stand)
        self.ok("login", "--scope", "openid")
        self.assertIn(f'"http://127.0.0.1:{port}/', notes.read_text())

    def test_a_guarded_issuer_wants_an_initial_access_token(self):
        guarded = self.stand.provider.guarded
        self.add_profile(issuer=guarded)
        self.fails(5, "register")
        self.assertFalse(self.home.registration_file.exists())
        token = self.stand.provider.service_token("register", guarded)
        self.ok("register", "--initial-access-token-file", "-", input=token + "\n")
        self.assertNotIn(token, self.home.registration_file.read_text())

    def test_a_given_client_is_taken_as_it_is(self):
        self.add_profile()
        self.ok("profile", "set", "anonymousScope=register")
        events = self.stand.provider.events()
        self.ok("register", "--client-id", GATEWAY[0], "--client-secret-file", "-",
                input=GATEWAY[1] + "\n")
        self.assertEqual(events.count("registered"), 0)
        self.ok("login", "--anonymous")
        token = self.ok("token", "--anonymous").text.strip()
        self.assertEqual(self.stand.provider.introspect(token)["client_id"], GATEWAY[0])

    def test_a_wrong_client_secret_is_refused_by_the_server(self):
        self.add_profile()
        secret = self.home.directory / "secret"
        secret.write_text("wrong\n")
        secret.chmod(0o600)
        self.ok("register", "--client-id", GATEWAY[0], "--client-secret-file", secret)
        self.fails(5, "login", "--anonymous")
        self.assertFalse(self.home.slot_file("anonymous").exists())
