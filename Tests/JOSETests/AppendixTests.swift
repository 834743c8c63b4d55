import OpenSSL
import TestSupport

@testable import JOSE

/// Examples of RFC 7515, RFC 7516, RFC 7517 and RFC 7519 that `RFCVectors` does not have.
@Suite("Appendices of the RFCs")
struct AppendixTests {
  private static let document = Vectors.appendices

  private static func text(_ name: String) throws -> String {
    try #require(document[name]?.string)
  }

  @Test("the public, private and shared keys of RFC 7517 appendix A are read")
  func keySets() throws {
    let published = try JWKSet(json: #require(Self.document["publicKeys"]))
    #expect(published.keys.map(\.kty) == ["EC", "RSA"])
    #expect(published.keys.map(\.use) == ["enc", nil])
    #expect(published.skipped.isEmpty)
    let secrets = try #require(Self.document["privateKeys"])
    let file = try KeyFile(Array(secrets.serialized().utf8))
    #expect(file.entries.map { $0.privateKey != nil } == [true, true])
    #expect(file.keys.keys.map(\.json) == published.keys.map(\.json))
    #expect(try JWKSet(published: secrets).keys.isEmpty)
    #expect(try JWKSet(published: secrets).exposedCount == 2)
    let shared = try #require(Self.document["symmetricKeys"])
    #expect(try JWKSet(json: shared).keys.map(\.kty) == ["oct", "oct"])
    #expect(try JWKSet(published: shared).keys.isEmpty)
    let certified = try JWK(json: #require(Self.document["certificateKey"]))
    #expect(certified.kty == "RSA")
    #expect(certified.json["x5c"]?.array?.count == 1)
  }

  @Test("the unsecured token of RFC 7515 appendix A.5 and the critical header of appendix E fail")
  func refused() throws {
    let verifier = TokenVerifier(
      keys: try JWKSet(json: #require(Self.document["publicKeys"])), TokenExpectations(now: 1000))
    let unsecured = verifier.report(on: try Self.text("unsecured"))
    #expect(unsecured.failures.map(\.name) == [.algorithm])
    let critical = verifier.report(on: try Self.text("unknownCritical"))
    #expect(critical.failures.map(\.name) == [.critical])
  }
}
