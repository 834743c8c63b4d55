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

  @Test(
    "has a small integer that is not negative",
    arguments: [
      ([0x02, 1, 0x7F], 127), ([0x02, 2, 0, 0x80], 128), ([0x02, 1, 0x80], nil), ([0x02, 0], nil),
      ([0x04, 1, 1], nil), ([0x02, 8, 1, 0, 0, 0, 0, 0, 0, 0], nil),
      ([0x02, 7, 1, 0, 0, 0, 0, 0, 0], 1 << 48),
    ] as [([UInt8], Int?)])
  func integers(bytes: [UInt8], value: Int?) throws {
    #expect(try #require(DERValue(bytes)).integer == value)
  }
}
