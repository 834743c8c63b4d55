import CoreTestSupport
import UAF

@testable import FIDO
@testable import SDKCore

@Suite("The binding to a connection")
struct ServedRequestTests {
  @Test(
    "has the hash of the server's certificate by the digest of its signature",
    arguments: [
      ("ecdsa-with-SHA256", DigestAlgorithm.sha256), ("sha384WithRSAEncryption", .sha384),
      ("ecdsa-with-SHA512", .sha512), ("sha1WithRSAEncryption", .sha256), ("ED25519", nil),
      ("rsassaPss", nil),
    ] as [(String, DigestAlgorithm?)])
  func hash(name: String, digest: DigestAlgorithm?) throws {
    let key = try PrivateKey.generate(.ec(.p256))
    let certificate = try Certificate.selfSigned(
      by: key, for: .signature, commonName: "server", from: 0, to: 4_000_000_000)
    var response = HTTPResponse(status: 200, url: try HTTPURL("https://fido.test/"))
    response.certificates = [
      ["Subject:CN = server", "Signature Algorithm:\(name)", "Cert:\(certificate.pem)"], ["Cert:x"],
    ]
    let expected = try digest.map { try Digest.hash(certificate.der, with: $0) }
    #expect(ChannelBinding(of: response) == ChannelBinding(serverEndPoint: expected))
  }

  @Test("is absent if the connection was open before")
  func absent() throws {
    let response = HTTPResponse(status: 200, url: try HTTPURL("https://fido.test/"))
    #expect(ChannelBinding(of: response) == ChannelBinding())
  }
}
