"""Client certificates at servers that we did not write: nginx, Apache and openssl s_server."""

import shutil
import subprocess

from Servers.apache import Apache
from Servers.authority import EXPIRED
from Servers.case import Case
from Servers.nginx import Nginx
from Servers.process import free_port, s_server

ISSUE = """#!/bin/sh
set -e
cd "$(dirname "$0")"
echo x >> issued
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout new.key -out new.csr \
  -subj "/CN=client $(wc -l < issued)" 2> /dev/null
openssl x509 -req -in new.csr -CA "$(cat issuer).crt" -CAkey "$(cat issuer).key" -days 2 \
  -CAcreateserial -extfile client.ext 2> /dev/null
cat new.key
"""

NGINX = """
ssl_certificate @AUTHORITY@/server.crt; ssl_certificate_key @AUTHORITY@/server.key;
ssl_client_certificate @AUTHORITY@/ca.crt;
server { listen 127.0.0.1:@REQUIRED@ ssl http2; ssl_verify_client on;
         location / { return 200 "$ssl_client_s_dn"; } }
server { listen 127.0.0.1:@OPTIONAL@ ssl http2; ssl_verify_client optional;
         location / { if ($ssl_client_verify != SUCCESS) { return 403; }
                      return 200 "$ssl_client_s_dn"; }
         location /public { return 200 "public"; } }
"""


class AuthorityCase(Case):
    """Two authorities, `ca` and `other`; `ca` has issued the certificate of the servers.

    `obtains`: whether the profile has a command that issues identities.
    """

    obtains = True

    def setUp(self):
        super().setUp()
        self.place = self.home.directory / "authority"
        self.place.mkdir()
        for name in ("ca", "other"):
            self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                         "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.crt", "-days", "3",
                         "-subj", f"/CN={name}")
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                     "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
        (self.place / "server.ext").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        (self.place / "client.ext").write_text("extendedKeyUsage=clientAuth\n")
        self.openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key",
                     "-CAcreateserial", "-days", "2", "-extfile", "server.ext", "-out", "server.crt")
        script = self.place / "issue"
        script.write_text(ISSUE)
        script.chmod(0o755)
        self.issue_by("ca")

    def openssl(self, *words):
        subprocess.run(["openssl", *words], cwd=self.place, check=True, capture_output=True)

    def issue_by(self, authority):
        (self.place / "issuer").write_text(authority)

    def issued(self) -> int:
        file = self.place / "issued"
        return len(file.read_text().splitlines()) if file.exists() else 0

    def nginx(self) -> tuple:
        """The ports of hosts that require a certificate and that ask for one."""
        nginx = Nginx(self.home.directory / "nginx", "required", "optional")
        nginx.configure(NGINX, AUTHORITY=self.place).start()
        self.addCleanup(nginx.stop)
        self.use(nginx.ports["required"], nginx.ports["optional"])
        return nginx.ports["required"], nginx.ports["optional"]

    def use(self, *ports):
        places = [f"localhost:{port}" for port in ports]
        self.ok("profile", "add", "t", "--issuer", "https://id.invalid", "--resource-url",
                f"https://{places[0]}", "--ca-file", self.place / "ca.crt")
        self.ok("profile", "use", "t")
        self.ok("profile", "set", "pinPolicy=report", "allowedHosts=" + ",".join(places))
        if self.obtains:
            self.ok("profile", "set", "identity.obtain=command",
                    f"identity.command={self.place / 'issue'}")

    def fetch(self, port, path="/", *words):
        return self.home.run("fetch", "--unauth", *words, f"https://localhost:{port}{path}")

    def forget(self):
        shutil.rmtree(self.home.store / "state/profiles/t/identities", ignore_errors=True)


