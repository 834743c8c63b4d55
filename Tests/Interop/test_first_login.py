"""A new user's first login: `profile add`, `register`, `login`, and no other option."""

from Servers.case import Case
from Servers.sandbox import Sandbox
from Servers.stand import CanailleStand, LemonLDAPStand


class FirstLoginTests(Case):
    def test_at_glewlwyd(self):
        self.log_in_at(self.stand.provider.issuer, self.stand.gateway.url, "/api/me",
                       self.stand)

    def test_at_lemonldap(self):
        self.stand_type = LemonLDAPStand
        self.log_in_at_forms()

    def test_at_canaille(self):
        self.stand_type = CanailleStand
        self.log_in_at_forms()

    def test_at_the_sandbox(self):
        sandbox = Sandbox.shared()
        sandbox.command("reset")
        self.log_in_at(sandbox.issuer, sandbox.url, "/echo", sandbox)

    def log_in_at_forms(self):
        self.log_in_at(self.stand.provider.issuer, self.stand.gateway.url, "/api/me",
                       self.stand, **self.stand.provider.person)

    def log_in_at(self, issuer, resource, path, trusted, **settings):
        self.home.environment["SSL_CERT_FILE"] = str(trusted.ca_file)
        self.home.use_browser(trusted, **settings)
        self.ok("profile", "add", self.home.name, "--issuer", issuer,
                "--resource-url", resource, "--pin", "--yes")
        self.ok("register")
        self.ok("login")
        self.ok("token")
        self.ok("token", "userinfo")
        self.ok("fetch", path)
