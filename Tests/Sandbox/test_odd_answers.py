"""Answers of the sandbox that are odd as a whole: keys that are gone or too many, another port."""

from Servers.client import Client
from Servers.sandbox import SandboxCase


class SecondPortTests(SandboxCase):
    """The port for mutual TLS is the same host: the profile trusts it, and so do its pins."""

    def test_the_profile_is_good_for_the_port_for_mutual_tls(self):
        self.add_session()
        base = self.sandbox.facts["mtlsURL"]
        self.assertNotEqual(base, self.sandbox.issuer)
        result = self.ok("fetch", "--unauth", base + "/resources/unauthenticated")
        self.assertEqual(result.out, b"OK")
        self.ok("profile", "set", f"resourceURL={base}/resources")
        self.ok("fetch", "--user", "/devices")

    def test_what_the_metadata_announces_is_there(self):
        web = Client(self.sandbox.ca_file)
        facts = web.get(self.sandbox.issuer + "/.well-known/openid-configuration").json()
        for name, address in facts["mtls_endpoint_aliases"].items():
            status = web.request("POST", address, form={}).status
            self.assertIn(status, (400, 401), name)
