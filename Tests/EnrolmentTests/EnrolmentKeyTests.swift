import CoreTestSupport

@testable import Enrolment
@testable import SDKCore

@Suite("Keys for an enrolment service")
struct EnrolmentKeyTests {
  static func context(_ settings: JSONObject) throws -> EnrolmentContext {
    var all: JSONObject = ["identity.obtain": "est", "identity.url": "https://ca.test"]
    all.merge(settings) { $1 }
    let service = try World(all).session().identities.enrolment()
    return try #require(service as? EnrolmentService).context
  }

  private static func identity(_ kind: KeyKind) throws -> Identity {
    let key = try PrivateKey.generate(kind)
    let certificate = try Certificate.selfSigned(
      by: key, commonName: "bob", from: World.now - 60, to: World.now + 60)
    return Identity(
      name: try IdentityName("bob"), hosts: [],
      chain: try ClientCertificateChain(pem: Array(certificate.pem.utf8)), key: .pem(key.pem),
      origin: .imported, obtainedAt: World.now)
  }

  @Test(
    "of a renewal are for the subject of the certificate, and of its kind",
    arguments: [KeyKind.ec(.p384), .rsa(bits: 3072), .ed25519])
  func renewal(kind: KeyKind) throws {
    let settings: JSONObject = [
      "identity.subject": "CN=alice", "identity.names": "email:alice@a.test",
    ]
    let key = try EnrolmentKey(
      try Self.context(settings), renewing: try Self.identity(kind), kind: .rsa(bits: 2048),
      subject: SubjectName(commonName: "alice"), names: ["DNS:alice.test"])
    #expect(key.key.kind == kind)
    let request = try CertificateRequest(der: try key.request())
    #expect(request.subject == "CN=bob")
  }

  @Test("of a renewal are of the kind that the profile names, if it does")
  func configuredKind() throws {
    let key = try EnrolmentKey(
      try Self.context(["identity.key": "p256"]), renewing: try Self.identity(.rsa(bits: 2048)),
      subject: SubjectName(commonName: ""))
    #expect(key.key.kind == .ec(.p256))
  }

  @Test("of a first certificate are as the profile says, else as the service does")
  func first() throws {
    let named = try EnrolmentKey(
      try Self.context(["identity.subject": "CN=alice"]), renewing: nil, subject: Self.other)
    #expect(try CertificateRequest(der: try named.request()).subject == "CN=alice")
    let plain = try EnrolmentKey(
      try Self.context([:]), renewing: nil, kind: .ec(.p384), subject: Self.other)
    #expect(try CertificateRequest(der: try plain.request()).subject == "CN=other")
    #expect(plain.key.kind == .ec(.p384))
  }

  @Test(
    "cannot be for names of the service that are none",
    arguments: ["alice", "FOO:a", "DNS:", "DNS:a b", "IP:a", "email:\u{E4}@a.test"])
  func wrongNames(name: String) async throws {
    await expect(.malformedResponse, "'\(name)' is not DNS:, IP:, email: or URI: and a name") {
      _ = try EnrolmentKey(
        try Self.context([:]), renewing: nil, subject: Self.other, names: [name])
    }
  }

  private static let other = SubjectName(commonName: "other")
}
