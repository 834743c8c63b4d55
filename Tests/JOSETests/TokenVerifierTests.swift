import OpenSSL
import TestSupport

@testable import JOSE

@Suite("Checks of a token")
struct TokenVerifierTests {
  private static let claims = """
    {"iss":"i","aud":["a","b"],"sub":"s","azp":"c","client_id":"c","nonce":"n","exp":1100,"nbf":900,"iat":900,\
    "scope":"read write","acr":"2","cnf":{"x5t#S256":"cert","jkt":"key"}}
    """

  private static func expectations(
    _ change: (inout TokenExpectations) -> Void = { _ in }
  ) -> TokenExpectations {
    var expectations = TokenExpectations(now: 1000)
    expectations.issuer = "i"
    expectations.audiences = ["x", "b"]
    expectations.subject = "s"
    expectations.authorizedParty = "c"
    expectations.type = "at+jwt"
    expectations.nonce = "n"
    expectations.scope = ["read"]
    expectations.contexts = ["1", "2"]
    expectations.confirmation = TokenConfirmation(certificate: "cert", key: "key")
    change(&expectations)
    return expectations
  }

  private func report(
    _ claims: String = claims, _ expectations: TokenExpectations = expectations(),
    header: JSONObject = ["typ": "at+jwt"]
  ) throws -> TokenReport {
    let signer = try Signer(.es256)
    let verifier = TokenVerifier(keys: JWKSet(keys: [signer.key]), expectations)
    return verifier.report(on: try signer.sign(header, claims))
  }

