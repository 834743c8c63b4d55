"""`proxy` in front of resources that want more than a token: a proof, a certificate, a stronger login."""

import json
import subprocess
import threading

from Servers.client import Client
from Servers.proxies import ProxyStarter
from Servers.sandbox import SCOPE, SandboxCase

OTP = "urn:sandbox:otp"


class ProofTests(ProxyStarter, SandboxCase):
    def setUp(self):
        super().setUp()
        self.ok("profile", "set", "dpop=on")
        self.add_session()
        self.nonces = self.home.store / "cache/nonces" / f"{self.home.name}.json"

    def test_each_request_has_a_proof_of_its_own(self):
        self.start()
        self.assertEqual(self.jsonOf(self.ok("token", "--json"))["tokenType"], "DPoP")
        for _ in range(3):
            self.assertIn("devices", json.loads(self.curl("/devices").stdout))
        token = self.ok("token").text.strip()
        alone = Client(self.sandbox.ca_file).get(
            f"{self.sandbox.url.rstrip('/')}/devices", fields={"Authorization": f"DPoP {token}"})
        self.assertEqual(alone.status, 401)

    def test_a_nonce_that_has_become_old_costs_a_request_that_the_client_does_not_see(self):
        document = json.loads(self.nonces.read_text())
        document["nonces"] = {origin: "stale" for origin in document["nonces"]}
        self.nonces.write_text(json.dumps(document))
        self.start()
        done = self.curl("/devices", "-w", "\\n%{http_code}")
        self.assertTrue(done.stdout.endswith(b"\n200"), done)
        self.assertNotIn("stale", self.nonces.read_text())

    def test_a_proof_of_the_client_is_not_passed_on(self):
        self.start()
        done = self.curl("/devices", "-H", "DPoP: e30.e30.e30", "-w", "\\n%{http_code}")
        self.assertTrue(done.stdout.endswith(b"\n200"), done)


class CertificateTests(ProxyStarter, SandboxCase):
    def test_the_certificate_that_a_token_is_bound_to_is_shown(self):
        base = self.sandbox.facts["mtlsURL"]
        self.ok("profile", "set", f"resourceURL={base}/resources", "scope=" + SCOPE)
        self.ok("register", "--auth-method", "self_signed_tls_client_auth")
        self.use_person()
        self.ok("login")
        self.start()
        self.assertIn("devices", json.loads(self.curl("/devices").stdout))
        token = self.ok("token").text.strip()
        alone = Client(self.sandbox.ca_file).get(
            f"{base}/resources/devices", fields={"Authorization": f"Bearer {token}"})
        self.assertEqual(alone.status, 401)


class StepUpTests(ProxyStarter, SandboxCase):
    def setUp(self):
        super().setUp()
        self.add_session()

    def test_without_interactive_the_refusal_comes_back_and_no_browser(self):
        self.use_person()
        before = self.sandbox.requests("token")
        self.start()
        done = self.curl("/step-up", "-i")
        self.assertIn(b"401", done.stdout.splitlines()[0])
        self.assertIn(b"insufficient_user_authentication", done.stdout)
        self.assertEqual(self.sandbox.requests("token"), before)
        self.assertEqual(self.sandbox.grants("authorization_code"), 1)
        self.assertIn("devices", json.loads(self.curl("/devices").stdout))

    def test_with_interactive_a_browser_comes_once(self):
        self.use_person()
        self.start("--interactive")
        for _ in range(2):
            self.assertEqual(json.loads(self.curl("/step-up").stdout)["acr"], OTP)
        self.assertEqual(self.sandbox.grants("authorization_code"), 2)

    def test_clients_that_come_at_once_with_an_expired_token_cost_one_refresh(self):
        self.start()
        self.home.expire()
        before = self.sandbox.grants("refresh_token")
        statuses = []

        def ask():
            done = self.curl("/devices", "-o", "/dev/null", "-w", "%{http_code}")
            statuses.append(done.stdout)

        clients = [threading.Thread(target=ask) for _ in range(8)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        self.assertEqual(statuses, [b"200"] * 8)
        self.assertEqual(self.sandbox.grants("refresh_token"), before + 1)


class ClientTests(ProxyStarter, SandboxCase):
    def setUp(self):
        super().setUp()
        self.register()
        self.start("--anonymous")

    def test_requests_of_python(self):
        script = """if True:
            import requests, sys
            with requests.Session() as session:
                for _ in range(3):
                    response = session.get(sys.argv[1] + "/application-details", timeout=30)
                    response.raise_for_status()
                    assert response.json()["application_identifier"], response.text
                assert session.post(sys.argv[1] + "/nosuch", data=iter([b"a", b"b"])).status_code == 404
        """
        subprocess.run(["python3", "-c", script, self.url], check=True)
