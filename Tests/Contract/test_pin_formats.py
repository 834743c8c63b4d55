"""Pins in the formats of other programs, read by parsers that we did not write."""

import base64
import hashlib
import plistlib
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from Servers.case import Case

A, B = (base64.b64encode(hashlib.sha256(name).digest()).decode() for name in (b"a", b"b"))

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

class PinFormatTests(Case):
    def setUp(self):
        super().setUp()
        self.ok("profile", "add", self.home.name, "--issuer", "https://id.example.com",
                "--resource-url", "https://api.example.com")

    def passed_through(self, name, text):
        """What is exported after the document was imported."""
        self.ok("pin", "import", "--format", name, "-", "--yes", "--allow-weaker", input=text)
        return self.ok("pin", "export", "--format", name).text

    def test_an_android_configuration_is_written_as_xml(self):
        text = self.passed_through("android", ANDROID)
        root = ElementTree.fromstring(text)
        domains = {item.findtext("domain"): item for item in root.iter("domain-config")}
        self.assertEqual(domains["api.example.com"].find("domain").get("includeSubdomains"), "true")
        self.assertEqual(domains["www.example.com"].find("domain").get("includeSubdomains"), "false")
        self.assertEqual(domains["www.example.com"].find("pin-set").get("expiration"), "2031-12-31")
        self.assertEqual([pin.text for pin in domains["www.example.com"].iter("pin")], [A, B])
        if shutil.which("xmllint"):
            subprocess.run(["xmllint", "--noout", "--nonet", "-"], input=text.encode(), check=True)
        self.ok("pin", "import", "--format", "android", "-", "--yes", "--replace", input=text)
        self.assertEqual(self.ok("pin", "export", "--format", "android").text, text)

    def test_one_list_of_keys_is_written_for_apple(self):
        domains = plistlib.loads(self.passed_through("apple", APPLE).encode())
        self.assertEqual(domains["NSAppTransportSecurity"]["NSPinnedDomains"], {"example.com": {
            "NSIncludesSubdomains": True, "NSPinnedCAIdentities": [{"SPKI-SHA256-BASE64": A}]}})

    def test_policy_and_expiry_are_written_for_trustkit(self):
        configuration = plistlib.loads(self.passed_through("trustkit", TRUSTKIT).encode())
        self.assertEqual(configuration["TSKConfiguration"]["TSKPinnedDomains"]["example.com"], {
            "TSKPublicKeyHashes": [A, B], "TSKIncludeSubdomains": True, "TSKEnforcePinning": False,
            "TSKDisableDefaultReportUri": True, "TSKExpirationDate": "2031-12-31"})
