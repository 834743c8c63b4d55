"""Redirects: followed by our own loop, with pins for every hop and credentials for none but the first."""

from Servers.case import Case


class RedirectTests(Case):
    def setUp(self):
        super().setUp()
        self.add_session()
        self.log = self.stand.gateway.requests()

    def test_on_the_same_origin_the_credential_stays(self):
        echo = self.jsonOf(self.ok("fetch", "--user", "/redirect/same"))
        self.assertIn("authorization", echo["fields"])
        self.assertEqual(len(self.log.lines()), 2)

    def test_to_a_host_without_pins_nothing_is_sent(self):
        self.fails(8, "fetch", "--user", "/redirect/other")
        self.assertNoRequest(self.log, seen=["/redirect/other"])
        self.assertEqual(len(self.log.lines()), 1)

    def test_to_another_origin_the_credential_is_dropped(self):
        self.ok("pin", "add", self.stand.gateway.at("main", "127.0.0.1"), "--yes")
        for where in ("other", "port"):
            with self.subTest(where):
                echo = self.jsonOf(self.ok("fetch", "--user", "/redirect/" + where))
                self.assertNotIn("authorization", echo["fields"])
