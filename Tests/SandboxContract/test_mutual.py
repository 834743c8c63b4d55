"""Mutual TLS (RFC 8705) by Python's ssl, openssl and curl: which client is let in."""

import json
import socket
import ssl
import subprocess
import unittest

from browser import HTTP
from certificates import EC, OWN, SELF, ask, certified, foreign, jwk_of, thumbprint, x5c
from client import Client, Key, basic
from program import Sandbox, folder, run, shared
from test_foreign import command, need


class Metadata(unittest.TestCase):
    def test_discovery_announces_the_other_port(self):
        facts = HTTP(shared()).get("/.well-known/openid-configuration").json
        base = f"https://localhost:{shared().mtls_port}"
        self.assertEqual(shared().facts["mtlsURL"], base)
        self.assertEqual(shared().status()["mtlsURL"], base)
        aliases = facts["mtls_endpoint_aliases"]
        for name, path in (
            ("token", "/token"), ("userinfo", "/userinfo"), ("revocation", "/revoke"),
            ("introspection", "/introspect"), ("pushed_authorization_request", "/par"),
            ("device_authorization", "/device_authorization"),
        ):
            self.assertEqual(aliases[f"{name}_endpoint"], base + path)
        self.assertTrue(facts["tls_client_certificate_bound_access_tokens"])
        for method in (OWN, SELF):
            self.assertIn(method, facts["token_endpoint_auth_methods_supported"])
        there = HTTP(shared(), mutual=True).get("/.well-known/openid-configuration").json
        self.assertEqual(there, facts)

    def test_the_port_may_be_chosen(self):
        sandbox = Sandbox("--mtls-port=0")
        self.addCleanup(sandbox.stop)
        self.assertNotIn(sandbox.mtls_port, (0, sandbox.port))
        refused = run(
            "start", "--background", "--port=0", f"--mtls-port={sandbox.mtls_port}",
            directory=folder(self), check=False)
        self.assertEqual(refused.returncode, 6)
        self.assertIn(f"port {sandbox.mtls_port}: another program has it", refused.stderr)

    def test_a_taken_port_next_to_the_first_is_passed_over(self):
        for _ in range(20):
            with socket.create_server(("127.0.0.1", 0)) as taken:
                port = taken.getsockname()[1]
                try:
                    sandbox = Sandbox(port=port - 1)
                except AssertionError:  # the first port is taken as well
                    continue
                self.addCleanup(sandbox.stop)
                self.assertEqual(sandbox.port, port - 1)
                self.assertNotIn(sandbox.mtls_port, (0, port, port - 1))
                self.assertEqual(HTTP(sandbox, mutual=True).get("/jwks").status, 200)
                return
        self.fail("no pair of ports was free")

