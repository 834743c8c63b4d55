"""SD-JWTs that another library issues and presents: sd-jwt of PyPI, a reference implementation."""

import json

from Servers.case import Case
from Servers.virtual_environment import VirtualEnvironment

ENVIRONMENT = VirtualEnvironment("sd-jwt")
VERIFIER = {"aud": "https://verifier.test", "nonce": "n-0S6_WzA2Mj"}


class SDJWTTests(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        ENVIRONMENT.use()
        from jwcrypto.jwk import JWK
        from sd_jwt.common import SDObj
        from sd_jwt.holder import SDJWTHolder
        from sd_jwt.issuer import SDJWTIssuer
        cls.jwk, cls.hidden, cls.issuer_class, cls.holder_class = JWK, SDObj, SDJWTIssuer, SDJWTHolder

    def setUp(self):
        super().setUp()
        self.issuer, self.holder = (self.jwk.generate(kty="EC", crv="P-256") for _ in range(2))
        self.key = self.write("issuer.jwk", self.issuer.export_public())

    def claims(self) -> dict:
        hidden = self.hidden
        return {"iss": "https://id.test", "exp": 4102444800, hidden("given_name"): "Zoë \U0001F600",
                hidden("address"): {"country": "CH", hidden("street"): "Weg 1"},
                "nationalities": [hidden("CH"), hidden("FR"), "DE"]}

    def issue(self, **options) -> str:
        return self.issuer_class(self.claims(), self.issuer, self.holder, add_decoy_claims=True,
                                 extra_header_parameters={"typ": "example+sd-jwt"}, **options).sd_jwt_issuance

    def present(self, issued, disclosed, *, key=None, **binding) -> str:
        holder = self.holder_class(issued)
        binding = {**VERIFIER, **binding}
        holder.create_presentation(disclosed, binding["nonce"], binding["aud"], key or self.holder)
        return holder.sd_jwt_presentation

    def verify(self, token, *options):
        return self.home.run("token", "verify", "--json", "--key", self.key, *options, self.write("t", token))

    def shown(self, command, *arguments) -> dict:
        return json.loads(self.home.run("token", command, "--json", *arguments).text)

    def refused(self, check, token, *options):
        result = self.verify(token, *options)
        self.assertEqual(result.exit, 11, result)
        self.assertIn(check, json.loads(result.text)["failed"], result)

    BINDING = ("--kb-aud", VERIFIER["aud"], "--kb-nonce", VERIFIER["nonce"])

    def test_what_it_issues_has_all_claims(self):
        result = self.verify(self.issue())
        self.assertEqual(result.exit, 0, result)
        decoded = self.shown("decode", self.write("t", self.issue()))
        self.assertEqual(decoded["claims"]["address"], {"country": "CH", "street": "Weg 1"})
        self.assertEqual(decoded["claims"]["nationalities"], ["CH", "FR", "DE"])
        self.assertEqual(decoded["claims"]["given_name"], "Zoë \U0001F600")
        self.assertGreaterEqual(decoded["undisclosed"], 0)

    def test_a_presentation_shows_what_its_holder_chose(self):
        token = self.present(self.issue(), {"address": {"street": False}, "nationalities": [False, True]})
        result = self.verify(token, *self.BINDING)
        self.assertEqual(result.exit, 0, result)
        claims = self.shown("decode", self.write("t", token))["claims"]
        self.assertEqual(claims["address"], {"country": "CH"})
        self.assertEqual(claims["nationalities"], ["FR", "DE"])
        self.assertNotIn("given_name", claims)
        lint = self.home.run("token", "lint", "--json", self.write("t", token))
        self.assertNotIn("key-binding", lint.text)
        self.assertNotIn("disclosures", lint.text)

    def test_presentations_for_others_and_by_others_are_refused(self):
        issued = self.issue()
        self.refused("kb-aud", self.present(issued, {}, aud="https://other.test"), *self.BINDING)
        self.refused("kb-nonce", self.present(issued, {}, nonce="old"), *self.BINDING)
        self.refused("kb", self.present(issued, {}, key=self.issuer), *self.BINDING)
        # The key binding of one presentation at the disclosures of another.
        one, other = (self.present(issued, disclosed) for disclosed in ({}, {"given_name": True}))
        mixed = other[:other.rindex("~") + 1] + one[one.rindex("~") + 1:]
        self.refused("sd_hash", mixed, *self.BINDING)
        self.refused("kb", other[:other.rindex("~") + 1], *self.BINDING)

    def test_changed_disclosures_and_issuers_are_refused(self):
        issued = self.issue()
        head, *disclosures, last = issued.split("~")
        for changed in (disclosures + [disclosures[0]], [disclosures[0][:-2] + "AA", *disclosures[1:]],
                        [self.issue().split("~")[1], *disclosures]):
            result = self.verify("~".join([head, *changed, last]))
            self.assertEqual(result.exit, 11, result)
        self.issuer = self.jwk.generate(kty="EC", crv="P-256")
        self.refused("signature", self.issue())

    def test_check_and_diff_see_the_disclosed_values(self):
        issued = self.issue()
        whole = self.write("whole", issued)
        part = self.write("part", self.present(issued, {"nationalities": [True, True]}))
        self.ok("token", "test", "--iss", "https://id.test", whole)
        self.fails(11, "token", "test", "--iss", "https://other.test", part)
        found = self.shown("diff", whole, part)["differences"]
        self.assertEqual([row["path"] for row in found], ["payload.address", "payload.given_name"])
        self.assertEqual(found[1]["a"], "Zoë \U0001F600")
