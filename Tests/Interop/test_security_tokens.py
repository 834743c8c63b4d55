"""Keys in security tokens (PKCS #11): SoftHSM, with nginx, openssl s_server and curl's OpenSSL."""

import json
import subprocess

from Servers.case import Case
from Servers.nginx import Nginx
from Servers.process import free_port, s_server
from Servers.pseudo_terminal import PseudoTerminal
from Servers.sdkctl import BINARY
from Servers.tokens import PIN, SoftToken

NGINX = """
ssl_certificate @AUTHORITY@/server.crt; ssl_certificate_key @AUTHORITY@/server.key;
ssl_client_certificate @AUTHORITY@/ca.crt; ssl_verify_client on; ssl_protocols TLSv1.2 TLSv1.3;
server { listen 127.0.0.1:@MAIN@ ssl http2;
         location / { return 200 "$ssl_client_s_dn $ssl_protocol $connection\\n"; } }
"""


class SecurityTokenTests(Case):
    def setUp(self):
        super().setUp()
        self.place = self.home.directory / "authority"
        self.place.mkdir()
        self.token = SoftToken(self.home.directory / "hsm")
        self.home.environment |= self.token.environment
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                     "-nodes", "-keyout", "ca.key", "-out", "ca.crt", "-days", "3", "-subj", "/CN=ca")
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                     "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
        (self.place / "server.ext").write_text("subjectAltName=DNS:localhost\n")
        (self.place / "client.ext").write_text("extendedKeyUsage=clientAuth\n")
        self.sign("server")
        self.pin_file = self.secret("pin", PIN)
        self.ok("profile", "add", "t", "--issuer", "https://id.invalid", "--resource-url",
                "https://localhost", "--ca-file", self.place / "ca.crt")
        self.ok("profile", "use", "t")
        self.ok("pin", "add", self.place / "server.crt", "--host", "localhost", "--yes")

    def openssl(self, *words):
        return subprocess.run(["openssl", *map(str, words)], cwd=self.place, check=True,
                              capture_output=True).stdout.decode()

    def sign(self, name, extensions=None):
        self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key",
                     "-CAcreateserial", "-days", "2", "-extfile", f"{extensions or name}.ext",
                     "-out", f"{name}.crt")

    def secret(self, name, text):
        file = self.home.directory / name
        file.write_text(text + "\n")
        file.chmod(0o600)
        return file

    def request(self, label):
        """An identity whose key is in the token, its certificate issued for a request."""
        csr = self.ok("identity", "csr", label, "--subject", f"CN={label}", "--host", "localhost",
                      "--key-uri", f"pkcs11:token=work;object={label}", "--passphrase-file",
                      self.pin_file)
        (self.place / f"{label}.csr").write_bytes(csr.out)
        self.openssl("req", "-in", f"{label}.csr", "-noout", "-verify")
        self.sign(label, "client")
        self.ok("identity", "import", self.place / f"{label}.crt", "--name", label)

    def nginx(self) -> int:
        nginx = Nginx(self.home.directory / "nginx", "main")
        nginx.configure(NGINX, AUTHORITY=self.place).start()
        self.addCleanup(nginx.stop)
        return nginx.ports["main"]

    def fetch(self, port, *words, **keywords):
        return self.home.run("fetch", "--unauth", *words, f"https://localhost:{port}/", **keywords)

    def test_a_requested_key_of_the_token_is_shown_to_nginx(self):
        self.token.generate("alice", "01")
        self.request("alice")
        shown = self.jsonOf(self.ok("--json", "identity", "show", "alice"))
        self.assertEqual(shown["keyPlace"], "security token")
        self.assertRegex(shown["keyURI"], "^pkcs11:token=work;.*object=alice;id=%01$")
        self.assertNotIn(PIN, json.dumps(shown))
        self.ok("identity", "check", "alice")
        port = self.nginx()
        result = self.fetch(port, "--passphrase-file", self.pin_file)
        self.assertRegex(result.out, rb"^CN=alice TLSv1.3 ", result)
        # Without a terminal or file there is nobody to ask; the passcode is another secret.
        self.home.environment["SDKCTL_PASSCODE_FILE"] = str(self.pin_file)
        self.assertFailed(self.fetch(port), 9)
        # One login and one connection serve a batch; a request without the identity has its own.
        lines = "".join(f'{{"id":"{n}","path":"https://localhost:{port}/"}}\n' for n in range(4))
        result = self.ok("fetch", "--passphrase-file", self.pin_file, "--unauth", "--batch", "-", input=lines)
        replies = self.documentsOf(result)
        self.assertEqual(len({json.dumps(reply["body"]) for reply in replies}), 1, result)
        self.assertEqual({reply["identity"] for reply in replies}, {"alice"})
        self.assertFailed(self.fetch(port, "--no-identity"), 12)
        # The key does not leave the token.
        refused = self.fails(9, "identity", "export", "alice", "--passphrase-file", self.pin_file)
        self.assertError(refused, "security token")
        self.assertIn(b"BEGIN CERTIFICATE", self.ok("identity", "export", "--no-key", "alice").out)
        self.fails(9, "identity", "export", "--curl", "alice")

    def test_rsa_and_ec_keys_sign_in_both_versions_of_tls(self):
        self.token.generate("rsa", "02", "rsa:2048")
        self.token.generate("ec", "03")
        for name in ("rsa", "ec"):
            self.request(name)
        for version in ("-tls1_2", "-tls1_3"):
            port = free_port()
            s_server(self, self.place, port, version, "-Verify", "1", "-verify_return_error",
                     "-CAfile", "ca.crt", "-cert", "server.crt", "-key", "server.key")
            for name in ("rsa", "ec"):
                with self.subTest(version=version, key=name):
                    result = self.fetch(port, "--identity", name, "--passphrase-file",
                                        self.pin_file)
                    self.assertEqual(result.exit, 0, result)
                    self.assertIn(b"\nClient certificate\n", result.out)

    def test_the_certificate_comes_from_the_token_too(self):
        self.token.generate("alice", "01")
        uri = "pkcs11:token=work;id=%01"
        missing = self.fails(9, "identity", "import", uri, "--passphrase-file", self.pin_file,
                             "--host", "localhost")
        self.assertError(missing, "no certificate for the key")
        self.request("alice")
        self.token.add_certificate(self.place / "alice.crt", "01", "alice")
        self.ok("identity", "remove", "alice", "--yes")
        # The source of the PIN may be part of the URI; the file is what is kept of it.
        self.ok("identity", "import", f"{uri}?pin-source=file:{self.pin_file}", "--host",
                "localhost", "--name", "card")
        self.assertRegex(self.fetch(self.nginx()).out, rb"^CN=alice ")
        self.token.generate("other", "05")
        wrong = self.fails(2, "identity", "import", self.place / "alice.crt", "--key-uri",
                           "pkcs11:object=other", "--passphrase-file", self.pin_file)
        self.assertError(wrong, "no certificate is for the private key")

    def test_what_is_wrong_with_token_pin_or_object_is_said(self):
        self.token.generate("alice", "01")
        self.token.generate("twin", "02")
        self.token.generate("twin", "03")
        csr = ["identity", "csr", "x", "--subject", "CN=x", "--host", "localhost",
               "--passphrase-file", self.pin_file, "--key-uri"]
        for uri, code, pattern in [
            ("pkcs11:token=nowhere;object=alice", 9, "no security token is like"),
            ("pkcs11:token=work;object=nobody", 9, "has no private key like"),
            ("pkcs11:token=work;object=twin", 9, "several private keys.*object= or id="),
            (f"pkcs11:object=alice?pin-value={PIN}", 2, "contains a pin"),
            ("pkcs11:object=alice?module-path=/nowhere.so", 1, "'/nowhere.so' cannot be opened"),
            ("pkcs11:colour=red", 2, "'colour' is not supported"),
        ]:
            with self.subTest(uri):
                result = self.fails((code, 3) if code == 1 else code, *csr, uri)
                self.assertError(result, pattern)
                self.assertNotIn(PIN, result.err)
        self.token.add("other")
        self.assertError(self.fails(9, *csr, "pkcs11:object=alice"), "several security tokens")
        self.home.environment["OPENSSL_ENGINES"] = str(self.place)
        self.assertError(self.fails((1, 3), *csr, "pkcs11:token=work;object=alice"),
                         "libengine-pkcs11-openssl")

    def test_a_wrong_pin_is_tried_once_and_that_of_a_file_not_again(self):
        self.token.generate("alice", "01")
        self.request("alice")
        port = self.nginx()
        bad = self.secret("bad", "999999")
        lines = f'{{"path":"https://localhost:{port}/"}}\n' * 3
        result = self.home.run("fetch", "--unauth", "--batch", "-", "--passphrase-file", bad,
                               input=lines)
        self.assertEqual([reply["error"]["exit"] for reply in self.documentsOf(result)], [9] * 3)
        self.assertIn("the PIN of the security token 'work' is wrong", result.text)
        for file in (bad, self.pin_file):
            refused = self.fetch(port, "--passphrase-file", file)
            self.assertFailed(refused, 9)
            self.assertError(refused, "that of a file is not tried")
        # A person may type it, and then files are used again.
        terminal = PseudoTerminal(self.home, BINARY, "fetch", "--unauth",
                                  f"https://localhost:{port}/")
        terminal.wait_for(b"PIN of the security token 'work': ")
        terminal.type(PIN + "\n")
        code, shown = terminal.end()
        self.assertEqual((code, PIN.encode() in shown), (0, False), shown)
        self.assertEqual(self.fetch(port, "--passphrase-file", self.pin_file).exit, 0)

    def test_a_wrong_pin_that_is_typed_is_not_tried_again(self):
        self.token.generate("alice", "01")
        self.request("alice")
        terminal = PseudoTerminal(self.home, BINARY, "fetch", "--unauth",
                                  f"https://localhost:{self.nginx()}/")
        terminal.wait_for(b"PIN of the security token 'work': ")
        terminal.type("999999\n")
        code, shown = terminal.end()
        self.assertEqual(code, 9, shown)
        self.assertNotIn(b"PIN of the security token 'work':", shown)
        self.assertIn(b"the PIN of the security token 'work' is wrong", shown)

    def test_a_key_of_the_token_is_not_replaced_by_one_in_a_file(self):
        self.token.generate("alice", "01")
        self.request("alice")
        before = self.jsonOf(self.ok("--json", "identity", "show", "alice"))
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "new.key",
                     "-out", "new.csr", "-subj", "/CN=alice")
        self.sign("new", "client")
        self.ok("profile", "set", "identity.obtain=command",
                f"identity.command=cat {self.place}/new.key {self.place}/new.crt")
        refused = self.fails(1, "identity", "renew", "alice", "--passphrase-file", self.pin_file)
        self.assertError(refused, "a certificate for another key")
        self.assertEqual(self.jsonOf(self.ok("--json", "identity", "show", "alice")), before)
