"""`fetch --write-out` beside curl's: the same names, and the same values where both can have them."""

import json
import subprocess

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
        theirs = json.loads(self.curl("%{json}"))
        ours = json.loads(self.ours("%{json}"))
        self.assertEqual(sorted(set(theirs) - set(ours)), [])
        kinds = lambda value: float if type(value) in (int, float) else type(value)
        for name, value in theirs.items():
            with self.subTest(name):
                if value is not None and ours[name] is not None:
                    self.assertIs(kinds(ours[name]), kinds(value))
        for name in ("content_type", "http_code", "http_connect", "http_version", "method",
                     "num_certs", "num_connects", "num_headers", "num_redirects", "exitcode",
                     "proxy_ssl_verify_result", "remote_ip", "remote_port", "response_code",
                     "scheme", "size_download", "size_header", "ssl_verify_result",
                     "url", "url_effective", "certs", "urlnum", "errormsg", "redirect_url",
                     "ftp_entry_path", "referer", "size_upload", "filename_effective"):
            with self.subTest(name):
                self.assertEqual(ours[name], theirs[name])
        self.assertRegex(ours["curl_version"], r"^libcurl/[\d.]+ OpenSSL/")

    def test_certificates_are_described_as_curl_describes_them(self):
        for format in ("%{certs}", "%{num_certs}"):
            with self.subTest(format):
                self.assertEqual(self.ours(format), self.curl(format))
        self.assertIn("-----BEGIN CERTIFICATE-----", self.ours("%{certs}"))

    def test_a_batch_writes_a_text_for_each_request_over_the_same_connection(self):
        lines = "".join(json.dumps({"path": self.url, "id": n}) + "\n" for n in range(50))
        result = self.ok("fetch", "--unauth", "--batch", "-", "-w",
                         r"%{id} %{http_code} %{http_version} %{size_download}\n", input=lines)
        size = self.curl("%{size_download}")
        self.assertEqual(sorted(result.text.splitlines()),
                         sorted(f"{n} 200 2 {size}" for n in range(50)))
