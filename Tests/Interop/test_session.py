"""The main job, end to end: profile, pins, register, login, token, fetch, logout."""

import json

from Servers.case import Case
from Servers.documents import find


class SessionTests(Case):
    def test_a_person_does_the_whole_job(self):
        self.add_profile()
        self.assertIn("test", self.ok("profile", "list").text)
        self.assertIn("localhost", self.ok("pin", "list").text)
        self.ok("profile", "set", "scope=openid notes", "anonymousScope=openid")
        self.ok("register")
        self.home.use_browser(self.stand)
        self.ok("login")
        token = self.ok("token").text
        self.assertRegex(token, r"\A[\w-]+\.[\w-]+\.[\w-]+\n\Z")
        self.assertTrue(self.stand.provider.introspect(token.strip())["active"])
        log = self.stand.gateway.requests()
        echo = self.jsonOf(self.ok("fetch", "--user", "/api/notes"))
        self.assertEqual(echo["fields"]["authorization"], ["Bearer " + token.strip()])
        self.assertEqual(log.count('"GET /api/notes'), 1)
        self.ok("logout")
        self.assertFalse(self.stand.provider.introspect(token.strip())["active"])
        self.assertFailed(self.home.run("token"), 4)

    def test_anonymous_fetch_carries_a_token_of_the_client_alone(self):
        self.add_registered()
        result = self.ok("fetch", "--anonymous", "/api/me")
        token = self.jsonOf(result)["fields"]["authorization"][0].removeprefix("Bearer ")
        said = self.stand.provider.introspect(token)
        self.assertTrue(said["active"])
        self.assertEqual(said["client_id"], self.client_id())
        self.assertNotIn("username", said)

    def test_login_anonymous_fills_the_device_slot(self):
        self.add_registered()
        self.ok("login", "--anonymous")
        token = self.ok("token", "--anonymous").text.strip()
        self.assertTrue(self.stand.provider.introspect(token)["active"])
        self.assertFalse(self.home.slot_file("user").exists())
        self.assertFailed(self.home.run("token", "--user"), 4)

    def test_logout_revokes_the_refresh_token_too(self):
        self.add_session()
        kept = self.home.copy()
        self.addCleanup(kept.remove)
        self.ok("logout")
        self.assertFalse(self.home.slot_file().exists())
        kept.expire()
        self.assertEqual(kept.run("token").exit, 4)

    def client_id(self) -> str:
        return find(self.registration(), "client_id", "clientID")

    def registration(self):
        return json.loads(self.home.registration_file.read_text())
