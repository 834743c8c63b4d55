"""Clients that prove themselves by a certificate (RFC 8705), against Glewlwyd and nginx."""

import base64
import hashlib
import json
import os

from Servers.authority import run
from Servers.case import Case
from Servers.front import Front
from Servers.process import free_port
from Servers.tokens import PIN, SoftToken

NAMES = "DNS:client.test,URI:https://client.test/a,email:c@client.test,IP:10.1.2.3"


class MutualTLSTests(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        from Servers.stand import Stand
        stand = Stand.shared()
        cls.provider, cls.authority = stand.provider, stand.authority
        cls.front = Front(stand.directory / "front", cls.authority, cls.provider.port).start()
        cls.addClassCleanup(cls.front.stop)
        cls.admin = cls.provider.administrator()
        if not cls.authority.key("client").exists():
            cls._furnish()
        cls.mutual = cls.provider.origin + "/api/mutual"
        cls.fronted = cls.provider.origin + "/api/fronted"

    @classmethod
    def _furnish(cls):
        authority, provider = cls.authority, cls.provider
        authority._signed("client", "/O=sdkctl tests/CN=client, one", by="intermediate",
                          extensions=f"subjectAltName={NAMES}\nextendedKeyUsage=clientAuth\n")
        authority.chain("client").write_text(
            authority.certificate("client").read_text()
            + authority.certificate("intermediate").read_text())
        for name in ("alone", "else"):
            authority.self_signed(name, f"/CN={name}")
        for name in ("client", "alone", "else"):
            os.chmod(authority.key(name), 0o600)
        # Debian's client database does not know the member of the subject.
        backend = cls.admin.get(provider.origin + "/api/mod/client/database").json()
        single = {"multiple": False, "read": True, "write": True}
        backend["parameters"]["data-format"]["tls_client_auth_subject_dn"] = single
        for answer in (cls.admin.put(provider.origin + "/api/mod/client/database", json_body=backend),
                       cls.admin.put(provider.origin + "/api/mod/client/database/reset")):
            assert answer.status == 200, answer
        provider.add_issuer(cls.admin, "mutual", **{
            "client-cert-source": "TLS", "client-cert-use-endpoint-aliases": True})
        provider.add_issuer(cls.admin, "fronted", **{
            "client-cert-source": "header", "client-cert-header-name": Front.HEADER,
            "client-cert-use-endpoint-aliases": True})

    def kept(self) -> dict:
        return json.loads(self.home.registration_file.read_text())

    def adopt(self, client, method, certificate, *options):
        """Uses a client that exists, or soon will, and answers what it was told of itself."""
        file = self.authority.chain(certificate)
        if not file.exists():
            file = self.authority.certificate(certificate)
        self.ok("register", "--replace", "--client-id", client, "--auth-method", method,
                "--client-certificate", file, "--client-key-file", self.authority.key(certificate),
                *options)
        return self.kept()["client"]

    def claims(self, token: str) -> dict:
        part = token.split(".")[1]
        return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))

    def thumbprint(self, name: str) -> str:
        der = run("openssl", "x509", "-in", self.authority.certificate(name), "-outform", "DER")
        return base64.urlsafe_b64encode(hashlib.sha256(der).digest()).decode().rstrip("=")

    def add_mutual(self, issuer, **settings):
        self.add_profile(issuer=issuer, resource=self.front.at("strict"))
        self.ok("profile", "set", "scope=openid notes", "anonymousScope=introspect",
                *[f"{name}={value}" for name, value in settings.items()])

    def pushed(self) -> str:
        """What a login says until it waits for the browser."""
        self.ok("profile", "set", "par=true")
        process = self.home.start("-v", "login", "--no-browser")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        said = b""
        for line in process.stderr:
            said += line
            if b"request_uri=" in line:
                break
        process.kill()
        self.ok("profile", "unset", "par")
        return said.decode()

    def test_a_certificate_of_an_authority_by_each_of_its_names(self):
        self.add_mutual(self.mutual)
        for kind in ("subject", "dns", "uri", "ip", "email"):
            with self.subTest(kind):
                options = [] if kind == "subject" else ["--certificate-san", kind]
                kept = self.adopt(f"authority-{kind}", "tls_client_auth", "client", *options)
                member = ("tls_client_auth_subject_dn" if kind == "subject"
                          else f"tls_client_auth_san_{kind}")
                self.provider.add_client(self.admin, f"authority-{kind}", "tls_client_auth",
                                         **{member: kept[member]})
                self.ok("login", "--anonymous")
                token = self.ok("token", "--anonymous").text.strip()
                self.assertEqual(self.claims(token)["cnf"],
                                 {"x5t#S256": self.thumbprint("client")})

    def test_a_user_logs_in_refreshes_and_logs_out_at_the_aliases(self):
        self.add_mutual(self.mutual)
        port = free_port()
        kept = self.adopt("person", "tls_client_auth", "client", "--callback-port", str(port))
        self.provider.add_client(
            self.admin, "person", "tls_client_auth",
            tls_client_auth_subject_dn=kept["tls_client_auth_subject_dn"],
            redirect_uri=[f"http://127.0.0.1:{port}/callback"])
        self.assertIn("/mtls/par", self.pushed())
        self.home.use_browser(self.stand)
        self.assertIn("/mtls/token", self.ok("-v", "login").err)
        self.assertIn("/mtls/token", self.ok("-v", "token", "--fresh").err)
        token = self.ok("token").text.strip()
        self.assertEqual(self.claims(token)["cnf"], {"x5t#S256": self.thumbprint("client")})
        self.assertIn("/mtls/revoke", self.ok("-v", "logout").err)

    def test_a_key_in_a_security_token_authenticates_the_client(self):
        self.add_mutual(self.mutual)
        token = SoftToken(self.home.directory / "hsm")
        self.home.environment |= token.environment
        copy = self.home.directory / "key.pem"
        copy.write_bytes(self.authority.key("client").read_bytes())
        token.add_key(copy, "0a", "client")
        pin = self.home.directory / "pin"
        pin.write_text(PIN + "\n")
        pin.chmod(0o600)
        opened = ["--passphrase-file", pin]
        self.ok("identity", "import", self.authority.chain("client"), "--key-uri",
                "pkcs11:token=work;object=client", "--name", "card", *opened)
        self.ok("register", "--replace", "--client-id", "card", "--auth-method", "tls_client_auth",
                "--identity", "card", *opened)
        kept = self.kept()
        self.assertEqual(kept["identity"], "card")
        self.provider.add_client(
            self.admin, "card", "tls_client_auth",
            tls_client_auth_subject_dn=kept["client"]["tls_client_auth_subject_dn"])
        self.fails(9, "login", "--anonymous")
        self.assertIn("/mtls/token", self.ok("-v", "login", "--anonymous", *opened).err)
        bound = {"x5t#S256": self.thumbprint("client")}
        self.assertEqual(self.claims(self.ok("token", "--anonymous").text.strip())["cnf"], bound)
        renewed = self.ok("token", "--anonymous", "--fresh", *opened).text.strip()
        self.assertEqual(self.claims(renewed)["cnf"], bound)
        for path in self.home.store.rglob("*"):
            if path.is_file():
                self.assertNotIn(b"PRIVATE KEY", path.read_bytes(), path)
        # The identity is the person's, and stays when the client goes.
        self.ok("deregister", "--local", "--yes")
        self.ok("identity", "show", "card")

    def test_another_certificate_and_none_are_refused(self):
        self.add_mutual(self.mutual)
        kept = self.adopt("strict", "tls_client_auth", "client")
        self.provider.add_client(self.admin, "strict", "tls_client_auth",
                                 tls_client_auth_subject_dn=kept["tls_client_auth_subject_dn"])
        self.adopt("strict", "tls_client_auth", "else")
        self.fails(5, "login", "--anonymous")
        self.ok("register", "--replace", "--client-id", "strict", "--client-secret-file", "-",
                input="guessed\n")
        self.fails(5, "login", "--anonymous")

    def test_a_self_signed_certificate_through_nginx(self):
        token = self.front.at("any") + "/api/fronted/mtls/token"
        self.add_mutual(self.fronted, **{"endpoints.token": token})
        method = "self_signed_tls_client_auth"
        kept = self.adopt("alone", method, "alone")
        self.provider.add_client(self.admin, "alone", method, jwks=kept["jwks"])
        self.ok("login", "--anonymous")
        token = self.ok("token", "--anonymous").text.strip()
        self.assertEqual(self.claims(token)["cnf"], {"x5t#S256": self.thumbprint("alone")})
        for other in ("else", "client"):
            with self.subTest(other):
                self.adopt("alone", method, other)
                self.fails(5, "login", "--anonymous")
                self.assertFalse(self.home.slot_file("anonymous").exists())

    def test_a_bound_token_goes_with_its_certificate_and_nothing_else_does(self):
        self.add_mutual(self.mutual)
        kept = self.adopt("bound", "tls_client_auth", "client")
        self.provider.add_client(self.admin, "bound", "tls_client_auth",
                                 tls_client_auth_subject_dn=kept["tls_client_auth_subject_dn"])
        self.ok("login", "--anonymous")
        seen = self.ok("fetch", "--anonymous", "/who").text.strip()
        self.assertEqual(seen, "CN=client\\, one,O=sdkctl tests")
        self.fails(12, "fetch", "--unauth", "/who")

    def test_what_nginx_says_of_certificates_is_understood(self):
        strict = self.front.at("strict") + "/token"
        self.add_mutual(self.mutual, **{"endpoints.token": strict})
        self.ok("register", "--replace", "--client-id", "x", "--client-secret-file", "-", input="s\n")
        wanted = self.fails(9, "login", "--anonymous")
        self.assertError(wanted, "the server requires a client certificate")
        self.adopt("x", "self_signed_tls_client_auth", "alone")
        refused = self.fails(9, "login", "--anonymous")
        self.assertError(refused, "the server refused the client certificate")

    def test_registration_does_not_take_these_methods(self):
        # Glewlwyd announces both and registers neither; the refusal is handed on.
        self.add_mutual(self.mutual)
        self.assertError(self.fails(5, "register", "--auth-method", "self_signed_tls_client_auth"),
                         "invalid_client_metadata")
        self.assertFalse(self.home.registration_file.exists())
