import Pinning
import Primitives
import Testing

@testable import SDKCore

@Suite("Formats of pins without ports")
struct PinFormatTests {
  @Test(
    "name each host once, with the keys of all its ports",
    arguments: [PinFormat.android, .apple, .trustkit])
  func ports(format: PinFormat) throws {
    let keys = try ["a", "b"].map { letter in
      let digest = Array(repeating: UInt8(ascii: letter == "a" ? "a" : "b"), count: 32)
      return PinnedKey(pin: try #require(Pin(Base64.encode(digest))), role: .leaf)
    }
    let sets = [
      PinSet(try #require(PinPattern("api.test")), keys: [keys[0]]),
      PinSet(try #require(PinPattern("api.test:8443")), keys: [keys[1]]),
    ]
    let export = try format.export(sets, at: 0)
    #expect(export.losses.contains { $0.contains("its keys join those of api.test") })
    let read = try format.read(Array(export.text.utf8), at: 0).sets
    #expect(read.map(\.pattern.description) == ["api.test"])
    #expect(Set(read.flatMap(\.keys).map(\.pin)) == Set(keys.map(\.pin)))
  }

  private static let set: PinSet? = PinPattern("api.test").flatMap { pattern in
    Pin(Base64.encode(Array(repeating: UInt8(ascii: "a"), count: 32))).map {
      PinSet(pattern, keys: [PinnedKey(pin: $0, role: .intermediate)])
    }
  }

  @Test("are found out from what they wrote", arguments: PinFormat.readable)
  func detected(format: PinFormat) throws {
    let text = try format.export([try #require(Self.set)], at: 0).text
    let found = PinFormat.detected(in: Array(text.utf8))
    // Both forms of okhttp are read by one reader.
    #expect(found == (format == .okhttpJava ? .okhttp : format))
  }

  @Test(
    "are not found out from other documents", arguments: ["", "hello", "<html></html>", "sha256/x"])
  func notDetected(text: String) {
    #expect(PinFormat.detected(in: Array(text.utf8)) == nil)
  }

  @Test(
    "that are written only, and what they do not express",
    arguments: [
      (
        .dart, "const pins = <String, List<String>>{\n  'api.test': [\n    'PIN',\n  ],\n};\n", nil
      ),
      (.envoy, "  verify_certificate_spki:\n    - \"BASE64\"\n", "only the key of the leaf"),
      (.chromium, "--ignore-certificate-errors-spki-list=BASE64\n", "refuses no other key"),
    ] as [(PinFormat, String, String?)])
  func written(format: PinFormat, text: String, loss: String?) throws {
    let set = try #require(Self.set)
    let pin = try #require(set.keys.first?.pin)
    let export = try format.export([set], at: 0)
    let expected = text.split(separator: "PIN", omittingEmptySubsequences: false)
      .joined(separator: pin.description)
      .split(separator: "BASE64", omittingEmptySubsequences: false).joined(separator: pin.base64)
    #expect(export.text.hasSuffix(expected), "\(export.text)")
    #expect(export.losses.contains { $0.contains(loss ?? "") } == (loss != nil))
    #expect(throws: PinFormatError.self) { try format.read(Array(export.text.utf8), at: 0) }
  }
}
