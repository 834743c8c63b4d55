import TestSupport
import UAF

@Suite("UAFV1TLV")
struct TLVTests {
  @Test("is written with tag and length in little-endian order")
  func written() throws {
    #expect(try TLV(0x2E0B, [1, 2, 3]).encoded == [0x0B, 0x2E, 3, 0, 1, 2, 3])
    #expect(try TLV(0x3E03, of: [TLV(0x2E09, [])]).encoded == [0x03, 0x3E, 4, 0, 0x09, 0x2E, 0, 0])
    #expect(try TLV(0x2E0C, [UInt8](repeating: 7, count: 258)).encoded[2...3] == [2, 1])
    #expect(throws: UAFError.self) { try TLV(1, [UInt8](repeating: 0, count: 65536)) }
  }
}
