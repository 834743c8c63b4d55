"""`fetch --write-out` beside curl's: the same names, and the same values where both can have them."""

import json
import subprocess

from Interop.curl_variables import comparable
from Servers.case import Case


class WriteOutTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()
        self.url = f"https://localhost:{self.stand.gateway.ports['main']}/public"

    def curl(self, format, *options) -> str:
        return subprocess.run(
            ["curl", "-s", "--http2", "-A", "sdkctl", "-o", "/dev/null", "--cacert",
             self.stand.ca_file, "-w", format, *options, self.url], check=True,
            capture_output=True, text=True).stdout

    def ours(self, format, *options) -> str:
        return self.ok("fetch", "--unauth", "-o", "/dev/null", "-w", format, self.url,
                       *options).text

    def test_the_json_has_every_member_of_curl_with_a_value_of_its_type(self):
        theirs = comparable(json.loads(self.curl("%{json}")))
        ours = json.loads(self.ours("%{json}"))
        self.assertEqual(sorted(set(theirs) - set(ours)), [])
        kinds = lambda value: float if type(value) in (int, float) else type(value)
        for name, value in theirs.items():
            with self.subTest(name):
                if value is not None and ours[name] is not None:
                    self.assertIs(kinds(ours[name]), kinds(value))
        for name in ("content_type", "http_code", "http_connect", "http_version", "method",
                     "num_certs", "num_connects", "num_headers", "num_redirects", "exitcode",
                     "remote_ip", "remote_port", "response_code",
                     "scheme", "size_download", "size_header", "ssl_verify_result",
                     "url", "url_effective", "certs", "errormsg", "redirect_url", "referer", "size_upload", "filename_effective"):
            with self.subTest(name):
                self.assertEqual(ours[name], theirs[name])
        self.assertRegex(ours["curl_version"], r"^libcurl/[\d.]+ OpenSSL/")

    def test_certificates_are_described_as_curl_describes_them(self):
        for format in ("%{certs}", "%{num_certs}"):
            with self.subTest(format):
                self.assertEqual(self.ours(format), self.curl(format))
        self.assertIn("-----BEGIN CERTIFICATE-----", self.ours("%{certs}"))
