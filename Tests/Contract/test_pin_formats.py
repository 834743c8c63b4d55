"""Pins in the formats of other programs, read by parsers that we did not write; hostile documents."""

import base64
import hashlib
import json
import plistlib
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from Servers.case import Case

A, B, C = (base64.b64encode(hashlib.sha256(name).digest()).decode() for name in (b"a", b"b", b"c"))

ANDROID = f"""<?xml version="1.0" encoding="utf-8"?>
<network-security-config>
  <base-config cleartextTrafficPermitted="false"/>
  <domain-config>
    <domain includeSubdomains="true">api.example.com</domain>
    <domain>www.example.com</domain>
    <pin-set expiration="2031-12-31">
      <pin digest="SHA-256">{A}</pin>
      <pin digest="SHA-256"> {B} </pin>
    </pin-set>
    <domain-config><domain>deep.example.com</domain></domain-config>
  </domain-config>
</network-security-config>
"""

# Of the documentation: debug-overrides, authorities of the application, nested configurations.

APPLE = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>CFBundleName</key><string>x</string><key>Big</key><integer>7</integer>
<key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
<key>example.com</key><dict><key>NSIncludesSubdomains</key><true/>
<key>NSPinnedCAIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>{A}</string></dict></array>
</dict></dict></dict></dict></plist>
"""

TRUSTKIT = plistlib.dumps({"TSKConfiguration": {"TSKSwizzleNetworkDelegates": True, "TSKPinnedDomains": {
    "example.com": {"TSKPublicKeyHashes": [A, B], "TSKIncludeSubdomains": True, "TSKEnforcePinning": False,
                    "TSKExpirationDate": "2031-12-31", "TSKReportUris": ["https://r.example.com/"]},
    "open.example.com": {"kSKExcludeSubdomainFromParentPolicy": True}}}}).decode()

LAUGHS = """<?xml version="1.0"?><!DOCTYPE network-security-config [<!ENTITY a "ha">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<network-security-config>&c;</network-security-config>"""

EXTERNAL = """<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<plist version="1.0"><dict><key>&x;</key><true/></dict></plist>"""


class PinFormatTests(Case):
    def setUp(self):
        super().setUp()
        self.ok("profile", "add", self.home.name, "--issuer", "https://id.example.com",
                "--resource-url", "https://api.example.com")

    def pin(self, host, *pins, role=None, options=()):
        self.ok("pin", "add", *("sha256/" + pin for pin in pins), "--host", host, *options,
                *(("--role", role) if role else ()))

    def export(self, name, *arguments):
        result = self.ok("pin", "export", "--format", name, *arguments)
        return result.text, result.err

    def read(self, name, text, *arguments):
        result = self.home.run("pin", "import", "--format", name, "-", "--yes", *arguments, input=text)
        return result

    def sets(self):
        return {item["pattern"]: item for item in json.loads(self.ok("pin", "list", "--json").text)}

    def pins(self, pattern):
        return [key["pin"].removeprefix("sha256/") for key in self.sets()[pattern]["keys"]]

    def test_an_android_configuration_is_read_with_inheritance_and_written_as_xml(self):
        self.assertEqual(self.read("android", ANDROID).exit, 0)
        sets = self.sets()
        self.assertEqual(set(sets), {"**.api.example.com", "www.example.com", "deep.example.com"})
        self.assertEqual(sets["www.example.com"]["expires"], "2031-12-31T00:00:00Z")
        self.assertEqual(self.pins("deep.example.com"), [A, B])
        text, _ = self.export("android")
        root = ElementTree.fromstring(text)
        domains = {item.findtext("domain"): item for item in root.iter("domain-config")}
        self.assertEqual(domains["api.example.com"].find("domain").get("includeSubdomains"), "true")
        self.assertEqual(domains["www.example.com"].find("domain").get("includeSubdomains"), "false")
        self.assertEqual(domains["www.example.com"].find("pin-set").get("expiration"), "2031-12-31")
        self.assertEqual([pin.text for pin in domains["www.example.com"].iter("pin")], [A, B])
        if shutil.which("xmllint"):
            subprocess.run(["xmllint", "--noout", "--nonet", "-"], input=text.encode(), check=True)
        before = self.sets()
        self.assertEqual(self.read("android", text, "--replace").exit, 0)
        self.assertEqual({name: [key["pin"] for key in item["keys"]] for name, item in before.items()},
                         {name: [key["pin"] for key in item["keys"]] for name, item in self.sets().items()})

    def test_apples_subdomains_are_the_direct_ones_and_one_list_is_written(self):
        self.assertEqual(self.read("apple", APPLE).exit, 0)
        self.assertEqual(set(self.sets()), {"example.com", "*.example.com"})
        text, errors = self.export("apple")
        self.assertNotIn("warning", errors)
        domains = plistlib.loads(text.encode())["NSAppTransportSecurity"]["NSPinnedDomains"]
        self.assertEqual(domains, {"example.com": {
            "NSIncludesSubdomains": True, "NSPinnedCAIdentities": [{"SPKI-SHA256-BASE64": A}]}})
        self.pin("mixed.example.com", B)
        text, errors = self.export("apple", "mixed.example.com")
        self.assertIn("NSPinnedLeafIdentities", text)
        self.pin("mixed.example.com", C, role="intermediate")
        text, errors = self.export("apple", "mixed.example.com")
        self.assertNotIn("NSPinnedLeafIdentities", text)
        self.assertIn("leaf and backup pins are left out", errors)

    def test_trustkit_keeps_policy_and_expiry_and_says_what_it_excludes(self):
        self.assertEqual(self.read("trustkit", TRUSTKIT).exit, 2)
        self.assertEqual(self.sets(), {})
        result = self.read("trustkit", TRUSTKIT, "--allow-weaker")
        self.assertEqual(result.exit, 0, result)
        self.assertIn("open.example.com", result.err)
        item = self.sets()["**.example.com"]
        self.assertEqual((item["policy"], item["expires"]), ("report", "2031-12-31T00:00:00Z"))
        self.assertIn("TSKReportUris is not used", result.err)
        text, _ = self.export("trustkit")
        entry = plistlib.loads(text.encode())["TSKConfiguration"]["TSKPinnedDomains"]["example.com"]
        self.assertEqual(entry, {
            "TSKPublicKeyHashes": [A, B], "TSKIncludeSubdomains": True, "TSKEnforcePinning": False,
            "TSKDisableDefaultReportUri": True, "TSKExpirationDate": "2031-12-31"})
        before = self.home.pins_file.read_bytes()
        self.assertNotEqual(self.read("trustkit", TRUSTKIT, "--strict").exit, 0)
        self.assertEqual(self.home.pins_file.read_bytes(), before)

    def test_hostile_documents_change_nothing_and_name_the_cause(self):
        broken = A[:-2] + "?="
        for name, text, cause in (
                ("android", LAUGHS, "entities of its own"), ("apple", EXTERNAL, "entities of its own"),
                ("android", "<a>" * 100, "too many elements or levels"),
                ("android", ANDROID.replace(A, broken), "is not base64 of 32 bytes"),
                ("android", ANDROID.replace(A, "AAAA"), "is not base64 of 32 bytes"),
                ("android", ANDROID.replace("SHA-256", "SHA-1", 1), "is not SHA-256"),
                ("android", ANDROID.replace("2031-12-31", "soon"), "is not a date"),
                ("android", ANDROID.replace("www.example.com", "co.uk").replace("<domain>", '<domain includeSubdomains="true">'),
                 "public suffix"),
                ("android", ANDROID[:-20], "line "), ("android", "", "line "),
                ("apple", APPLE.replace("</key>", "</key><key>x</key>", 1), "key"),
                ("apple", APPLE.replace("example.com", "&x;"), "does not declare"),
                ("apple", "bplist00", "plistutil -f xml"), ("trustkit", APPLE, "TSKPinnedDomains is missing"),
                ("json", "{", "line 1"),
                ("json", '{"version":2,"hosts":{}}', "not 1"), ("json", '{"version":1,"hosts":{}}', "no pins")):
            with self.subTest(name + " " + cause):
                result = self.read(name, text)
                self.assertEqual(result.exit, 1, result)
                self.assertIn(cause, result.err)
                self.assertEqual(self.sets(), {})


if __name__ == "__main__":
    unittest.main()
