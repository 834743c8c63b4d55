"""The whole job against the sandbox."""

from Servers.sandbox import SandboxCase


class JobTests(SandboxCase):
    def test_a_person_does_the_whole_job(self):
        self.register()
        self.use_person()
        self.ok("login")
        self.assertEqual([note["h1"] for note in self.notes()],
                         ["Sign in", "Allow access?", "You are signed in"])
        token = self.ok("token").text.strip()
        claims = self.jsonOf(self.ok("token", "decode", "--json"))["payload"]
        self.assertEqual(claims["iss"], self.sandbox.issuer)
        self.assertEqual(claims["aud"], self.sandbox.url)
        self.assertTrue(self.sandbox.introspect(token)["active"])
        [device] = self.jsonOf(self.ok("fetch", "--user", "/devices"))["devices"]
        self.assertTrue(device["current"])
        self.assertEqual(device["id"], claims["client_id"])
        self.ok("logout")
        self.assertFalse(self.sandbox.introspect(token)["active"])
        self.assertFailed(self.home.run("fetch", "--user", "/devices"), 4)
        self.assertEqual(self.home.unsafe_modes(), [])
