"""Client certificates on demand at servers that we did not write: nginx and openssl s_server."""

import shutil
import subprocess

from Servers.case import Case
from Servers.nginx import Nginx
from Servers.process import answers, free_port, wait_until

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


class IdentityServerTests(Case):
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

    def start(self, *words, port):
        process = subprocess.Popen(
            [*map(str, words)], cwd=self.place, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        wait_until(lambda: answers(port), f"port {port}")

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
        self.ok("profile", "set", "pinPolicy=report", "identity.obtain=command",
                f"identity.command={self.place / 'issue'}", "allowedHosts=" + ",".join(places))

    def fetch(self, port, path="/", *words):
        return self.home.run("fetch", "--unauth", *words, f"https://localhost:{port}{path}")

    def forget(self):
        shutil.rmtree(self.home.store / "state/profiles/t/identities", ignore_errors=True)

    def test_s_server_that_requires_one_gets_one_with_both_versions_of_tls(self):
        for version in ("-tls1_2", "-tls1_3"):
            with self.subTest(version):
                port = free_port()
                self.start("openssl", "s_server", "-www", version, "-accept", port, "-Verify", "1",
                           "-verify_return_error", "-CAfile", "ca.crt", "-cert", "server.crt",
                           "-key", "server.key", port=port)
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