class IdentityServerTests(AuthorityCase):
    def test_s_server_that_requires_one_gets_one_with_both_versions_of_tls(self):
        for version in ("-tls1_2", "-tls1_3"):
            with self.subTest(version):
                port = free_port()
                s_server(self, self.place, port, version, "-Verify", "1", "-verify_return_error",
                         "-CAfile", "ca.crt", "-cert", "server.crt", "-key", "server.key")
                if version == "-tls1_2":
                    self.use(port)
                else:
                    self.ok("profile", "set", f"allowedHosts=localhost:{port}")
                    self.forget()
                before = self.issued()
                result = self.fetch(port)
                self.assertEqual(result.exit, 0, result)
                self.assertIn(b"\nClient certificate\n", result.out)
                self.assertEqual(self.issued(), before + 1)

    def test_nginx_refuses_with_a_page_and_a_new_one_replaces_the_stored_one(self):
        required, optional = self.nginx()
        result = self.fetch(required)
        self.assertEqual((result.exit, result.out), (0, b"CN=client 1"), result)
        self.assertEqual(self.fetch(optional).out, b"CN=client 1")
        # nginx lists the names of its authorities: one of another authority does not count.
        self.forget()
        self.issue_by("other")
        result = self.fetch(required)
        self.assertEqual(result.exit, 9, result)
        self.assertEqual(self.issued(), 2)
        self.issue_by("ca")
        self.assertEqual(self.fetch(required).out, b"CN=client 3")

    def test_optional_obtains_on_refusal_only_if_the_profile_says_so(self):
        required, optional = self.nginx()
        self.ok("profile", "set", "identity.when=refused", "identity.refusedStatus=403")
        self.assertEqual(self.fetch(optional, "/public").out, b"public")
        self.assertEqual(self.issued(), 0)
        self.assertEqual(self.fetch(optional).out, b"CN=client 1")
        self.assertEqual(self.issued(), 1)


