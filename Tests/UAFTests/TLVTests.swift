import TestSupport

@testable import UAF

@Suite("UAFV1TLV")
struct TLVTests {
  @Test("is written with tag and length in little-endian order")
  func written() throws {
    #expect(try TLV(0x2E0B, [1, 2, 3]).encoded == [0x0B, 0x2E, 3, 0, 1, 2, 3])
    #expect(try TLV(0x3E03, of: [TLV(0x2E09, [])]).encoded == [0x03, 0x3E, 4, 0, 0x09, 0x2E, 0, 0])
    #expect(try TLV(0x2E0C, [UInt8](repeating: 7, count: 258)).encoded[2...3] == [2, 1])
    #expect(throws: UAFError.self) { try TLV(1, [UInt8](repeating: 0, count: 65536)) }
  }

  @Test(
    "is refused if an element is cut off or bytes follow",
    arguments: [
      ([0x0B], "1 stray bytes"), ([0x0B, 0x2E, 0], "3 stray bytes"),
      ([0x0B, 0x2E, 1, 0], "0x2E0B of the assertion is cut off"),
      ([0x0B, 0x2E, 0, 1, 9], "0x2E0B of the assertion is cut off"),
      ([0x09, 0, 0, 0, 1], "1 stray bytes"), ([0x09, 0, 0xFF, 0xFF], "0x0009"),
    ] as [([UInt8], String)])
  func strict(bytes: [UInt8], cause: String) throws {
    let error = #expect(throws: UAFError.self) { try TLV.elements(of: bytes) }
    #expect(error?.message.containsText(cause) == true, "\(error?.message ?? "")")
    #expect(error?.code == .protocolError)
  }

  @Test("is read as it was written, whatever its bytes are")
  func fuzz() throws {
    var dice = Dice(state: 5)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...40, using: &dice)).map { _ in
        UInt8.random(in: 0...3, using: &dice)
      }
      guard let elements = try? TLV.elements(of: bytes) else { continue }
      #expect(elements.flatMap(\.encoded) == bytes)
    }
  }

  @Test("composites have each element once, and nothing that is unknown or critical")
  func composite() throws {
    let key = try TLV(TLVTag.keyID, [1])
    let harmless = try TLV(TLVTag.nonCriticalExtension, [])
    for (others, isRead) in [
      ([], true), ([harmless], true), ([key], false), ([try TLV(TLVTag.extension, [])], false),
      ([try TLV(0x2EFF, [])], false),
    ] {
      let composite = try TLV(TLVTag.signedData, of: [key] + others)
      func read() throws(UAFError) {
        var reader = try TLVReader(composite)
        _ = try reader.take(TLVTag.keyID)
        try reader.end()
      }
      if isRead { try read() } else { #expect(throws: UAFError.self) { try read() } }
    }
    var reader = try TLVReader(try TLV(TLVTag.signedData, of: [key]))
    let missing = #expect(throws: UAFError.self) { _ = try reader.take(TLVTag.aaid) }
    #expect(missing?.message == "the element 0x3E04 has no 0x2E0B")
  }
}
