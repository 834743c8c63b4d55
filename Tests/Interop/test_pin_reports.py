"""Reports of pin mismatches: in the form of TrustKit, to a file or a pinned server, never late."""

import json
import socket
import time

from Servers.case import NO_PIN
from Servers.process import LOOPBACK
from Servers.relay import Proxy

from .test_pin_chains import HostCase


class PinReportTests(HostCase):
    def setUp(self):
        super().setUp()
        self.pin(NO_PIN)
        self.file = self.home.directory / "reports.ndjson"

    def settings(self, **values):
        self.ok("profile", "set", *(f"{key}={value}" for key, value in values.items()))

    def test_each_mismatch_adds_one_line_to_the_file_in_either_policy(self):
        self.settings(pinReportFile=self.file)
        self.assertMismatch(self.get(), ["local", "intermediate", "root"], [NO_PIN])
        self.settings(pinPolicy="report")
        self.assertEqual(self.get().exit, 0)
        reports = [json.loads(line) for line in self.file.read_text().splitlines()]
        self.assertEqual([report["enforce-pinning"] for report in reports], [True, False])
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o600)
        report = reports[0]
        self.assertEqual(report["hostname"], "localhost")
        self.assertEqual(report["noted-hostname"], "localhost")
        self.assertEqual(report["port"], self.hosts.ports["main"])
        self.assertEqual(report["include-subdomains"], False)
        self.assertEqual(report["validation-result"], 1)
        self.assertEqual(report["known-pins"],
                         [f'pin-sha256="{NO_PIN.removeprefix("sha256/")}"'])
        self.assertRegex(report["date-time"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")
        chain = [self.authority.certificate(name).read_text()
                 for name in ("local", "intermediate", "root")]
        self.assertEqual([text.strip() for text in report["validated-certificate-chain"]],
                         [text.strip() for text in chain])
        for key in ("app-bundle-id", "app-version", "app-vendor-id", "app-platform",
                    "app-platform-version", "trustkit-version"):
            self.assertIsInstance(report[key], str)

    def test_with_strict_pins_what_the_policy_lets_pass_is_in_the_exit_status(self):
        self.settings(pinPolicy="report")
        for pinned in (True, False):
            if not pinned:
                self.ok("pin", "remove", "localhost", "--yes")
            result = self.home.run("fetch", "--unauth", "/x", "--strict-pins")
            self.assertEqual(result.exit, 8, result)
            self.assertIn("sdkctl: error: could not protect the request with pins", result.err)
            self.assertEqual(result.out, b"main\n")
            result = self.home.run("fetch", "--unauth", "--strict-pins", "--batch", "-",
                                   input=b'{"path":"/x"}\n')
            self.assertEqual(result.exit, 8, result)
            (row,) = [json.loads(line) for line in result.text.splitlines()]
            self.assertEqual((row["exit"], row["error"]["code"]), (8, "pins_not_enforced"), result)
        self.pin("local")
        self.ok("fetch", "--unauth", "/x", "--strict-pins")

    def test_a_mismatch_of_an_https_proxy_is_reported_as_one_of_the_proxy(self):
        proxy = Proxy(self.authority.files("proxy")).start()
        self.addCleanup(proxy.stop)
        by = {"https_proxy": f"https://proxy.localhost:{proxy.port}", "no_proxy": ""}
        self.settings(pinReportFile=self.file)
        self.pin("local")
        self.ok("pin", "add", NO_PIN, "--host", "proxy.localhost", "--proxy", "--yes")
        get = ["fetch", "--unauth", "/x"]
        self.assertFailed(self.home.run(*get, environment=by), 8)
        self.assertEqual(proxy.asked, [])
        self.settings(pinPolicy="report")
        self.assertEqual(self.home.run(*get, environment=by).out, b"main\n")
        reports = [json.loads(line) for line in self.file.read_text().splitlines()]
        self.assertEqual([report["enforce-pinning"] for report in reports], [True, False])
        for report in reports:
            self.assertEqual((report["hostname"], report["noted-hostname"], report["port"]),
                             ("proxy.localhost", "proxy.localhost", proxy.port))
            self.assertEqual(report["known-pins"],
                             [f'pin-sha256="{NO_PIN.removeprefix("sha256/")}"'])
            chain = [self.authority.certificate(name).read_text().strip()
                     for name in ("proxy", "intermediate", "root")]
            self.assertEqual(
                [text.strip() for text in report["validated-certificate-chain"]], chain)

    def test_a_mismatch_is_posted_to_a_pinned_server(self):
        self.settings(pinReportURL=self.hosts.at("other", "other.localhost") + "/reports")
        self.pin("intermediate", host="other.localhost")
        before = self.hosts.reports()
        self.assertFailed(self.get(), 8)
        posted = [body for body in self.hosts.reports() if body not in before]
        self.assertEqual([json.loads(body)["hostname"] for body in posted], ["localhost"])

    def test_a_server_of_reports_without_a_matching_pin_gets_nothing(self):
        self.settings(pinReportURL=self.hosts.at("other", "other.localhost") + "/reports",
                      pinPolicy="report")
        for pinned in (False, True):
            if pinned:
                self.pin(NO_PIN, host="other.localhost")
            self.log.mark()
            result = self.get()
            self.assertEqual((result.exit, result.out), (0, b"main\n"), result)
            self.assertIn("could not send the report", result.err)
            self.assertNoRequest(self.log, seen=["GET /x"])

    def test_a_server_of_reports_that_does_not_answer_costs_five_seconds_at_most(self):
        with socket.create_server((LOOPBACK, 0)) as listener:
            port = listener.getsockname()[1]
            self.settings(pinReportURL=f"https://localhost:{port}/reports", pinPolicy="report")
            start = time.monotonic()
            result = self.get()
            seconds = time.monotonic() - start
        self.assertEqual((result.exit, result.out), (0, b"main\n"), result)
        self.assertIn("could not send the report", result.err)
        self.assertLess(seconds, 20)
