"""Tokens that are bound to a key (RFC 9449), at a server that we did not write."""

import json

from Servers.case import Case


class BoundTokenCase(Case):
    def setUp(self):
        super().setUp()
        provider = self.stand.provider
        self.add_profile(issuer=self.issuer)
        # It compares the address as it announces it: with a double slash.
        self.userinfo = provider.metadata(self.issuer)["userinfo_endpoint"]
        self.ok("profile", "set", "scope=openid", "anonymousScope=openid", "dpop=required",
                f"allowedHosts=localhost:{provider.port}")
        self.ok("register", *self.registration(), input=self.initial_token())
        self.home.use_browser(self.stand)
        self.ok("login")

    def registration(self):
        return []

    def initial_token(self):
        return None

    def facts(self, *arguments):
        return self.jsonOf(self.ok("token", "--json", *arguments))


class BoundTokenTests(BoundTokenCase):
    @property
    def issuer(self):
        return self.stand.provider.issuer

    def ask(self, method="GET", url=None, **changes):
        """Asks who alice is with the header lines that `token` prints for a request."""
        lines = self.ok("token", "--header", "--proof-for", f"{method} {url or self.userinfo}").text
        fields = dict(line.split(": ", 1) for line in lines.splitlines()) | changes
        return self.stand.provider.client().get(self.userinfo, fields=fields), fields

    def test_a_login_binds_its_tokens(self):
        facts = self.facts()
        self.assertEqual(facts["tokenType"], "DPoP")
        told = self.stand.provider.introspect(facts["accessToken"])
        self.assertEqual((told["token_type"], told["cnf"]["jkt"]), ("DPoP", facts["jkt"]))

    def test_a_refresh_proves_the_key_again(self):
        before = self.facts()
        self.home.expire()
        after = self.facts()
        self.assertEqual((after["tokenType"], after["jkt"]), ("DPoP", before["jkt"]))
        self.assertNotEqual(after["accessToken"], before["accessToken"])

    def test_an_installation_proves_it_too(self):
        self.assertEqual(self.facts("--anonymous")["tokenType"], "DPoP")

    def test_the_server_takes_our_proofs(self):
        for _ in range(2):
            self.assertIn("sub", self.jsonOf(self.ok("fetch", "--user", self.userinfo)))

    def test_it_takes_each_once_and_for_its_request(self):
        answer, fields = self.ask()
        self.assertEqual(answer.status, 200, answer)
        client = self.stand.provider.client()
        self.assertEqual(client.get(self.userinfo, fields=fields).status, 401)
        self.assertEqual(self.ask("POST")[0].status, 401)
        self.assertEqual(self.ask(url=self.stand.gateway.url + "/api/me")[0].status, 401)
        self.assertEqual(self.ask(DPoP="e30.e30.e30")[0].status, 401)


class NonceTests(BoundTokenCase):
    """The second issuer wants its nonce in each proof."""

    @property
    def issuer(self):
        return self.stand.provider.guarded

    def registration(self):
        return ["--initial-access-token-file", "-"]

    def initial_token(self):
        return self.stand.provider.service_token("register", self.issuer)

    @property
    def nonces(self):
        path = self.home.store / "cache/nonces" / (self.home.name + ".json")
        return json.loads(path.read_text())["nonces"]

    def test_a_nonce_is_asked_for_and_learned(self):
        self.assertEqual(self.facts()["tokenType"], "DPoP")
        self.assertTrue(self.nonces)
        for _ in range(3):
            self.home.expire()
            self.facts()
            self.ok("fetch", "--user", self.userinfo)
