import Testing

@testable import OpenSSL

@Suite("An OCSP response")
struct RevocationStatusTests {
  @Test(
    "that cannot be read, is an error, or comes without an issuer, says nothing",
    arguments: [
      ([], "it cannot be read"), ([0x30, 0x03, 0x0A], "it cannot be read"),
      ([0x30, 0x03, 0x0A, 0x01, 0x06], "the responder returned an error"),
      // Successful, but empty.
      ([0x30, 0x03, 0x0A, 0x01, 0x00], "it cannot be read"),
    ] as [([UInt8], String)])
  func unusable(response: [UInt8], cause: String) throws {
    // Who has certificates has opened libcrypto.
    _ = try CryptoLibrary.version()
    let status = RevocationStatus(response, of: [])
    #expect(status.state == .invalid(cause))
    #expect(status.updated == nil)
    #expect(status.next == nil)
  }
}
