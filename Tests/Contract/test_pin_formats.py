"""Pins in the formats of other programs, read by parsers that we did not write; hostile documents."""

import base64
import hashlib
import json
import plistlib
import re
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
ANDROID_SAMPLES = f"""<?xml version="1.0" encoding="utf-8"?>
<network-security-config>
  <debug-overrides>
    <trust-anchors><certificates src="@raw/debug_cas"/></trust-anchors>
  </debug-overrides>
  <base-config><trust-anchors><certificates src="system"/></trust-anchors></base-config>
  <domain-config>
    <domain includeSubdomains="true">example.com</domain>
    <trust-anchors><certificates src="@raw/my_ca"/></trust-anchors>
    <pin-set><pin digest="SHA-256">{A}</pin></pin-set>
    <domain-config cleartextTrafficPermitted="false">
      <domain includeSubdomains="true">secure.example.com</domain>
      <pin-set><pin digest="SHA-256">{B}</pin></pin-set>
    </domain-config>
  </domain-config>
  <domain-config cleartextTrafficPermitted="true">
    <domain>open.example.com</domain><domain>elsewhere.example.org</domain>
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

    def test_what_android_has_besides_pins_is_said(self):
        result = self.read("android", ANDROID_SAMPLES)
        self.assertEqual(result.exit, 0, result)
        self.assertEqual((self.pins("**.example.com"), self.pins("**.secure.example.com")), ([A], [B]))
        self.assertEqual(len(self.sets()), 2)
        for loss in ("line 4: authorities that override pins are not used",
                     "line 9: the authorities of '@raw/my_ca' are not used",
                     "line 17: open.example.com has no pins there; those of **.example.com apply"):
            self.assertIn(loss, result.err)
        self.assertEqual(result.err.count("warning"), 3, result)
        self.assertNotEqual(self.read("android", ANDROID_SAMPLES, "--strict").exit, 0)
        two = ANDROID.replace("</pin-set>", f'</pin-set><pin-set><pin digest="SHA-256">{C}</pin></pin-set>')
        self.assertIn("has one pin-set", self.read("android", two).err)
        twice = ANDROID.replace("deep.example.com", "www.example.com")
        self.assertIn("appears twice", self.read("android", twice).err)

    def test_keys_that_apple_and_trustkit_add_are_said_to_be_unused(self):
        leaf = {"NSPinnedLeafIdentities": [{"SPKI-SHA256-BASE64": A}], "NSRequiresForwardSecrecy": True}
        document = plistlib.dumps({"NSAppTransportSecurity": {"NSPinnedDomains": {"example.net": leaf}}})
        result = self.read("apple", document.decode())
        self.assertEqual((result.exit, self.pins("example.net")), (0, [A]), result)
        self.assertIn("example.net: NSRequiresForwardSecrecy is not used", result.err)
        kit = plistlib.loads(TRUSTKIT.encode())
        kit["TSKConfiguration"]["TSKPinnedDomains"]["example.com"]["TSKPublicKeyAlgorithms"] = [
            "TSKAlgorithmRsa2048"]
        result = self.read("trustkit", plistlib.dumps(kit).decode(), "--allow-weaker")
        self.assertEqual(result.exit, 0, result)
        self.assertIn("example.com: TSKPublicKeyAlgorithms is not used", result.err)
        self.assertIn("TSKSwizzleNetworkDelegates is not used", result.err)
        # Without TSKEnforcePinning TrustKit enforces.
        domain = {"TSKPublicKeyHashes": [A, B]}
        document = plistlib.dumps({"TSKConfiguration": {"TSKPinnedDomains": {"x.example.com": domain}}})
        self.assertEqual(self.read("trustkit", document.decode(), "--allow-weaker").exit, 0)
        self.assertEqual(self.sets()["x.example.com"]["policy"], "enforce")

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

    def test_trustkit_says_which_pins_apply_to_an_excluded_host_with_pins_of_its_own(self):
        domains = {"example.com": {"TSKPublicKeyHashes": [A, B], "TSKIncludeSubdomains": True},
                   "own.example.com": {"kSKExcludeSubdomainFromParentPolicy": True,
                                       "TSKPublicKeyHashes": [B, C]}}
        result = self.read("trustkit", plistlib.dumps(
            {"TSKConfiguration": {"TSKPinnedDomains": domains}}))
        self.assertEqual(result.exit, 0, result)
        self.assertIn("own.example.com: a host cannot be excluded; its own pins apply", result.err)
        self.assertEqual(self.pins("own.example.com"), [B, C])

    def test_okhttp_gets_a_call_for_each_key(self):
        self.pin("api.example.com", B)
        self.pin("**.example.com", A)
        text, errors = self.export("okhttp")
        self.assertEqual(re.findall(r'\.add\("([^"]+)", "sha256/([^"]+)"\)', text),
                         [("api.example.com", B), ("**.example.com", A)])
        self.assertIn("okhttp also accepts the pins of **.example.com", errors)
        text, _ = self.export("okhttp-java")
        self.assertIn("new CertificatePinner.Builder()", text)
        self.assertTrue(text.endswith(".build();\n"))

    def test_our_json_is_read_as_it_was_written(self):
        self.pin("*.example.com:8443", A, B, options=("--policy", "report", "--comment", "x"))
        before, text = self.sets(), self.export("json")[0]
        self.ok("pin", "remove", "*.example.com:8443", "--yes")
        self.assertEqual(self.read("json", text, "--allow-weaker").exit, 0)
        self.assertEqual(self.sets(), before)

    def test_importing_merges_and_replace_replaces_only_the_same_pattern(self):
        self.pin("api.example.com", C)
        self.pin("other.example.com", C)
        value = f"sha256//{A};sha256//{B}"
        self.assertEqual(self.read("curl", value, "--host", "api.example.com").exit, 0)
        self.assertEqual(self.pins("api.example.com"), [C, A, B])
        self.assertEqual(self.read("curl", value, "--host", "api.example.com", "--replace").exit, 0)
        self.assertEqual(self.pins("api.example.com"), [A, B])
        self.assertEqual(self.pins("other.example.com"), [C])
        self.assertEqual(self.sets()["api.example.com"]["keys"][0]["origin"], "import curl standard input")

    def test_what_a_format_cannot_express_is_said_and_strict_refuses(self):
        self.pin("*.example.com:8443", A, B, options=("--expires", "2031-01-01", "--policy", "report"))
        for name in ("okhttp", "android", "apple", "trustkit"):
            with self.subTest(name):
                self.assertIn("*.example.com:8443: ", self.export(name)[1])
                result = self.fails(1, "pin", "export", "--format", name, "--strict")
                self.assertEqual(result.out, b"")
        self.ok("pin", "export", "--format", "json", "--strict")

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
