import JOSE
import OpenSSL
import TestSupport

@testable import OAuth

/// Defects of the token as a text; those of its claims are in ``IDTokenCheckTests``.
@Suite("ID token defects")
struct IDTokenDefectTests {
  private static let prefix = "the ID token must not be trusted: "

  @Test(
    "refuses a header with an unknown critical extension",
    arguments: [
      (["crit": ["exp"], "exp": 1], "the critical extension 'exp' is unknown"),
      (["crit": []], "the header member 'crit' is not a list of names"),
      (["crit": "b64"], "the header member 'crit' is not a list of names"),
      (["b64": false], "the extension 'b64' is unknown"),
      (["kid": 7], "the header member 'kid' is a number, not a string"),
    ] as [(JSONObject, String)])
  func header(members: JSONObject, cause: String) async throws {
    let forge = try TokenForge(.es256)
    let header = JSONObject([("kid", "k1")]).merging(members) { $1 }
    try await refused(try forge.token(header: header), Self.prefix + cause)
  }

  @Test(
    "refuses a token of another kind that the same server signs",
    arguments: [
      "at+jwt", "application/AT+JWT", "logout+jwt", "secevent+jwt", "token-introspection+jwt",
    ])
  func otherKind(type: String) async throws {
    let forge = try TokenForge(.es256)
    let kind = type.split(separator: "/").last.map { $0.lowercased() } ?? ""
    try await refused(
      try forge.token(header: ["kid": "k1", "typ": .string(type)]),
      Self.prefix + "it is of the type '\(kind)'")
    let events: JSON = ["http://schemas.openid.net/event/backchannel-logout": [:]]
    try await refused(
      try forge.token(["events": events]),
      Self.prefix + "it tells of events, as a logout token does")
    #expect(try await check(try forge.token(header: ["kid": "k1", "typ": "JWT"])) == "alice")
  }

  @Test(
    "refuses repeated parameters",
    arguments: [
      (#"{"alg":"ES256","alg":"ES256"}"#, "{}"),
      (#"{"alg":"ES256","kid":"k1","kid":"k1"}"#, "{}"),
      (#"{"alg":"ES256"}"#, #"{"sub":"alice","sub":"bob"}"#),
      (#"{"alg":"ES256"}"#, #"{"iss":"https://id.test","a":{"b":1,"b":2}}"#),
    ])
  func duplicates(header: String, claims: String) async throws {
    let message = [header, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    let key = try TokenForge(.es256).key
    let der = try key.sign(Array(message.utf8), .ecdsa(.sha256))
    let raw = try #require(ECDSASignature.raw(der: der, curve: .p256))
    let token = "\(message).\(Base64URL.encode(raw))"
    let error = await expect(.untrusted) { try await check(token) }
    #expect(error?.message.contains("is not JSON") == true, "\(error?.message ?? "")")
  }

  @Test("refuses a token of more than a mebibyte before anything of it is read")
  func oversized() async throws {
    let forge = try TokenForge(.es256)
    let large = try forge.token(["x": .string(String(repeating: "a", count: 1 << 20))])
    try await refused(large, Self.prefix + "the token has more than 1048576 bytes")
  }

  @Test("refuses an encrypted token without a decryption key")
  func encrypted() async throws {
    let key = try #require(try DecryptionKey.generate(.ecdhES).publicKey)
    let forge = try TokenForge(.es256)
    let token = try JWE.encrypt(Array(try forge.token().utf8), to: key, .ecdhES, .a256GCM)
    try await refused(token, Self.prefix + "the token is encrypted, not signed")
  }

  @Test("refuses a key ID that points to a key of another algorithm")
  func otherAlgorithm() async throws {
    let forge = try TokenForge(.es256)
    let rsa = try TokenForge(.rs256)
    let keys = [try rsa.published(), try forge.published(["kid": "k2"])]
    let error = await #expect(throws: OAuthError.self) {
      _ = try await TokenForge.check(try forge.token(), keys: keys, announced: ["ES256", "RS256"])
    }
    #expect(error?.message == "no published key of id.test fits the ID token")
  }

  @Test(
    "compares the hash of the code with the code, if there is one",
    arguments: [
      ("the-code", "the-code", nil), ("the-code", nil, nil), (nil, "the-code", nil),
      ("other", "the-code", "the token belongs to another code (c_hash)"),
      ("", "the-code", "the token belongs to another code (c_hash)"),
    ] as [(String?, String?, String?)])
  func codeHash(hashed: String?, code: String?, cause: String?) async throws {
    let forge = try TokenForge(.es256)
    let hash = try hashed.map { JSON.string(try TokenHash.leftHalf(of: $0, algorithm: .es256)) }
    let token = try forge.token(["c_hash": hash])
    guard let cause else {
      #expect(try await check(token, code: code) == "alice")
      return
    }
    await expect(.untrusted, Self.prefix + cause) { _ = try await check(token, code: code) }
  }

  private func check(_ token: String, code: String? = nil) async throws -> String {
    try await TokenForge(.es256).check(token, code: code)
  }

  private func refused(
    _ token: String, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    await expect(.untrusted, message, sourceLocation: sourceLocation) { _ = try await check(token) }
  }
}
