"""The first login at providers with the hosts and the quirks of known ones: one sign-in, no option."""

import json
import shutil
import tempfile
from pathlib import Path

from Servers.authority import Authority
from Servers.case import Case
from Servers.layouts import (Auth0Layout, CognitoLayout, EntraCommonLayout, EntraLayout, GitHubLayout,
                             GoogleLayout, KeycloakLayout, OktaLayout)
from Servers.scripted import http


class LayoutCase(Case):
    layout_type = GoogleLayout

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.directory = Path(tempfile.mkdtemp(prefix="sdkctl-layouts."))
        cls.addClassCleanup(shutil.rmtree, cls.directory, ignore_errors=True)
        cls.authority = Authority(cls.directory)

    def setUp(self):
        super().setUp()
        self.provider = self.layout_type(self.authority).start()
        self.addCleanup(self.provider.stop)

    def add(self, *options, pin=True, issuer=None, settings=()):
        self.home.environment["SSL_CERT_FILE"] = str(self.authority.root)
        self.ok("profile", "add", "test", "--issuer", issuer or self.provider.issuer, "--resource-url",
                self.provider.url("api"), *(["--pin", "--yes"] if pin else []), *options)
        if settings:
            self.ok("-p", "test", "profile", "set", *settings)
        self.ok("register", "--client-id", "app")
        browser = self.home.directory / "browser"
        browser.write_text(f"#!/bin/sh\nexec curl -sSL --cacert '{self.authority.root}' -o /dev/null \"$1\"\n")
        browser.chmod(0o755)
        self.home.environment["BROWSER"] = str(browser)

    def ends(self, code, *arguments):
        """Runs a command that tells a person something before it fails."""
        result = self.home.run(*arguments)
        self.assertEqual(result.exit, code, result)
        return result

    def sign_ins(self) -> int:
        role, path = self.provider.endpoints["authorization_endpoint"]
        return self.provider.seen(role).count(path)


class BrowserTests(LayoutCase):
    def test_the_first_login_needs_one_sign_in_and_no_option(self):
        self.add()
        self.ok("login")
        self.assertEqual(self.sign_ins(), 1)
        self.assertEqual(self.ok("fetch", "/").out, b"hello\n")
        self.ok("token", "userinfo")
        self.ok("logout")


class CognitoTests(BrowserTests):
    layout_type = CognitoLayout


class EntraTests(BrowserTests):
    layout_type = EntraLayout


class EntraCommonTests(BrowserTests):
    layout_type = EntraCommonLayout


class KeycloakTests(BrowserTests):
    layout_type = KeycloakLayout


class OktaTests(BrowserTests):
    layout_type = OktaLayout


class Auth0Tests(BrowserTests):
    layout_type = Auth0Layout

    def test_the_audience_goes_with_each_login(self):
        self.add()
        self.ok("profile", "set", "authorizationParameters=audience=https://api.example",
                "scope=openid offline_access")
        self.ok("login")
        self.assertEqual(self.provider.asked[-1]["audience"], "https://api.example")
        self.assertEqual(self.jsonOf(self.ok("status", "--json"))["user"]["refreshable"], True)


class GitHubTests(LayoutCase):
    layout_type = GitHubLayout

    def add(self):
        endpoints = {name: self.provider.url(*self.provider.endpoints[name + "_endpoint"])
                     for name in ("authorization", "token", "device_authorization")}
        device = "endpoints.deviceAuthorization=" + endpoints.pop("device_authorization")
        super().add(pin=False, settings=["discovery=false", "scope=read:user", device, *(
            f"endpoints.{name}={url}" for name, url in endpoints.items())])
        self.ok("pin", "add", "--yes")

    def test_the_first_login_needs_no_metadata(self):
        self.add()
        self.ok("login")
        self.assertEqual(self.ok("fetch", "/").out, b"hello\n")
        self.assertEqual(self.sign_ins(), 1)

    def test_errors_with_200_are_those_of_a_device(self):
        self.add()
        self.provider.polls = ["authorization_pending", "slow_down"]
        self.ok("login", "--device")
        self.provider.polls = ["access_denied"]
        self.ends(15, "login", "--device")
        self.provider.polls = ["incorrect_client_credentials"]
        self.assertIn("incorrect_client_credentials", self.ends(5, "login", "--device").err)


class ListenerTests(LayoutCase):
    def test_a_response_that_cannot_be_taken_is_told_and_the_login_waits(self):
        self.add()
        browser = self.home.directory / "browser"
        trust = f"curl -s --cacert '{self.authority.root}'"
        browser.write_text(f"""#!/bin/sh
            start=$({trust} -o /dev/null -w '%{{redirect_url}}' "$1")
            back=$({trust} -o /dev/null -w '%{{redirect_url}}' "${{start:-$1}}")
            head -c 20000 /dev/zero | tr '\\0' x >'{browser}.long'
            {trust} -H "Cookie: $(cat '{browser}.long')" "$back" >'{browser}.page'
            {trust} -H 'Host: intranet.example' "$back" >/dev/null
            {trust} -L "$back" >/dev/null
            """)
        result = self.ok("login")
        self.assertIn("its header fields are longer than 16 KiB; the login still waits", result.err)
        self.assertIn("it is for the host 'intranet.example'", result.err)
        self.assertIn("delete the cookies of 127.0.0.1", (browser.parent / "browser.page").read_text())


