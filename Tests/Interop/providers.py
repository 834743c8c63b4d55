"""What the tests against the providers with plain forms share."""

import json

from Servers.case import Case


class ProviderCase(Case):
    """A profile with pins, and the provider's person at the browser; nothing else is set."""

    def setUp(self):
        super().setUp()
        self.provider = self.stand.provider
        self.add_profile()
        self.use_person()

    def use_person(self, action="accept", **settings):
        return self.home.use_browser(self.stand, action, **self.provider.person | settings)

    def add_session(self):
        self.ok("register")
        self.ok("login")

    def token(self, *options) -> str:
        return self.ok("token", *options).text.strip()

    def facts(self, *options) -> dict:
        return self.jsonOf(self.ok("token", "--json", *options))

    def client(self) -> dict:
        """The client as the registration keeps it."""
        return json.loads(self.home.registration_file.read_text())["client"]

    def assertBearerReaches(self, path, *options):
        """A fetch reaches the gateway, which asks the provider about the token."""
        token = self.token()
        echo = self.jsonOf(self.ok("fetch", *options, path))
        self.assertEqual(echo["fields"]["authorization"], ["Bearer " + token])
