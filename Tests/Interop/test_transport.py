"""What the way to a server keeps to: proxies, authorities, protocol versions, credentials, time."""

import fcntl
import shutil
import subprocess
import time

from Servers.case import Case
from Servers.relay import Proxy, Relay
from Servers.sdkctl import BINARY


class ProxyTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()
        self.log = self.stand.gateway.requests()

    def proxy(self, certificate=None) -> Proxy:
        proxy = Proxy(certificate and self.stand.authority.files(certificate)).start()
        self.addCleanup(proxy.stop)
        return proxy

    def by(self, proxy) -> dict:
        return {"https_proxy": f"https://proxy.localhost:{proxy.port}", "no_proxy": ""}

    def test_an_https_proxy_needs_no_pin_and_the_host_behind_it_does(self):
        proxy = self.proxy("proxy")
        self.ok("fetch", "--unauth", "/public", environment=self.by(proxy))
        port = self.stand.gateway.ports["main"]
        self.assertEqual(proxy.asked, [f"CONNECT localhost:{port} HTTP/1.1"])
        self.set_pin(self.stand.authority.pin("proxy"))
        self.log.mark()
        self.fails(8, "fetch", "--unauth", "/public", environment=self.by(proxy))
        self.assertNoRequest(self.log)

    def test_an_https_proxy_is_held_to_the_authorities_of_the_profile(self):
        proxy = self.proxy("alienproxy")
        self.fails((6, 7), "fetch", "--unauth", "/public", environment=self.by(proxy))
        self.assertEqual(proxy.asked, [])

    def test_the_proxy_of_the_profile_replaces_that_of_the_environment(self):
        own, other = self.proxy("proxy"), self.proxy("proxy")
        self.ok("profile", "set", f"proxy=https://proxy.localhost:{own.port}")
        self.ok("fetch", "--unauth", "/public", environment=self.by(other) | {"no_proxy": "*"})
        port = self.stand.gateway.ports["main"]
        self.assertEqual((own.asked, other.asked), ([f"CONNECT localhost:{port} HTTP/1.1"], []))
        shown = self.ok("fetch", "--unauth", "--as-curl", "/public").text
        self.assertIn(f"--proxy https://proxy.localhost:{own.port}", shown)
        self.ok("profile", "set", "noProxy=example.com localhost")
        self.ok("fetch", "--unauth", "/public", environment=self.by(other))
        self.ok("profile", "set", "proxy=none")
        self.ok("fetch", "--unauth", "/public", environment=self.by(other))
        self.assertEqual((len(own.asked), other.asked), (1, []))
        self.fails(3, "profile", "set", "proxy=http://user:secret@proxy.test:3128")

    def test_a_request_in_the_clear_goes_by_no_proxy(self):
        proxy = self.proxy()
        self.ok("profile", "set", "insecureLoopback=true")
        port = self.stand.resource.port
        environment = {name: f"http://127.0.0.1:{proxy.port}"
                       for name in ("http_proxy", "all_proxy", "ALL_PROXY")} | {"no_proxy": ""}
        self.ok("fetch", "--unauth", f"http://127.0.0.1:{port}/status/200",
                environment=environment)
        self.assertEqual(proxy.asked, [])


class ExtraAuthoritiesTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()
        self.root = self.stand.authority.root
        self.other = self.home.directory / "other.pem"
        run = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "/dev/null",
               "-subj", "/CN=other", "-days", "2", "-out", self.other]
        subprocess.run(run, check=True, capture_output=True)

    def test_they_are_trusted_besides_the_system_s_and_those_of_a_file(self):
        self.ok("profile", "unset", "caFile")
        plain = {"CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "", "SSL_CERT_DIR": ""}
        self.fails(7, "fetch", "--unauth", "/public", environment=plain)
        self.assertNotIn("WILL-EXPIRE", self.home.run("pin", "check", environment=plain).text)
        self.ok("profile", "set", f"extraCAFile={self.root}")
        self.ok("fetch", "--unauth", "/public", environment=plain)
        self.assertIn("WILL-EXPIRE", self.home.run("pin", "check", environment=plain).text)
        self.ok("fetch", "--unauth", "/public", environment=plain | {"SSL_CERT_FILE": str(self.other)})
        self.ok("profile", "set", f"caFile={self.root}", f"extraCAFile={self.other}")
        self.ok("fetch", "--unauth", "/public", environment=plain)
        self.ok("profile", "set", f"caFile={self.other}")
        result = self.fails(7, "fetch", "--unauth", "/public", environment=plain)
        self.assertIn(str(self.other), result.err)

    def test_pins_hold_for_a_chain_that_ends_at_one_of_them(self):
        self.ok("profile", "unset", "caFile")
        self.ok("profile", "set", f"extraCAFile={self.root}")
        self.set_pin(self.stand.authority.pin("proxy"))
        self.fails(8, "fetch", "--unauth", "/public")

    def test_a_file_that_cannot_be_read_stops_the_request(self):
        file = self.home.directory / "extra.pem"
        file.write_bytes(self.other.read_bytes())
        self.ok("profile", "set", f"extraCAFile={file}")
        for content in b"", b"garbage":
            file.write_bytes(content)
            result = self.fails(3, "fetch", "--unauth", "/public")
            self.assertIn(str(file), result.err)
        file.unlink()
        self.fails(3, "fetch", "--unauth", "/public")
        self.fails(3, "profile", "set", f"extraCAFile={file}")


class GuardTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()

    def test_netrc_is_not_read(self):
        netrc = self.home.directory / ".netrc"
        netrc.write_text("machine localhost login alice password s3cret\n"
                         "default login alice password s3cret\n")
        netrc.chmod(0o600)
        echo = self.jsonOf(self.ok("fetch", "--unauth", "/echo"))
        self.assertNotIn("authorization", echo["fields"])

    def test_beside_a_ca_file_no_directory_of_the_system_is_looked_into(self):
        other = self.stand.authority.certificate("stranger")
        self.ok("profile", "set", f"caFile={other}")
        trace = self.home.directory / "trace"
        done = subprocess.run(
            ["strace", "-f", "-e", "trace=file", "-o", trace, BINARY, "fetch", "--unauth",
             "/public"], env=self.home.environment, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 7, done.stderr)
        lines = trace.read_text(errors="replace").splitlines()
        self.assertTrue(any(str(other) in line for line in lines))
        self.assertEqual([line for line in lines if "/ssl/certs" in line], [])

    def test_tls_1_1_is_refused_whatever_the_configuration_of_openssl_allows(self):
        settings = self.home.directory / "openssl.cnf"
        settings.write_text("openssl_conf = a\n[a]\nssl_conf = b\n[b]\nsystem_default = c\n[c]\n"
                            "MinProtocol = TLSv1\nCipherString = ALL:@SECLEVEL=0\n")
        old = self.stand.gateway.at("old") + "/"
        environment = {"OPENSSL_CONF": str(settings)}
        # curl shows that the configuration allows it.
        seen = subprocess.run(
            ["curl", "-sS", "--tlsv1.0", "--cacert", self.stand.ca_file, old],
            env=self.home.environment | environment, capture_output=True, timeout=60)
        self.assertEqual(seen.stdout, b"never to be read\n", seen.stderr)
        log = self.stand.gateway.requests()
        self.assertError(self.fails(7, "fetch", "--unauth", old, environment=environment),
                         "does not speak tls 1.2 or newer")
        self.assertNoRequest(log)


class TimeoutTests(Case):
    """`--timeout` is the command's, whatever the command does."""

    def timed(self, code, *arguments):
        began = time.monotonic()
        result = self.fails(code, "--timeout", "2", *arguments)
        self.assertLess(time.monotonic() - began, 12, result)
        return result

    def relay(self, delay) -> str:
        relay = Relay(self.stand.gateway.ports["main"], delay).start()
        self.addCleanup(relay.stop)
        return f"https://localhost:{relay.port}"

    def test_all_hops_of_a_redirect_share_it(self):
        self.add_profile()
        result = self.timed(6, "fetch", "--unauth", self.relay(1.8) + "/redirect/many/9")
        self.assertError(result, "within the time limit of the command")

    def test_a_body_that_never_ends_is_within_it(self):
        self.add_profile()
        self.timed(6, "fetch", "--unauth", "/slow/30")

    def test_a_wait_for_a_lock_is_within_it(self):
        self.add_session()
        self.home.expire()
        lock = self.home.store / "state/profiles" / self.home.name / "locks/user.lock"
        with open(lock, "ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self.timed(14, "token")

    def test_discovery_is_within_it(self):
        relay = Relay(self.stand.provider.port, 1.5).start()
        self.addCleanup(relay.stop)
        self.add_profile(pin=False)
        self.ok("pin", "add", self.stand.authority.pin("good"), "--host", "localhost", "--yes")
        self.ok("profile", "set",
                f"issuer={self.stand.provider.issuer.replace(str(self.stand.provider.port), str(relay.port))}")
        self.timed(6, "register")

    def test_a_silent_server_is_a_failure_without_it(self):
        self.add_profile()
        self.ok("profile", "set", "idleTimeout=4")
        began = time.monotonic()
        result = self.fails(6, "fetch", "--unauth", "/silent/30")
        self.assertLess(time.monotonic() - began, 25)
        self.assertError(result, "sent and took nothing within 4")
        # With a time limit of the command the silence is as long as that.
        result = self.timed(6, "fetch", "--unauth", "/silent/30")
        self.assertError(result, "time limit of the command")
        # Slow is not silent.
        self.ok("fetch", "--unauth", "/slow/6")


class AuthorityTests(Case):
    """Where authorities are looked for if the profile names no file."""

    def setUp(self):
        super().setUp()
        self.add_profile()
        self.ok("profile", "unset", "caFile")
        self.local, self.hashed = (self.home.directory / name for name in ("local", "certs"))
        for directory in (self.local, self.hashed):
            directory.mkdir()

    def update(self):
        """Debian's own program, with directories of this test."""
        nothing = self.home.directory / "nothing"
        nothing.mkdir(exist_ok=True)
        (nothing / "conf").touch()
        subprocess.run(
            ["/usr/sbin/update-ca-certificates", "--fresh", "--certsconf", nothing / "conf",
             "--certsdir", nothing, "--localcertsdir", self.local, "--etccertsdir", self.hashed,
             "--hooksdir", nothing], check=True, capture_output=True, timeout=60)

    def test_an_authority_that_was_added_counts_until_it_is_removed(self):
        environment = {"SSL_CERT_DIR": str(self.hashed)}
        root = self.local / "root.crt"
        root.write_bytes(self.stand.ca_file.read_bytes())
        self.update()
        self.ok("fetch", "--unauth", "/public", environment=environment)
        root.unlink()
        self.update()
        result = self.fails(7, "fetch", "--unauth", "/public", environment=environment)
        self.assertIn(f"authorities consulted: {self.hashed}", result.err)

    def test_profile_show_says_where(self):
        def shown(**environment):
            words = ("profile", "show", "--json")
            return self.jsonOf(self.ok(*words, environment=environment))["state"]["authorities"]

        self.assertEqual(shown(SSL_CERT_DIR=str(self.hashed)), str(self.hashed))
        self.assertEqual(shown(SSL_CERT_DIR=str(self.hashed), SSL_CERT_FILE="/f"), "/f")
        result = self.ok("profile", "show", environment={"SSL_CERT_DIR": str(self.hashed)})
        self.assertIn(f"trusted authorities: {self.hashed}", result.err)
        own = self.home.directory / "own.pem"
        shutil.copy(self.stand.ca_file, own)
        self.ok("profile", "set", f"caFile={own}")
        self.assertEqual(shown(SSL_CERT_DIR=str(self.hashed), SSL_CERT_FILE="/f"), str(own))

    def test_the_bundle_of_the_system_is_not_read_if_its_directory_has_hashes(self):
        trace = self.home.directory / "trace"
        done = subprocess.run(
            ["strace", "-f", "-e", "trace=openat,open", "-o", trace, BINARY, "fetch", "--unauth",
             "/public"], env=self.home.environment, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertNotIn("ca-certificates.crt", trace.read_text(errors="replace"))
