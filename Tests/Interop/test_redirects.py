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

    def test_to_plain_http_is_refused(self):
        result = self.fails(10, "fetch", "--user", "/redirect/http")
        self.assertError(result, "http|redirect")
        self.assertEqual(len(self.log.lines()), 1)

    def test_to_user_information_or_another_scheme_is_refused(self):
        for where in ("userinfo", "file"):
            with self.subTest(where):
                self.log.mark()
                result = self.fails(10, "fetch", "--user", "/redirect/" + where)
                self.assertEqual(len(self.log.lines()), 1)
                self.assertNotIn("secret", result.err)
                self.assertNotIn(b"root:", result.out)

    def test_ten_are_followed_and_no_more(self):
        self.ok("fetch", "--user", "/redirect/many/9")
        self.assertEqual(len(self.log.lines()), 11)
        self.log.mark()
        self.fails(1, "fetch", "--user", "/redirect/many/20")
        self.assertEqual(len(self.log.lines()), 11)

    def test_a_loop_ends(self):
        result = self.fails(1, "fetch", "--user", "/redirect/loop")
        self.assertIn("redirect", result.err)
        self.assertLessEqual(len(self.log.lines()), 11)

    def test_307_repeats_method_and_body(self):
        echo = self.jsonOf(self.ok("fetch", "--user", "-X", "POST", "--data", "once",
                                   "/redirect/same"))
        self.assertEqual((echo["method"], echo["body"]), ("POST", "once"))
