"""The wire of Sequencing.com: every quirk a setting of the profile, and each request as documented."""

import json
import re
import subprocess
import urllib.parse

from Servers.case import Case
from Servers.process import free_port
from Servers.sdkctl import REPOSITORY
from Servers.vendors import Sequencing


class SequencingTests(Case):
    def setUp(self):
        super().setUp()
        self.vendor = Sequencing(self.stand.authority).start()
        self.addCleanup(self.vendor.stop)
        self.profile()

    def profile(self):
        """The preset, with its addresses moved to the vendor of this test."""
        name, origin = self.home.name, self.vendor.origin
        self.ok("profile", "add", name, "--preset", "sequencing", "--issuer", origin,
                "--resource-url", origin, "--scope", "demo", "--ca-file", self.stand.ca_file)
        self.ok("profile", "use", name)
        settings = json.loads(self.home.profile_file.read_text())
        self.ok("profile", "set", *(
            f"endpoints.{key}={origin}{url.removeprefix('https://sequencing.com')}"
            for key, url in settings["endpoints"].items()))
        self.ok("pin", "add", self.vendor.origin, "--yes")

    def adopt(self):
        self.redirect = f"http://127.0.0.1:{free_port()}/Authcallback"
        self.ok("register", "--client-id", Sequencing.CLIENT, "--client-secret-file", "-",
                "--redirect-uri", self.redirect, input=Sequencing.SECRET)

    def log_in(self):
        self.adopt()
        self.home.use_browser(self.stand)
        return self.ok("login", "--json")

    def test_a_login_as_the_vendors_library_makes_it(self):
        result = self.log_in()
        self.assertEqual(self.jsonOf(result)["scope"], "demo")
        [(_, target, _, _)] = [seen for seen in self.vendor.seen
                               if seen[1].startswith(Sequencing.AUTHORIZE)]
        query = urllib.parse.parse_qs(target.partition("?")[2])
        self.assertGreaterEqual(len(query.pop("state")[0]), 22)
        # The nonce goes with every request, and is a parameter that the library does not send.
        self.assertGreaterEqual(len(query.pop("nonce")[0]), 22)
        self.assertEqual(query, {
            "redirect_uri": [self.redirect], "response_type": ["code"], "scope": ["demo"],
            "client_id": [Sequencing.CLIENT], "mobile": ["1"]})
        [(method, _, fields, body)] = self.vendor.to(Sequencing.TOKEN)
        self.assertEqual(method, "POST")
        self.assertEqual(fields["authorization"], Sequencing.BASIC)
        self.assertEqual(body, "grant_type=authorization_code&code=c0de&redirect_uri="
                         + urllib.parse.quote(self.redirect, safe="")
                         + "&client_id=My%20App%20%28test%29")
        asked = {seen[1].partition("?")[0] for seen in self.vendor.seen}
        self.assertEqual(asked, {Sequencing.AUTHORIZE, Sequencing.TOKEN})  # and no metadata

    def test_the_recipe_of_the_choice_of_a_file(self):
        self.log_in()
        page = (REPOSITORY / "docs/vendors.md").read_text()
        [recipe] = re.findall(r"```sh\n(.*DataSourceList.*?)```", page, re.S)
        directory = self.home.directory / "files"
        directory.mkdir()
        done = subprocess.run(
            ["sh", "-e", "-c", recipe], cwd=directory,
            env=self.home.environment, input="father\n", text=True, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((directory / "father.vcf").read_text()), {"file": "father.vcf"})