class Authority(unittest.TestCase):
    """`tls_client_auth`: a chain to an authority, and a registered name."""

    @classmethod
    def setUpClass(cls):
        cls.certificate = shared().certificate("robot")

    def test_each_kind_of_name(self):
        for member, name, other in (
            ("subject_dn", "CN=robot,O=sdkctl sandbox", "CN=robot"),
            ("subject_dn", "cn=robot, o=sdkctl sandbox", "O=sdkctl sandbox,CN=robot"),
            ("subject_dn", "cn=robot,  o=sdkctl sandbox ", "CN=Robot,O=sdkctl sandbox"),
            ("san_dns", "Robot", "robot.example"),
            ("san_uri", "urn:sandbox:client:robot", "urn:sandbox:client:Robot"),
            ("san_ip", "127.0.0.1", "::1"), ("san_ip", "127.0.0.1", "localhost"),
            ("san_email", "robot@example.com", "robot@example.org"),
        ):
            for registered, status in ((name, 200), (other, 401)):
                client = certified(OWN, **{f"tls_client_auth_{member}": registered})
                self.assertIsNone(client.secret)
                answer = ask(client, self.certificate)
                self.assertEqual(answer.status, status, (member, registered, answer.text))
                if status == 401:
                    self.assertEqual(answer.json["error"], "invalid_client")

    def test_openssl_names_the_certificate_as_it_is_registered(self):
        text = subprocess.run(
            ["openssl", "x509", "-in", self.certificate["certificate"], "-noout", "-subject",
             "-nameopt", "RFC2253"], check=True, capture_output=True, text=True).stdout
        self.assertEqual(text.strip(), "subject=" + self.certificate["subjectDN"])
        self.assertEqual(thumbprint(self.certificate), self.certificate["x5t#S256"])
        command(
            "openssl", "verify", "-x509_strict", "-purpose", "sslclient", "-CAfile",
            shared().ca_file, "-untrusted", self.certificate["certificate"],
            self.certificate["certificate"])

    def test_wrong_certificates_and_none_are_refused(self):
        client = certified(OWN, tls_client_auth_san_dns="robot")
        self.assertEqual(ask(client, self.certificate).status, 200)
        for name, certificate in (
            ("none", None), ("another", shared().certificate("lamp")),
            ("self-signed", shared().certificate("robot", "--self-signed", file="alone")),
            ("expired", shared().certificate("robot", "--expired", file="late")),
            ("foreign", foreign("robot", EC, "-addext", "subjectAltName=DNS:robot")),
        ):
            answer = ask(client, certificate)
            self.assertEqual(
                (answer.status, answer.json["error"]), (401, "invalid_client"), name)

    def test_the_certificate_counts_at_its_own_port_only(self):
        client = certified(OWN, tls_client_auth_san_dns="robot")
        here = HTTP(shared(), self.certificate)
        here.port = shared().port
        self.assertEqual(ask(client, None, here).status, 401)

    def test_a_secret_is_no_substitute(self):
        client = certified(OWN, tls_client_auth_san_dns="robot")
        answer = HTTP(shared(), self.certificate).post(
            "/token", form={"grant_type": "client_credentials"},
            fields={"Authorization": basic(client.id, "anything")})
        self.assertEqual(answer.status, 401)

    def test_the_other_endpoints_take_the_certificate_too(self):
        client = certified(OWN, tls_client_auth_san_dns="robot")
        http = HTTP(shared(), self.certificate)
        token = ask(client, self.certificate).json["access_token"]
        own = {"token": token, "client_id": client.id}
        self.assertTrue(http.post("/introspect", form=own).json["active"])
        self.assertEqual(HTTP(shared()).post("/introspect", form=own).status, 401)
        self.assertEqual(http.post("/revoke", form=own).status, 200)
        self.assertFalse(http.post("/introspect", form=own).json["active"])

    def test_an_authority_given_at_the_start_is_believed(self):
        mine = foreign("robot", EC, "-addext", "subjectAltName=DNS:robot")
        sandbox = Sandbox(f"--client-ca={mine['certificate']}")
        self.addCleanup(sandbox.stop)
        client = Client(
            sandbox, token_endpoint_auth_method=OWN, tls_client_auth_san_dns="robot")
        self.assertEqual(ask(client, None, HTTP(sandbox, mine)).status, 200)
        self.assertEqual(ask(client, None, HTTP(sandbox, self.certificate)).status, 401)
        self.assertEqual(
            ask(client, None, HTTP(sandbox, sandbox.certificate("robot"))).status, 200)

    @need("openssl")
    def test_openssl_is_asked_for_a_certificate_at_that_port_only(self):
        for port, expected in ((shared().mtls_port, False), (shared().port, True)):
            done = command(
                "openssl", "s_client", "-connect", f"localhost:{port}", "-CAfile",
                shared().ca_file, "-tls1_2", input="")
            self.assertIn("Verify return code: 0 (ok)", done.stdout)
            self.assertEqual("No client certificate CA names sent" in done.stdout
                             and "Client Certificate Types" not in done.stdout, expected)

    def test_a_resumed_session_still_has_its_certificate(self):
        client = certified(OWN, tls_client_auth_san_dns="robot")
        body = f"grant_type=client_credentials&client_id={client.id}"
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            http = HTTP(shared(), self.certificate)
            http.context.maximum_version = http.context.minimum_version = version
            session, statuses = None, []
            for _ in range(3):
                connection = http.client_connection(session)
                connection.request("POST", "/token", body, {
                    "Content-Type": "application/x-www-form-urlencoded"})
                answer = connection.getresponse()
                statuses.append((answer.status, answer.read())[0])
                session, reused = connection.sock.session, connection.sock.session_reused
                connection.close()
            self.assertEqual(statuses, [200, 200, 200])
            self.assertTrue(reused)


class SelfSigned(unittest.TestCase):
    """`self_signed_tls_client_auth`: the certificate or its key is in the registered set."""

    def test_the_registered_certificate_or_key_is_accepted_and_no_other(self):
        for mine in (
            foreign("anything", EC), foreign("anything", ("rsa:2048",)),
            shared().certificate("lone", "--self-signed"),
        ):
            jwk = mine.get("jwk") or jwk_of(mine)
            other = foreign("anything", EC)
            bare = {key: value for key, value in jwk.items() if not key.startswith("x5")}
            for keys in ([{**bare, "x5c": [x5c(mine)]}], [bare], [Key().jwk, bare]):
                client = certified(SELF, jwks={"keys": keys})
                self.assertEqual(ask(client, mine).status, 200)
                for certificate in (None, other):
                    answer = ask(client, certificate)
                    self.assertEqual(
                        (answer.status, answer.json["error"]), (401, "invalid_client"))

    def test_another_certificate_of_the_registered_key_is_not_the_registered_one(self):
        mine = foreign("first", EC)
        again = {"certificate": mine["certificate"] + ".2", "key": mine["key"]}
        subprocess.run(
            ["openssl", "req", "-x509", "-key", mine["key"], "-subj", "/CN=second", "-days", "2",
             "-out", again["certificate"]], check=True, capture_output=True)
        by_certificate = certified(SELF, jwks={"keys": [{**jwk_of(mine), "x5c": [x5c(mine)]}]})
        by_key = certified(SELF, jwks={"keys": [jwk_of(mine)]})
        self.assertEqual(ask(by_certificate, again).status, 401)
        self.assertEqual(ask(by_key, again).status, 200)

    def test_an_expired_certificate_is_refused(self):
        mine = shared().certificate("late", "--self-signed", "--expired")
        client = certified(SELF, jwks={"keys": [mine["jwk"]]})
        self.assertEqual(ask(client, mine).status, 401)
