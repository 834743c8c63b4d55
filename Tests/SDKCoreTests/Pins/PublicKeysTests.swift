import Testing

@testable import OpenSSL
@testable import SDKCore

@Suite("Keys of files")
struct PublicKeysTests {
  /// An encrypted key (RFC 5958) under 2,000,000 iterations of PBKDF2: many times the limit below.
  private static let costly = DERWriter.sequence([
    DERWriter.sequence([
      name(0x0D),
      DERWriter.sequence([
        DERWriter.sequence([
          name(0x0C),
          DERWriter.sequence([
            DERWriter.octets([1, 2, 3, 4]), DERWriter.integer([0x1E, 0x84, 0x80]),
          ]),
        ]),
        DERWriter.sequence([
          [0x06, 9, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2A],
          DERWriter.octets([UInt8](repeating: 7, count: 16)),
        ]),
      ]),
    ]), DERWriter.octets([UInt8](repeating: 9, count: 48)),
  ])

  /// The name of an algorithm of PKCS #5.
  private static func name(_ number: UInt8) -> [UInt8] {
    [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, number]
  }

  @Test("are not waited for longer than a limit, while a key is derived from their password")
  func limit() async {
    let error = await #expect(throws: SDKError.self) {
      try await PublicKeys.found(
        in: Self.costly, of: "key", password: "x", atMost: .milliseconds(10))
    }
    #expect(error?.code == .localData)
    #expect(error?.message.hasSuffix("it takes longer than the time allows") == true)
  }
}
