import Pinning
import Testing

@testable import PinFormats

@Suite("Pins in documents of other programs")
struct ForeignPinTests {
  private static let digest = PinFormatTests.digest

  private static func domains(_ content: String) -> String {
    "<network-security-config>\(content)</network-security-config>"
  }

  private static func domain(
    _ content: String, _ name: String = "a.test", _ includes: String = "false"
  ) -> String {
    "<domain-config><domain includeSubdomains=\"\(includes)\">\(name)</domain>\(content)"
      + "</domain-config>"
  }

  @Test("of base64 have its last character, and no line break in its place")
  func base64() throws {
    #expect(try PinnedKey.imported(base64: Self.digest, "x").pin == Pin(Self.digest))
    let unpadded = String(Self.digest.dropLast())
    for text in [unpadded + "\n", "\n" + unpadded, "sha256/" + Self.digest] {
      #expect(Pin(text) != nil)
      #expect(throws: PinFormatError.self) { try PinnedKey.imported(base64: text, "x") }
    }
  }

  private static let pinSet = "<pin-set><pin digest=\"SHA-256\">\(digest)</pin></pin-set>"

  @Test(
    "of Android",
    arguments: [
      (domains(domain(pinSet)), "a.test"),
      (
        domains(domain(pinSet.replacing("SHA-256", with: "sha-256"), "a.test", "TRUE")),
        "**.a.test"
      ), ("<x/>", "'x' is not network-security-config"),
      (domains("<base-config>\(pinSet)</base-config>"), "line 1: pins outside of domain-config"),
      (domains(domain(pinSet + pinSet)), "line 1: a domain-config has one pin-set"),
      (domains(domain(pinSet, "a b")), "line 1: 'a b' is not a host name"),
      (domains(domain(pinSet) + domain(pinSet)), "line 1: 'a.test' appears twice"),
      (domains(domain("<pin-set/>")), "it contains no pins"),
      (domains(domain("")), "it contains no pins"),
      (
        domains(domain("<pin-set/>") + domain(pinSet, "b.test")),
        "b.test, line 1: a pin-set without pins is not used"
      ),
      (domains(domain(domain("", "b.test") + pinSet)), "a.test, b.test"),
      (
        domains(domain("<pin-set><pin digest=\"SHA-1\">\(digest)</pin></pin-set>")),
        "line 1: the digest is not SHA-256"
      ),
      (
        domains(domain("<pin-set expiration=\"2030-01-01T00:00:00Z\"/>")),
        "line 1: the expiration is not a date"
      ),
      (domains(domain(pinSet, "a.test", "yes")), "line 1: includeSubdomains is not true or false"),
      (
        domains(domain(pinSet, "a.test", "true") + domain("", "b.a.test")),
        "**.a.test, line 1: b.a.test has no pins there; those of **.a.test apply"
      ),
    ])
  func android(text: String, result: String) {
    #expect(PinFormatTests.read(.android, text) == result)
  }

  private static func list(_ root: String, _ name: String, _ content: String) -> String {
    "<plist version=\"1.0\"><dict><key>\(root)</key><dict><key>\(name)</key><dict>\(content)"
      + "</dict></dict></dict></plist>"
  }

  private static func apple(_ content: String, _ name: String = "a.test") -> String {
    list("NSPinnedDomains", name, content)
  }

  private static let leaves =
    "<key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key>"
    + "<string>\(digest)</string></dict></array>"

  @Test(
    "of Apple",
    arguments: [
      (apple(leaves), "a.test"), (list("x", "a.test", ""), "NSPinnedDomains is missing"),
      (apple(leaves, "a b"), "'a b' is not a host name"),
      (apple(""), "a.test: it has no identities"),
      (
        apple(leaves + "<key>NSIncludesSubdomains</key><string>x</string>"),
        "a.test: NSIncludesSubdomains is not true or false"
      ),
      (apple(leaves + "<key>NSIncludesSubdomains</key><true/>"), "a.test, *.a.test"),
      (
        apple("<key>NSPinnedLeafIdentities</key><string>x</string>"),
        "a.test: NSPinnedLeafIdentities is not an array"
      ),
      (
        apple("<key>NSPinnedLeafIdentities</key><array><string>x</string></array>"),
        "a.test: NSPinnedLeafIdentities has an item without SPKI-SHA256-BASE64"
      ),
    ])
  func ofApple(text: String, result: String) {
    #expect(PinFormatTests.read(.apple, text) == result)
  }

  private static func trustKit(_ content: String, _ name: String = "a.test") -> String {
    list("TSKPinnedDomains", name, content)
  }

  private static let hashes =
    "<key>TSKPublicKeyHashes</key><array><string>\(digest)</string></array>"
  private static let exclusion = "<key>kSKExcludeSubdomainFromParentPolicy</key><true/>"

  @Test(
    "of TrustKit",
    arguments: [
      (trustKit(hashes), "a.test"), (list("x", "a.test", ""), "TSKPinnedDomains is missing"),
      (trustKit(hashes, "a b"), "'a b' is not a host name"),
      (
        trustKit("<key>TSKPublicKeyHashes</key><array/>"),
        "a.test: TSKPublicKeyHashes is missing or empty"
      ),
      (
        trustKit(hashes + "<key>TSKExpirationDate</key><string>2030-01-01T00:00:00Z</string>"),
        "a.test: TSKExpirationDate is not a date"
      ),
      (
        trustKit(hashes + "<key>TSKReportUris</key><array><string>https://r.test</string></array>"),
        "a.test, a.test: TSKReportUris is not used"
      ),
      (
        trustKit(hashes + "<key>TSKIncludeSubdomains</key><string>x</string>"),
        "a.test: TSKIncludeSubdomains is not true or false"
      ),
      (
        trustKit(hashes + exclusion),
        "a.test, a.test: a host cannot be excluded; its own pins apply"
      ),
      (trustKit(exclusion), "it contains no pins"),
    ])
  func ofTrustKit(text: String, result: String) {
    #expect(PinFormatTests.read(.trustkit, text) == result)
  }
}
