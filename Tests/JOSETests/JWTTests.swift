import TestSupport

@testable import JOSE

struct JWTTests {
  static func token(_ claims: String, header: JSONObject = [:]) throws -> JWT {
    let secret = [UInt8](repeating: 1, count: 32)
    return try JWT(
      JWS.sign(header: header, payload: Array(claims.utf8), secret: secret, algorithm: .hs256))
  }

  @Test("the claims are read")
  func claims() throws {
    let token = try Self.token(
      #"""
      {"iss":"https://i.example","sub":"s","aud":["a","b"],"exp":1300819380.9,"nbf":1.5e3,"iat":0,
       "nonce":"n","n":1}
      """#)
    #expect(token.issuer == "https://i.example")
    #expect(token.subject == "s")
    #expect(token.audience == ["a", "b"])
    #expect(token.expiration == 1_300_819_380)
    #expect(token.body.notBefore == 1500)
    #expect(token.body.issuedAt == 0)
    #expect(token.string("nonce") == "n")
    #expect(token.string("n") == nil)
    #expect(token.string("absent") == nil)
    #expect(token.claims["n"] == 1)
    #expect(try token.body.time(of: "n") == 1)
    #expect(try token.body.time(of: "absent") == nil)
    expect(.malformed) { _ = try token.body.time(of: "nonce") }
    #expect(try Self.token(#"{"aud":"one"}"#).audience == ["one"])
    #expect(try Self.token("{}").audience == [])
    // A text may be anything that does not begin like JSON.
    let texts = try ["[1", "a["].map { try Signer(.es256).sign([:], $0) }
    expect(.malformed) { try TokenContent(texts[0], decryptingWith: nil) }
    #expect(try TokenContent(texts[1], decryptingWith: nil).payload == "a[")
  }

  @Test(
    "claims of the wrong type are refused",
    arguments: [
      "", "[]", "null", "\"x\"", "{", #"{"a":1,"a":2}"#, #"{"iss":1}"#, #"{"iss":null}"#,
      #"{"sub":[]}"#, #"{"aud":1}"#, #"{"aud":[1]}"#, #"{"aud":{}}"#, #"{"aud":null}"#,
      #"{"exp":"1"}"#, #"{"exp":null}"#, #"{"exp":true}"#, #"{"exp":-1}"#, #"{"exp":1e400}"#,
      #"{"exp":253402300800}"#, #"{"exp":9223372036854775808}"#, #"{"exp":NaN}"#,
      #"{"nbf":"x"}"#, #"{"nbf":1e30}"#, #"{"iat":[]}"#, #"{"iat":-0.1}"#,
    ])
  func wrongTypes(claims: String) {
    expect(.malformed) { _ = try Self.token(claims) }
  }

  @Test(
    "an identifier that is only equivalent to the expected one is another",
    arguments: [
      (#"{"iss":"\u212A","aud":"K","azp":"K"}"#, .issuerMismatch),
      (#"{"iss":"K","aud":"\u212A","azp":"K"}"#, .audienceMismatch),
      (#"{"iss":"K","aud":["x","\u212A"],"azp":"K"}"#, .audienceMismatch),
      (#"{"iss":"K","aud":"K","azp":"\u212A"}"#, .authorizedPartyMismatch),
      (#"{"iss":"K","aud":"K","azp":"K"}"#, nil),
    ] as [(String, JOSEError.Code?)])
  func equivalent(claims: String, code: JOSEError.Code?) throws {
    var expectations = Self.idToken("K", for: "K", at: 0)
    expectations.requiresExpiration = false
    try Self.check(code, expectations, Self.token(claims))
  }

  @Test(
    "a claim decides",
    arguments: [
      (#"{"iss":"i","aud":"c","exp":1000}"#, nil),
      (#"{"iss":"i/","aud":"c","exp":1000}"#, .issuerMismatch),
      (#"{"iss":"I","aud":"c","exp":1000}"#, .issuerMismatch),
      (#"{"aud":"c","exp":1000}"#, .issuerMismatch),
      (#"{"iss":"i","aud":"d","exp":1000}"#, .audienceMismatch),
      (#"{"iss":"i","aud":["d","cc"],"exp":1000}"#, .audienceMismatch),
      (#"{"iss":"i","exp":1000}"#, .audienceMismatch),
      (#"{"iss":"i","aud":[],"exp":1000}"#, .audienceMismatch),
      (#"{"iss":"i","aud":["d","c"],"exp":1000}"#, .authorizedPartyMismatch),
      (#"{"iss":"i","aud":["d","c"],"azp":"c","exp":1000}"#, nil),
      (#"{"iss":"i","aud":["d","c"],"azp":"d","exp":1000}"#, .authorizedPartyMismatch),
      (#"{"iss":"i","aud":"c","azp":"d","exp":1000}"#, .authorizedPartyMismatch),
      (#"{"iss":"i","aud":"c","azp":1,"exp":1000}"#, .authorizedPartyMismatch),
      (#"{"iss":"i","aud":"c","azp":null,"exp":1000}"#, .authorizedPartyMismatch),
      (#"{"iss":"i","aud":"c"}"#, .expirationMissing),
      (#"{"iss":"i","aud":"c","exp":941}"#, nil), (#"{"iss":"i","aud":"c","exp":940}"#, .expired),
      (#"{"iss":"i","aud":"c","exp":940.9}"#, .expired),
      (#"{"iss":"i","aud":"c","exp":0}"#, .expired),
      (#"{"iss":"i","aud":"c","exp":1000,"nbf":1060}"#, nil),
      (#"{"iss":"i","aud":"c","exp":9000,"nbf":1061}"#, .notYetValid),
      (#"{"iss":"i","aud":"c","exp":1000,"iat":1060}"#, nil),
      (#"{"iss":"i","aud":"c","exp":9000,"iat":1061}"#, .issuedInFuture),
    ] as [(String, JOSEError.Code?)])
  func checks(claims: String, code: JOSEError.Code?) throws {
    try Self.check(code, Self.idToken("i", for: "c", at: 1000), Self.token(claims))
  }

  /// What an ID token of that issuer for that client must meet.
  private static func idToken(
    _ issuer: String, for client: String, at now: Timestamp
  ) -> TokenExpectations {
    var expectations = TokenExpectations(now: now)
    expectations.issuer = issuer
    expectations.audiences = [client]
    expectations.authorizedParty = client
    expectations.followsOpenIDConnect = true
    return expectations
  }

  /// Expects that a token meets them, or the code of the first check that fails.
  private static func check(
    _ code: JOSEError.Code?, _ expectations: TokenExpectations, _ token: JWT
  ) throws {
    guard let code else { return try expectations.require(token) }
    expect(code) { try expectations.require(token) }
  }

  @Test("what is not asked for is not checked")
  func unchecked() throws {
    var expectations = TokenExpectations(now: 1000)
    expectations.requiresExpiration = false
    try expectations.require(Self.token("{}"))
    expectations.leeway = 0
    try Self.check(.expired, expectations, Self.token(#"{"exp":1000}"#))
    try Self.check(nil, expectations, Self.token(#"{"exp":1001}"#))
    expectations.requiresIssuedAt = true
    try Self.check(.issuedAtMissing, expectations, Self.token(#"{"exp":1001}"#))
    try Self.check(nil, expectations, Self.token(#"{"exp":1001,"iat":0}"#))
  }

  @Test(
    "what a person requires must be there; an ID token may leave it out",
    arguments: [
      (#"{"exp":1000}"#, .authorizedPartyMismatch, nil),
      (#"{"exp":1000,"azp":"c"}"#, .hashMismatch, nil),
      (#"{"exp":1000,"azp":"c","at_hash":"x"}"#, .hashMismatch, .hashMismatch),
      (#"{"exp":1000,"azp":"c","at_hash":7}"#, .hashMismatch, .hashMismatch),
      (#"{"exp":1000,"azp":"d"}"#, .authorizedPartyMismatch, .authorizedPartyMismatch),
      (#"{"exp":1000,"client_id":"c"}"#, .authorizedPartyMismatch, nil),
    ] as [(String, JOSEError.Code?, JOSEError.Code?)])
  func presence(claims: String, explicit: JOSEError.Code?, idToken: JOSEError.Code?) throws {
    var expectations = TokenExpectations(now: 0)
    expectations.authorizedParty = "c"
    expectations.accessToken = "t"
    try Self.check(explicit, expectations, Self.token(claims))
    expectations.followsOpenIDConnect = true
    try Self.check(idToken, expectations, Self.token(claims))
  }

  @Test(
    "the nonce must be there and have the same bytes, also in an ID token",
    arguments: [
      (#"{"nonce":"K"}"#, nil), ("{}", .nonceMismatch), (#"{"nonce":null}"#, .nonceMismatch),
      (#"{"nonce":""}"#, .nonceMismatch), (#"{"nonce":"KK"}"#, .nonceMismatch),
      (#"{"nonce":"\u212A"}"#, .nonceMismatch),
    ] as [(String, JOSEError.Code?)])
  func nonce(claims: String, code: JOSEError.Code?) throws {
    var expectations = TokenExpectations(now: 0)
    expectations.nonce = "K"
    expectations.requiresExpiration = false
    for isIDToken in [false, true] {
      expectations.followsOpenIDConnect = isIDToken
      try Self.check(code, expectations, Self.token(claims))
    }
  }

  @Test("the times can be left to another check, but no other claim")
  func ignoredTimes() throws {
    var expectations = Self.idToken("i", for: "c", at: 1000)
    let old = try Self.token(#"{"iss":"i","aud":"c","exp":1,"nbf":9000,"iat":9000}"#)
    expect(.expired) { try expectations.require(old) }
    try expectations.require(old, ignoringTimes: true)
    expectations.subject = "s"
    expect(.subjectMismatch) { try expectations.require(old, ignoringTimes: true) }
  }

  @Test(
    "the client of an access token is client_id (RFC 9068), and azp too if it is there",
    arguments: [
      (#"{"client_id":"c"}"#, nil), (#"{"client_id":"c","azp":"c"}"#, nil),
      (#"{"azp":"c"}"#, .authorizedPartyMismatch), ("{}", .authorizedPartyMismatch),
      (#"{"client_id":"d"}"#, .authorizedPartyMismatch),
      (#"{"client_id":"d","azp":"c"}"#, .authorizedPartyMismatch),
      (#"{"client_id":"c","azp":"d"}"#, .authorizedPartyMismatch),
      (#"{"client_id":["c"]}"#, .authorizedPartyMismatch),
    ] as [(String, JOSEError.Code?)])
  func client(claims: String, code: JOSEError.Code?) throws {
    var expectations = TokenExpectations(now: 0)
    expectations.authorizedParty = "c"
    expectations.requiresExpiration = false
    for type in ["at+jwt", "application/AT+JWT"] {
      try Self.check(code, expectations, Self.token(claims, header: ["typ": .string(type)]))
    }
  }

  @Test(
    "the type is compared as a media type",
    arguments: [
      ("at+jwt", "at+jwt", true), ("at+jwt", "application/at+jwt", true),
      ("at+jwt", "AT+JWT", true), ("at+jwt", "JWT", false), ("at+jwt", nil, false),
      ("at+jwt", "application/x/at+jwt", false), (nil, "anything", true), (nil, nil, true),
    ])
  func type(expected: String?, found: String?, accepted: Bool) throws {
    let header: JSONObject = found.map { ["typ": .string($0)] } ?? [:]
    let token = try Self.token(#"{"exp":1000}"#, header: header)
    var expectations = TokenExpectations(now: 0)
    expectations.type = expected
    try Self.check(accepted ? nil : .typeMismatch, expectations, token)
  }

  @Test("hashes of tokens and codes are those of OpenID Connect Core appendix A")
  func tokenHash() throws {
    let token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
    let code = "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk"
    #expect(try TokenHash.leftHalf(of: token, algorithm: .rs256) == "77QmUPtjPfzWtF2AnpK9RQ")
    #expect(try TokenHash.leftHalf(of: code, algorithm: .es256) == "LDktKdoQak3Pk0cnXxCltA")
    let lengths: [(JWSAlgorithm, Int)] = [(.ps256, 22), (.es384, 32), (.rs512, 43), (.edDSA, 43)]
    for (algorithm, count) in lengths {
      #expect(try TokenHash.leftHalf(of: token, algorithm: algorithm).count == count)
    }
  }
}