class GoogleTests(LayoutCase):
    def test_pin_add_without_a_host_pins_what_the_profile_needs(self):
        self.add(pin=False)
        self.ok("pin", "add", "--yes", "--role", "root")
        pins = json.loads(self.home.pins_file.read_text())["hosts"]
        self.assertEqual({place.split(":")[0] for place in pins}, set(self.provider.hosts.values()))
        self.ok("login")

    def test_tokens_that_cannot_be_used_are_revoked(self):
        self.add()
        self.provider.faults["/oauth2/v3/certs"] = http(200, b'{"keys":[]}', Content_Type="application/json")
        self.ends(11, "login")
        self.assertEqual(self.provider.revoked, ["r1"])
        self.provider.faults["/revoke"] = http(503)
        self.home.forget_failed_login()
        self.assertIn("their grant remains", self.ends(11, "login").err)

    def test_the_page_of_a_device_needs_no_pin_and_a_revoked_token_is_gone(self):
        self.add()
        self.provider.polls = [http(428, b'{"error":"authorization_pending"}', Content_Type="application/json"),
                               http(403, b'{"error":"slow_down"}', Content_Type="application/json"),
                               http(429, Retry_After="1"), http(408)]
        self.assertIn("https://www.google.test/device", self.ok("login", "--device").err)
        self.provider.revoked = ["r1", "a1"]
        self.ok("logout")

    def test_an_intermediate_in_the_ca_file_does_not_hide_the_root(self):
        both = self.home.directory / "fullchain.pem"
        both.write_text(self.authority.certificate("intermediate").read_text() + self.authority.root.read_text())
        self.add("--ca-file", both, "--role", "root")
        pins = json.loads(self.home.pins_file.read_text())["hosts"]
        self.assertEqual({key["pin"] for set_ in pins.values() for key in set_["keys"]},
                         {self.authority.pin("root")})
        self.ok("login")

    def test_a_chain_without_its_intermediate_is_the_servers_fault(self):
        pem = self.authority.path("accounts-localhost.pem")
        pem.write_text(self.authority.certificate("accounts-localhost").read_text())
        self.provider.stop()
        self.provider = self.layout_type(self.authority).start()
        self.home.environment["SSL_CERT_FILE"] = str(self.authority.root)
        self.addCleanup(self.authority.leaf, "accounts-localhost", "DNS:accounts.localhost")
        result = self.home.run("profile", "add", "test", "--issuer", self.provider.issuer, "--resource-url",
                               self.provider.url("api"), "--pin", "--yes")
        self.assertEqual(result.exit, 7, result)
        self.assertIn("did not send the certificate of CN=Test Intermediate", result.err)
        self.assertIn("hint: the administrator of accounts.localhost must add", result.err)

    def test_a_damaged_ca_file_is_the_setting_that_is_wrong(self):
        damaged = self.home.directory / "damaged.pem"
        root = self.authority.root.read_text()
        self.add()
        damaged.write_text(root + root[:120])
        place = f"at line {root.count(chr(10)) + 1}, number 2, is damaged"
        self.home.environment["SSL_CERT_FILE"] = str(damaged)
        for words in (("fetch", "/", "--unauth"), ("pin", "check"),
                      ("pin", "add", self.provider.place("api"), "--yes"), ("login",)):
            self.assertIn(place, self.fails(3, *words).err)
        findings = self.jsonOf(self.home.run("doctor", "--online", "--json"))["findings"]
        errors = [finding for finding in findings if finding["status"] == "error"]
        self.assertEqual({finding["check"] for finding in errors}, {"authorities"}, errors)

    def test_a_dead_proxy_is_named_and_no_server_is_blamed(self):
        self.add()
        self.home.environment["https_proxy"] = "http://127.0.0.1:9"
        words = "the proxy 127.0.0.1:9 of https_proxy could not be reached"
        self.assertIn(words, self.fails(6, "fetch", "/", "--unauth").err)
        findings = self.jsonOf(self.home.run("doctor", "--online", "--json"))["findings"]
        errors = [finding for finding in findings if finding["status"] == "error"]
        self.assertEqual([finding["check"] for finding in errors], ["proxy"], errors)
        self.assertIn(words, errors[0]["message"])
        self.ok("profile", "set", "proxy=http://127.0.0.1:9")
        self.assertIn("of the profile's setting proxy", self.fails(6, "fetch", "/", "--unauth").err)
