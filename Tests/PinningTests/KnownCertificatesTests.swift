import OpenSSL
import TestSupport

@testable import Pinning

@Suite("The certificates that are known")
struct KnownCertificatesTests {
  @Test("are forgotten when there are too many, and not because one of them is shown again")
  func limit() throws {
    let key = try PrivateKey.generate(.ec(.p256))
    let certificates = try (0...KnownCertificates.limit).map { number in
      try Certificate.selfSigned(
        by: key, commonName: "\(number)", from: 1_800_000_000, to: 1_800_000_060)
    }
    let known = KnownCertificates()
    for certificate in certificates.dropLast() { _ = known.details(of: certificate) }
    #expect(known.count == 256)
    #expect(known.details(of: certificates[0]).subject == "CN=0")
    #expect(known.count == 256)
    #expect(known.details(of: certificates[256]).subject == "CN=256")
    #expect(known.count == 1)
  }
}