class StoredIdentityTests(AuthorityCase):
    """Identities that a person imported, at servers that no service issues any for."""

    obtains = False

    def import_(self, name, authority="ca", *words, dates=("-days", "2")):
        """Imports a certificate of an authority, with a key in a file of its own."""
        if not (self.place / f"{name}.crt").exists():
            self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                         "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
            self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{authority}.crt", "-CAkey",
                         f"{authority}.key", "-CAcreateserial", *dates, "-extfile", "client.ext",
                         "-out", f"{name}.crt")
            (self.place / f"{name}.key").chmod(0o600)
        return self.ok("identity", "import", self.place / f"{name}.crt", "--key-file",
                       self.place / f"{name}.key", "--host", "localhost", "--name", name, *words)

    def servers(self, version="TLSv1.3"):
        """An nginx of one version of TLS, which notes failed handshakes; the profile obtains nothing."""
        nginx = Nginx(self.home.directory / f"nginx-{version}", "required", "optional")
        nginx.configure(NGINX + f"ssl_protocols {version};", log="$request", AUTHORITY=self.place)
        self.addCleanup(nginx.start().stop)
        self.use(nginx.ports["required"], nginx.ports["optional"])
        return nginx, nginx.ports["required"], nginx.ports["optional"]

    def apache(self, version):
        apache = Apache(version, chain=self.place / "server.crt", key=self.place / "server.key",
                        authorities=self.place / "ca.crt")
        self.addCleanup(apache.start().stop)
        self.use(apache.port)
        return apache.port

    def test_a_stored_one_is_shown_in_the_first_handshake(self):
        for version in ("TLSv1.2", "TLSv1.3"):
            with self.subTest(version):
                nginx, required, optional = self.servers(version)
                self.import_("alice")
                troubles = nginx.troubles()
                for port in (required, optional):
                    result = self.fetch(port, "/", "--write-out", "%{num_connects} %{identity}")
                    self.assertEqual((result.exit, result.text), (0, "CN=alice1 alice"), result)
                self.assertEqual([line for line in troubles.lines() if "SSL_do_handshake" in line],
                                 [])
                self.ok("profile", "remove", "t", "--yes")

    def test_one_is_not_reported_where_nobody_asks_for_it(self):
        port = free_port()
        s_server(self, self.place, port, "-cert", "server.crt", "-key", "server.key")
        self.use(port)
        self.import_("alice")
        result = self.fetch(port, "/", "-o", "page", "--write-out", "<%{identity}>")
        self.assertEqual((result.exit, result.text), (0, "<>"), result)

    def test_apache_asks_by_the_path_and_gets_the_body_again(self):
        port = self.apache("TLSv1.3")
        body = self.home.directory / "body"
        body.write_bytes(b"x" * 50_000)
        self.import_("alice")
        secret = self.home.directory / "secret"
        secret.write_text("a passphrase\n")
        secret.chmod(0o600)
        for words in ([], ["--passphrase-file", secret]):
            with self.subTest(words):
                result = self.home.run("fetch", "--unauth", *words, "POST", "-d", f"@{body}",
                                       f"https://localhost:{port}/private")
                self.assertEqual((result.exit, result.text), (0, "private"), result)
            # A sealed one is not opened before the server asks.
            self.import_("alice", "ca", "--seal", "--replace", "--passphrase-file", secret)

    def test_a_renegotiation_is_not_supported(self):
        port = self.apache("TLSv1.2")
        self.import_("alice")
        self.assertEqual(self.fetch(port, "/public").out, b"public")
        result = self.fetch(port, "/private", "--retry", "1")
        self.assertEqual(result.exit, 9, result)
        self.assertNotIn("trying again", result.err)
        self.assertIn("asks for a renegotiation of TLS 1.2", result.err)
        self.assertIn("not supported", result.err)

    def test_one_that_cannot_be_used_is_not_shown(self):
        nginx, required, optional = self.servers()
        self.import_("old", "ca", "--allow-unusable", dates=EXPIRED)
        result = self.fetch(optional, "/public")
        self.assertEqual((result.exit, result.out), (0, b"public"), result)
        cause = "the identity 'old' is not shown to localhost: the certificate expired at "
        self.assertIn(f"warning: {cause}", result.err)
        result = self.fetch(required)
        self.assertEqual(result.exit, 9, result)
        self.assertIn(f": {cause}", result.err)
        self.assertNotIn(f"warning: {cause}", result.err)

    def test_one_of_another_authority_is_named_with_those_that_the_server_accepts(self):
        nginx, required, optional = self.servers()
        self.import_("stranger", "other")
        result = self.fetch(required)
        self.assertEqual(result.exit, 9, result)
        for text in ("none of the identities for localhost is of an authority", "accepted: CN=ca",
                     "identities for the host: stranger",
                     "hint: sdkctl -p t identity import FILE --host localhost"):
            self.assertIn(text, result.err)
        self.assertEqual(self.fetch(optional, "/public").out, b"public")
        # The one that fits is chosen, although the other would be preferred.
        self.import_("alice", "ca", dates=("-days", "1"))
        self.assertEqual(self.fetch(required).out, b"CN=alice")

    def test_a_refusal_names_the_others(self):
        nginx, required, optional = self.servers()
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                     "-nodes", "-keyout", "false.key", "-out", "false.crt", "-days", "3",
                     "-subj", "/CN=ca")
        self.import_("alice", dates=("-days", "1"))
        self.import_("impostor", "false")
        result = self.fetch(required)
        self.assertEqual(result.exit, 9, result)
        self.assertIn("refused the identity 'impostor'", result.err)
        self.assertIn("identities for the host: alice", result.err)
        self.assertIn("--identity NAME", result.err)
        self.assertEqual(self.fetch(required, "/", "--identity", "alice").out, b"CN=alice")

    def test_an_import_warns_of_a_chain_without_its_issuer(self):
        self.servers()
        self.assertIn("warning: the certificate of the issuer (CN=ca) is not in the chain",
                      self.import_("alice").err)
        self.assertNotIn("warning", self.import_(
            "alice", "ca", "--replace", "--chain", self.place / "ca.crt").err)
