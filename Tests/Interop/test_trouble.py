"""Network and TLS trouble, each with its exit code."""

import time

from Servers.case import Case
from Servers.process import free_port


class TroubleTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()
        self.log = self.stand.gateway.requests()

    def test_bad_certificates_are_tls_failures_even_with_the_right_pin(self):
        reasons = {"expired": "expired", "wronghost": "host|name", "old": "tls 1|version"}
        self.set_pin(*(self.stand.authority.pin(name) for name in ("good", "expired", "wronghost")))
        for name, reason in reasons.items():
            with self.subTest(name):
                result = self.fails(7, "fetch", "--unauth", self.stand.gateway.at(name) + "/")
                self.assertError(result, reason)
        self.assertNoRequest(self.log)

    def test_an_unknown_authority_is_a_tls_failure(self):
        self.ok("profile", "unset", "caFile")
        self.fails(7, "fetch", "--unauth", "/public")
        self.fails(7, "register")
        self.assertNoRequest(self.log)

    def test_the_authority_may_come_from_the_environment(self):
        self.ok("profile", "unset", "caFile")
        for name in ("SSL_CERT_FILE", "CURL_CA_BUNDLE"):
            with self.subTest(name):
                environment = {name: str(self.stand.ca_file)}
                self.ok("fetch", "--unauth", "/public", environment=environment)

    def test_report_policy_does_not_weaken_chain_validation(self):
        self.ok("profile", "set", "pinPolicy=report")
        self.fails(7, "fetch", "--unauth", self.stand.gateway.at("expired") + "/")
        self.assertNoRequest(self.log)

    def test_a_stopped_server_is_a_network_failure(self):
        result = self.fails(6, "fetch", "--unauth", f"https://localhost:{free_port()}/")
        self.assertError(result, "connect|refused")

    def test_a_name_that_does_not_exist_is_a_network_failure(self):
        self.ok("pin", "add", self.stand.authority.pin("good"), "--host", "nowhere.invalid",
                "--yes")
        self.fails(6, "fetch", "--unauth", "https://nowhere.invalid/")

    def test_a_slow_server_ends_at_the_timeout(self):
        began = time.monotonic()
        result = self.fails(6, "fetch", "--unauth", "--timeout", "1", "/slow/20")
        self.assertLess(time.monotonic() - began, 15)
        self.assertError(result, "within|timed out")

    def test_environment_proxies_are_followed(self):
        proxy = {"https_proxy": f"http://127.0.0.1:{free_port()}", "no_proxy": ""}
        self.fails(6, "fetch", "--unauth", "/public", environment=proxy)
        self.assertNoRequest(self.log)
        self.ok("fetch", "--unauth", "/public", environment=proxy | {"NO_PROXY": "localhost",
                                                                      "no_proxy": "localhost"})
