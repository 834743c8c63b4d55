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
}