  @Test("pass one by one, and together make it valid")
  func valid() throws {
    let report = try report()
    #expect(report.verdict == .valid)
    #expect(report.failures.isEmpty)
    let skipped = report.checks.filter { $0.status == .skipped }.map(\.name)
    #expect(skipped == [.accessTokenHash])
    #expect(
      report.checks.map(\.name) == [
        .format, .critical, .algorithm, .key, .signature, .type, .issuer, .audience, .subject,
        .authorizedParty, .nonce, .expiration, .notBefore, .issuedAt, .accessTokenHash,
        .confirmation, .scope, .authenticationContext,
      ])
  }

  @Test("tell of the signature also if the payload is not a set of claims")
  func otherPayload() throws {
    let report = try report("text", TokenExpectations(now: 1000))
    #expect(report.verdict == .invalid)
    #expect(report.failures.map(\.name) == [.format])
    #expect(report.checks.map(\.name) == [.format, .critical, .algorithm, .key, .signature])
    let (signer, other) = (try Signer(.es256), try Signer(.es256))
    let verifier = TokenVerifier(keys: JWKSet(keys: [other.key]), TokenExpectations(now: 1000))
    let foreign = verifier.report(on: try signer.sign([:], "[]"))
    #expect(foreign.failures.map(\.name) == [.format, .signature])
  }

  @Test("name the one that fails")
  func failures() throws {
    let rows: [(TokenCheckResult.Name, (inout TokenExpectations) -> Void)] = [
      (.issuer, { $0.issuer = "j" }), (.subject, { $0.subject = "t" }),
      (.authorizedParty, { $0.authorizedParty = "d" }), (.type, { $0.type = "jwt" }),
      (.nonce, { $0.nonce = "m" }), (.accessTokenHash, { $0.accessToken = "x" }),
      (.audience, { $0.audiences = ["z"] }), (.scope, { $0.scope = ["read", "admin"] }),
      (.authenticationContext, { $0.contexts = ["3"] }),
      (.confirmation, { $0.confirmation = TokenConfirmation(certificate: "other") }),
      (.confirmation, { $0.confirmation = TokenConfirmation(key: "other") }),
    ]
    for (name, change) in rows {
      let report = try report(Self.claims, Self.expectations(change))
      #expect(report.failures.map(\.name) == [name])
      #expect(report.verdict == .invalid)
      #expect(report.failures.first?.detail?.isEmpty == false)
    }
    let short = try report(Self.claims, Self.expectations { $0.minimumLifetime = 100 })
    #expect(short.failures.map(\.name) == [.lifetime])
    #expect(short.verdict == .expired)
    let endless = try report(
      Self.claims.replacing("\"exp\":1100,", with: ""),
      Self.expectations {
        $0.minimumLifetime = 1
        $0.requiresExpiration = false
      })
    #expect(endless.failures.map(\.name) == [.lifetime])
    #expect(endless.verdict == .invalid)
    let enough = try report(Self.claims, Self.expectations { $0.minimumLifetime = 99 })
    #expect(enough.verdict == .valid)
  }

  @Test(
    "tell a token whose time is wrong from an invalid one",
    arguments: [
      (1159, TokenReport.Verdict.valid, []), (1160, .expired, [.expiration]),
      (840, .valid, []), (839, .notYetValid, [.notBefore, .issuedAt]),
    ] as [(Timestamp, TokenReport.Verdict, [TokenCheckResult.Name])])
  func time(now: Timestamp, verdict: TokenReport.Verdict, failures: [TokenCheckResult.Name]) throws
  {
    let report = try report(Self.claims, Self.expectations { $0.now = now })
    #expect(report.verdict == verdict)
    #expect(report.failures.map(\.name) == failures)
    let wrong = try self.report(
      Self.claims,
      Self.expectations {
        $0.now = now
        $0.issuer = "j"
      })
    #expect(wrong.verdict == .invalid)
  }

  @Test("require an expiration unless it is allowed to be missing")
  func noExpiration() throws {
    let bare = TokenExpectations(now: 1000)
    #expect(try report("{}", bare).failures.map(\.name) == [.expiration])
    #expect(try report("{}", bare).verdict == .invalid)
    var lenient = bare
    lenient.requiresExpiration = false
    #expect(try report("{}", lenient).verdict == .valid)
    #expect(try report(#"{"exp":1}"#, lenient).verdict == .expired)
  }

  @Test("stop at a token that cannot be read, and at a critical extension")
  func unreadable() throws {
    let header = ["typ": "at+jwt", "crit": ["x"], "x": 1] as JSONObject
    #expect(try report(header: header).failures.map(\.name) == [.critical])
    #expect(try report("[]").failures.map(\.name) == [.format])
    #expect(try report(#"{"iss":1}"#).failures.map(\.name) == [.format])
  }

  @Test("tell a missing key from a wrong signature and a forbidden algorithm")
  func signature() throws {
    let (signer, other) = (try Signer(.es256, kid: "1"), try Signer(.es256, kid: "1"))
    let token = try signer.sign(["kid": "1"], #"{"exp":2000}"#)
    let expectations = TokenExpectations(now: 1000)
    let wrong = TokenVerifier(keys: JWKSet(keys: [other.key]), expectations).report(on: token)
    #expect(wrong.failures.map(\.name) == [.signature])
    #expect(!wrong.needsNewerKeys)
    let missing = TokenVerifier(
      keys: JWKSet(keys: [try Signer(.es256, kid: "2").key]), expectations
    ).report(on: token)
    #expect(missing.failures.map(\.name) == [.key])
    #expect(missing.needsNewerKeys)
    let two = TokenVerifier(keys: JWKSet(keys: [other.key, signer.key]), expectations)
    #expect(two.report(on: token).verdict == .valid, "two keys with one key ID are both tried")
    let forbidden = TokenVerifier(
      keys: JWKSet(keys: [signer.key]), allowed: [.rs256], expectations
    ).report(on: token)
    #expect(forbidden.failures.map(\.name) == [.algorithm])
  }

  @Test("refuse ES256K unless it is asked for by name")
  func secp256k1() throws {
    let signer = try Signer(.es256k)
    let token = try signer.sign([:], #"{"exp":2000}"#)
    let keys = JWKSet(keys: [signer.key])
    let expectations = TokenExpectations(now: 1000)
    #expect(
      TokenVerifier(keys: keys, expectations).report(on: token).failures.map(\.name) == [
        .algorithm
      ])
    let asked = TokenVerifier(keys: keys, allowed: [.es256k], expectations)
    #expect(asked.report(on: token).verdict == .valid)
  }

  @Test(
    "never make a changed token valid",
    arguments: [JWSAlgorithm.rs256, .ps256, .es256, .es384, .edDSA, .hs256])
  func mutations(algorithm: JWSAlgorithm) throws {
    let signer = try Signer(algorithm, kid: "k")
    let token = try signer.sign(["kid": "k"], #"{"exp":2000,"sub":"alice"}"#)
    let verifier = TokenVerifier(
      keys: JWKSet(keys: [signer.key]), allowed: [algorithm], TokenExpectations(now: 1000))
    #expect(verifier.report(on: token).verdict == .valid)
    let bytes = Array(token.utf8)
    // Each byte once, by a bit that keeps most characters in the alphabet.
    for index in bytes.indices {
      for bit in [1, 2, 0x20] as [UInt8] {
        var changed = bytes
        changed[index] ^= bit
        let text = String(decoding: changed, as: UTF8.self)
        #expect(verifier.report(on: text).verdict == .invalid, "\(text)")
      }
    }
    var dice = Dice(state: 14)
    for _ in 0..<300 {
      let changed = dice.mutated(bytes)
      guard changed != bytes else { continue }
      #expect(verifier.report(on: String(decoding: changed, as: UTF8.self)).verdict == .invalid)
    }
  }
}
