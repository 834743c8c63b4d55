import OpenSSL
import TestSupport

@testable import Pinning

struct PinTests {
  private static let bytes: [UInt8] = [0xFB, 0xFF] + (2..<32).map { UInt8($0) }
  private static let base64 = "+/8CAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
  private static let url = "-_8CAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
  private static let hex = "fbff02030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

  @Test(
    "a pin is read in every common notation",
    arguments: [
      "sha256//\(base64)", "sha256/\(base64)", "SHA256/\(base64)", "sha256/\(base64.dropLast())",
      "sha256//\(hex)", "pin-sha256=\"\(base64)\"", "Pin-SHA256=\"\(base64)\"", base64,
      "\(base64.dropLast())", url, "\(url)=", hex, hex.uppercased(), " \(base64)\n",
      "FB:FF:02:03:04:05:06:07:08:09:0A:0B:0C:0D:0E:0F:10:11:12:13:14:15:16:17:18:19:1A:1B:1C:1D:1E:1F",
    ])
  func spellings(text: String) throws {
    let pin = try #require(Pin(text))
    #expect(pin.sha256 == Self.bytes)
    #expect(pin.description == "sha256/\(Self.base64)")
    #expect(pin.base64 == Self.base64)
    #expect(Pin(pin.description) == pin)
  }

  @Test(
    "a digest whose base64 begins with a slash is read in every notation",
    arguments: [
      "sha256/\(slashed)", "sha256//\(slashed)", "sha256/\(slashed.dropLast())",
      "sha256//\(slashed.dropLast())", "pin-sha256=\"\(slashed)\"", slashed,
      "\(slashed.dropLast())",
    ])
  func slash(text: String) {
    #expect(Pin(text)?.base64 == Self.slashed)
  }

  private static let slashed = "/+8CAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

  @Test(
    "anything else is not a pin",
    arguments: [
      "", "sha256/", "sha256//", "sha1/\(base64)", "sha512/\(base64)", "pin-sha256=\(base64)",
      "pin-sha256=\"\(base64)", "pin-sha256=\"", "sha256///\(base64)", "\(base64)=", "\(base64) x",
      "\(base64.dropLast(2))", "\(base64.dropLast(2))9=", "\(hex)0", "\(hex.dropLast())",
      "\(hex.dropLast())g", "+_8CAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "AAAA",
      "FB-FF:02:03:04:05:06:07:08:09:0A:0B:0C:0D:0E:0F:10:11:12:13:14:15:16:17:18:19:1A:1B:1C:1D:1E:1F",
    ])
  func noPin(text: String) {
    #expect(Pin(text) == nil)
  }

  @Test("a digest of another length is not a pin", arguments: [0, 20, 31, 33])
  func length(count: Int) {
    #expect(Pin(sha256: [UInt8](repeating: 0, count: count)) == nil)
  }

  @Test("roles and policies have the names that documents carry")
  func names() {
    #expect(PinRole.allCases.map(\.rawValue) == ["leaf", "intermediate", "root", "backup"])
    #expect(PinPolicy.allCases.map(\.rawValue) == ["enforce", "report"])
  }

  @Test(
    "the pin of a certificate, request or key is that of the openssl commands",
    .enabled(if: Program.isExpected("openssl"), "needs the openssl program"),
    arguments: ["rsa:2048", "ec -pkeyopt ec_paramgen_curve:P-384", "ed25519"])
  func recipe(key: String) throws {
    let tool = try ForeignTool()
    let hash = "openssl dgst -sha256 -binary | openssl base64"
    let expected = try tool.run(
      """
      openssl req -x509 -newkey \(key) -nodes -keyout key -out cert -days 1 -subj /CN=x
      openssl req -new -key key -subj /CN=x -out csr
      openssl x509 -in cert -pubkey -noout | openssl pkey -pubin -outform der | \(hash)
      """)
    for file in ["cert", "csr", "key"] {
      let found = try KeyMaterial.items(in: tool.read(file))
      #expect(try found.map { try Pin(spki: $0.spki).base64 } == [expected], "\(file)")
    }
  }
}
