import Pinning
import Testing

@Suite struct PinSpellingTests {
  /// A digest whose base64 begins with a slash looks like curl's spelling.
  @Test(arguments: [UInt8(0xFC), 0xFF, 0x00, 0x80]) func readsItsOwnSpelling(first: UInt8) throws {
    let pin = try #require(Pin(sha256: [first] + [UInt8](repeating: 0xFF, count: 31)))
    let unpadded = String(pin.base64.dropLast())
    #expect(Pin(pin.description) == pin)
    #expect(Pin("sha256//\(pin.base64)") == pin)
    #expect(Pin("sha256/\(unpadded)") == pin)
    #expect(Pin("sha256//\(unpadded)") == pin)
    #expect(Pin("pin-sha256=x\(pin.base64)\"") == nil)
  }
}
