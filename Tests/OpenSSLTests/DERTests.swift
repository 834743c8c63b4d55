import Testing

@testable import OpenSSL

@Suite("A DER structure")
struct DERTests {
  @Test(
    "is none if its length is cut, indefinite, of more than four bytes, or that of other bytes",
    arguments: [
      [], [0x30], [0x30, 0x81], [0x30, 0x82, 0], [0x30, 0x80], [0x30, 0x85, 0, 0, 0, 0, 0],
      [0x30, 1], [0x30, 0, 0], [0x3F, 0x01, 0],
    ] as [[UInt8]])
  func malformed(bytes: [UInt8]) {
    #expect(DERValue(bytes) == nil)
    #expect(DERValue([0x30, 0x82, 0, 0])?.children == [])
  }
}
