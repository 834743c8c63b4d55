"""`pin hash` and `pin show`: keys in every kind of file that openssl writes, and of servers."""

import hashlib
import subprocess

from Servers.case import NO_PIN
from Servers.process import free_port

from .test_pin_chains import HostCase


class PinSourceTests(HostCase):
    def hashed(self, *sources, **keywords):
        """The pins and what they were found in."""
        result = self.ok("pin", "hash", *sources, **keywords)
        rows = [line.split("\t") for line in result.text.splitlines()]
        return [(pin, kind if role == "-" else role) for pin, kind, role, *_ in rows]

    def shows(self, status, place):
        result = self.home.run("pin", "show", place)
        self.assertEqual(result.exit, status, result)
        return result.text

    def openssl(self, command):
        subprocess.run(["bash", "-ec", command], cwd=self.home.directory, check=True,
                       capture_output=True, env={
                           "PATH": "/usr/bin:/bin", "CA": str(self.authority.directory)})

    def test_the_time_ends_the_wait_for_a_costly_password(self):
        self.openssl("""
            openssl pkcs8 -topk8 -in $CA/local.key -v2 aes256 -iter 9900000 -passout pass:secret \
              -out costly.pem
            (umask 077; echo secret >password)""")
        words = ("pin", "hash", self.home.directory / "costly.pem", "--password-file",
                 self.home.directory / "password")
        late = self.home.run(*words, "--timeout", "1")
        self.assertEqual((late.exit, late.out), (1, b""), late)
        self.assertIn("it takes longer than the time allows", late.err)
        self.assertIn(self.authority.pin("local"), self.ok(*words).text)

    def test_every_file_that_openssl_writes_gives_the_pin_of_its_key(self):
        self.openssl("""
            openssl x509 -in $CA/local.crt -outform der -out cert.der
            openssl pkey -in $CA/local.key -outform der -out key.der
            openssl pkey -in $CA/local.key -pubout -out pub.pem
            openssl pkey -in $CA/local.key -pubout -outform der -out pub.der
            openssl req -in $CA/local.csr -outform der -out csr.der
            openssl crl2pkcs7 -nocrl -certfile $CA/local.crt -out cert.p7b
            openssl crl2pkcs7 -nocrl -certfile $CA/local.crt -outform der -out cert.p7c
            cat $CA/local.key $CA/local.crt >both.pem
            openssl pkcs12 -export -in both.pem -passout pass: -out open.p12
            openssl pkcs12 -export -in both.pem -passout pass:secret -out a.p12
            openssl pkcs8 -topk8 -in $CA/local.key -passout pass:secret -out enc.pem
            openssl pkcs8 -topk8 -in $CA/local.key -passout pass:secret -outform der -out enc.der
            printf 'secret\n' > password; chmod 600 password
            """)
        pin = self.authority.pin("local")
        path = self.authority.path
        for kind, files in {
                "certificate": [path("local.crt"), "cert.der", "cert.p7b", "cert.p7c", "open.p12"],
                "request": [path("local.csr"), "csr.der"], "public-key": ["pub.pem", "pub.der"],
                "private-key": [path("local.key"), "key.der"]}.items():
            for file in files:
                with self.subTest(file):
                    self.assertEqual(self.hashed(file), [(pin, kind)])
        for file, kind in {"a.p12": "certificate", "enc.pem": "private-key",
                           "enc.der": "private-key"}.items():
            with self.subTest(file):
                self.assertIn("password", self.fails(2, "pin", "hash", file).err)
                self.assertEqual(self.hashed(file, "--password-file", "password"), [(pin, kind)])
                self.assertEqual(self.hashed(file, "--password-file", "-", input="secret"),
                                 [(pin, kind)])
        self.assertEqual(self.hashed(self.authority.chain("cross")), [
            (self.authority.pin(name), "certificate")
            for name in ("local", "intermediate", "crossed", "old")])
        self.assertEqual(self.hashed("-", input=path("local.csr").read_text()), [(pin, "request")])

    def test_the_keys_of_a_server_are_printed_without_a_profile(self):
        self.ok("profile", "remove", self.home.name, "--yes")
        trust = {"SSL_CERT_FILE": str(self.authority.root)}
        chain = [(self.authority.pin("local"), "leaf"),
                 (self.authority.pin("intermediate"), "intermediate"),
                 (self.authority.pin("root"), "root")]
        for source in (self.hosts.place(), self.hosts.at() + "/x", self.hosts.at("main", "[::1]")):
            with self.subTest(source):
                self.assertEqual(self.hashed(source, environment=trust), chain)
        result = self.fails(7, "pin", "hash", self.hosts.place())
        self.assertIn(self.authority.pin("local"), result.err)
        self.assertEqual(result.out, b"")
        self.assertNoRequest(self.log)

    def test_the_chain_of_a_server_is_shown_without_a_profile(self):
        home = self.new_home()
        place, trust = self.hosts.place(), {"SSL_CERT_FILE": str(self.authority.root)}
        result = home.run("pin", "show", place, environment=trust)
        self.assertEqual((result.exit, result.err), (0, ""), result)
        for name in ("local", "intermediate", "root"):
            self.assertIn(self.authority.pin(name), result.text)
        self.assertIn("pins: none", result.text)
        # Without the authority the served chain is shown all the same.
        result = home.run("pin", "show", place)
        self.assertEqual(result.exit, 11, result)
        self.assertIn(self.authority.pin("local"), result.text)
        result = home.run("pin", "show", place, "--json", environment=trust)
        self.assertEqual(len(self.jsonOf(result)[0]["validated"]), 3)
        self.assertEqual(home.run("pin", "show", f"localhost:{free_port()}").exit, 6)
        self.assertNoRequest(self.log)

    def test_another_address_or_another_name_can_be_used(self):
        port, pin = self.hosts.ports["main"], self.authority.pin("local")
        # The certificate is for the name, not for 127.0.0.2, and the port is that of the address.
        address, name = f"127.0.0.1:{port}", "other.localhost"
        there = ["--connect-to", f"::{address}"]
        self.assertEqual(
            self.hashed(f"{name}:1", *there, "--role", "leaf"), [(pin, "leaf")])
        # The name is checked: nothing is for this one.
        result = self.fails(7, "pin", "hash", "no.test", *there)
        self.assertIn("no.test", result.err)
        # A pin of another server than that of the DNS.
        self.ok("pin", "add", f"{name}:1", *there, "--yes")
        result = self.ok("pin", "check", f"{name}:1", *there, "--within", "1d")
        self.assertEqual(result.text.split("\t")[1], "OK")
        (shown,) = self.jsonOf(self.ok("pin", "show", f"{name}:1", *there, "--json"))
        self.assertEqual((shown["host"], shown["port"], shown["status"]), (name, 1, "OK"))
        self.assertNoRequest(self.log)

    def test_a_fingerprint_is_explained(self):
        der = subprocess.run(["openssl", "x509", "-in", self.authority.path("local.crt"),
                              "-outform", "der"], check=True, capture_output=True).stdout
        words, digest = "the whole certificate", hashlib.sha256(der).hexdigest()
        place = self.hosts.place()
        for command in (["hash", digest, place],
                        ["hash", digest, self.authority.path("local.crt")],
                        ["add", digest, place, "--host", "localhost", "--yes", "-q"]):
            result = self.fails(2, "pin", *command)
            self.assertIn(words, result.err)
            self.assertIn(f"the pin is {self.authority.pin('local')}", result.err)
        self.ok("pin", "add", digest, "--host", "localhost", "--yes")
        for command in (["fetch", "--unauth", "/x"], ["pin", "check", place]):
            result = self.home.run(*command)
            self.assertEqual(result.exit, 8, result)
            self.assertIn(words, result.err)
            self.assertIn(f"the pin is {self.authority.pin('local')}", result.err)
        self.assertIn(words, self.shows(8, place))
        self.assertNoRequest(self.log)

    def test_the_tree_shows_what_was_served_and_what_was_validated(self):
        self.pin("local")
        (shown,) = self.jsonOf(self.ok("pin", "show", self.hosts.place("extra"), "--json"))
        pins = {name: self.authority.pin(name)
                for name in ("local", "intermediate", "root", "stranger")}
        self.assertEqual([entry["pin"] for entry in shown["served"]],
                         [pins["local"], pins["intermediate"], pins["stranger"]])
        self.assertEqual([(entry["pin"], entry["role"]) for entry in shown["validated"]],
                         [(pins["local"], "leaf"), (pins["intermediate"], "intermediate"),
                          (pins["root"], "root")])
        self.assertEqual([entry["pinned"] is not None for entry in shown["validated"]],
                         [True, False, False])
        der = subprocess.run(["openssl", "x509", "-in", self.authority.path("local.crt"),
                              "-outform", "der"], check=True, capture_output=True).stdout
        fingerprint = hashlib.sha256(der).hexdigest()
        self.assertEqual(shown["validated"][0]["certificateSHA256"], fingerprint)
        text = self.ok("pin", "show", self.hosts.place("extra")).text
        self.assertIn(f"not a pin SHA-256 of the certificate: {fingerprint}", text)
        self.assertIn("not in the validated path: ", text)
        # A chain that does not validate, a host without pins, a closed port.
        self.assertIn("expired", self.shows(11, self.hosts.place("past")))
        self.assertIn(pins["root"], self.shows(8, self.hosts.place("main", "other.localhost")))
        self.shows(6, f"localhost:{free_port()}")
        self.pin(NO_PIN)
        self.assertIn(NO_PIN, self.shows(8, self.hosts.place()))
        self.assertNoRequest(self.log)
