"""Client authentication by JWT and the management of a registration, against Glewlwyd."""

import json

from Servers.case import Case


class ManagementTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()
        self.ok("profile", "set", "scope=openid notes", "anonymousScope=openid")

    def kept(self) -> dict:
        return json.loads(self.home.registration_file.read_text())["client"]

    def test_clients_that_sign_get_and_revoke_tokens(self):
        for method in ("client_secret_jwt", "private_key_jwt", "client_secret_post"):
            with self.subTest(method):
                self.ok("register", "--replace", "--auth-method", method)
                self.ok("login", "--anonymous")
                token = self.ok("token", "--anonymous").text.strip()
                self.assertTrue(self.stand.provider.introspect(token)["active"])
                self.ok("logout", "--anonymous")
                self.assertFalse(self.stand.provider.introspect(token)["active"])

    def test_a_user_logs_in_with_a_client_that_signs(self):
        for method in ("client_secret_jwt", "private_key_jwt"):
            with self.subTest(method):
                self.ok("register", "--replace", "--auth-method", method)
                self.home.use_browser(self.stand)
                self.ok("login")
                self.ok("token", "--fresh")
                self.ok("logout")

    def test_another_key_is_refused(self):
        self.ok("register", "--auth-method", "private_key_jwt")
        client = self.kept()["client_id"]
        self.ok("deregister", "--local", "--yes")  # the server still knows it
        self.ok("register", "--auth-method", "private_key_jwt")
        document = json.loads(self.home.registration_file.read_text())
        document["client"]["client_id"] = client
        self.home.registration_file.write_text(json.dumps(document))
        self.fails(5, "login", "--anonymous")

    def test_show_and_update_leave_a_client_that_works(self):
        self.ok("register", "--client-name", "First", "--contact", "ops@example.com")
        before = self.kept()
        shown = self.jsonOf(self.ok("register", "show", "--json"))["metadata"]
        self.assertEqual((shown["client_name"], shown["contacts"]),
                         ("First", ["ops@example.com"]))
        self.ok("register", "update", "--client-name", "Second")
        shown = self.jsonOf(self.ok("register", "show", "--json"))["metadata"]
        self.assertEqual((shown["client_name"], shown["contacts"], shown["redirect_uris"]),
                         ("Second", ["ops@example.com"], before["redirect_uris"]))
        # Glewlwyd makes a new secret at each update: it is the one that counts from then on.
        self.assertNotEqual(self.kept()["client_secret"], before["client_secret"])
        self.ok("login", "--anonymous")

    def test_a_wrong_registration_token_is_refused(self):
        self.ok("register")
        text = self.home.registration_file.read_text()
        token = self.kept()["registration_access_token"]
        self.home.registration_file.write_text(text.replace(token, "wrong"))
        for words in (["register", "show"], ["register", "update"]):
            self.fails(5, *words)
        self.assertEqual(self.home.run("deregister", "--yes").exit, 5)
        self.home.registration_file.write_text(text)
        self.ok("deregister", "--yes")

    def test_deregister_deletes_the_client_and_its_tokens(self):
        self.ok("register")
        self.home.use_browser(self.stand)
        self.ok("login")
        token = self.ok("token").text.strip()
        client, events = self.kept()["client_id"], self.stand.provider.events()
        self.ok("deregister", "--yes")
        self.assertEqual(events.count(f"client '{client}' deleted"), 1)
        self.assertFalse(self.stand.provider.introspect(token)["active"])
        self.assertFalse(self.home.registration_file.exists())
        self.assertFalse(self.home.slot_file().exists())
