import OpenSSL
import TestSupport

@testable import JOSE

/// The examples of RFC 9901, and what is wrong with changed ones.
@Suite("SD-JWT")
struct SDJWTTests {
  private static let vectors = Vectors.selective

  private static func text(_ name: String) throws -> String {
    try #require(vectors[name]?.string)
  }

  private static func report(
    on token: String, _ change: (inout KeyBindingExpectations) -> Void = { _ in }
  ) throws -> TokenReport {
    var expectations = TokenExpectations(now: 1_750_000_000)
    change(&expectations.keyBinding)
    let key = try JWK(json: #require(vectors["issuerKey"]))
    return TokenVerifier(keys: JWKSet(keys: [key]), expectations).report(on: token)
  }

  @Test("the presentation of section 5.2 is valid for its verifier, with the disclosed claims")
  func presentation() throws {
    let report = try Self.report(on: Self.text("presentation")) {
      $0.audience = "https://verifier.example.org"
      $0.nonce = "1234567890"
    }
    #expect(report.verdict == .valid, "\(report.failures)")
    #expect(report.signedClaims == Self.vectors["claims"])
    #expect(report.key != nil)
    let passed = report.checks.filter { $0.status == .passed }.map(\.name)
    #expect(passed.contains(.disclosures))
    #expect(
      passed.suffix(4) == [.keyBinding, .presentationHash, .keyBindingAudience, .keyBindingNonce])
  }

  @Test("another verifier, another nonce, a missing binding and fewer disclosures are refused")
  func keyBinding() throws {
    let token = try Self.text("presentation")
    #expect(
      try Self.report(on: token) { $0.audience = "x" }.failures.map(\.name) == [.keyBindingAudience]
    )
    #expect(
      try Self.report(on: token) { $0.nonce = "x" }.failures.map(\.name) == [.keyBindingNonce])
    let without = try Self.text("withoutBinding")
    #expect(try Self.report(on: without).verdict == .valid)
    #expect(
      try Self.report(on: without) { $0.isRequired = true }.failures.map(\.name) == [.keyBinding])
    #expect(try Self.report(on: without) { $0.nonce = "1" }.failures.map(\.name) == [.keyBinding])
    var parts = token.split(separator: "~" as Character)
    parts.remove(at: 1)
    let fewer = try Self.report(on: parts.joined(separator: "~"))
    #expect(fewer.failures.map(\.name) == [.presentationHash])
    // The key of the issuer is not that of the holder.
    let plain = String(parts[0])
    #expect(try Self.report(on: "\(without)\(plain)").failures.map(\.name).contains(.keyBinding))
    #expect(try Self.report(on: plain) { $0.nonce = "1" }.failures.map(\.name) == [.keyBinding])
  }

  @Test(
    "a key binding is the holder's, of its type, recent, and for this presentation",
    arguments: [
      ("kb+jwt", #""iat":1749999990"#, nil), ("JWT", #""iat":1749999990"#, "typeMismatch"),
      ("kb+jwt", #""x":1"#, "issuedAtMissing"), ("kb+jwt", #""iat":1749999990,"exp":1"#, "expired"),
    ] as [(String, String, String?)])
  func ownBinding(type: String, claims: String, code: String?) throws {
    let (issuer, holder) = (try Signer(.es256), try Signer(.es256))
    let token =
      try issuer.sign(
        [:], #"{"exp":1900000000,"cnf":{"jwk":\#(holder.key.json.serialized())}}"#) + "~"
    let hash = Base64URL.encode(try Digest.sha256(Array(token.utf8)))
    let payload = #"{"aud":"a","nonce":"n","sd_hash":"\#(hash)",\#(claims)}"#
    let verifier = TokenVerifier(
      keys: JWKSet(keys: [issuer.key]), TokenExpectations(now: 1_750_000_000))
    let report = verifier.report(on: token + (try holder.sign(["typ": .string(type)], payload)))
    #expect(report.failures.map(\.name) == (code == nil ? [] : [.keyBinding]))
    #expect(report.failures.first?.code?.description == code)
  }

  @Test("digests are those of section 5.1")
  func digests() throws {
    for pair in try #require(Self.vectors["digests"]?.array) {
      let values = try #require(pair.strings)
      #expect(try Disclosure(values[0]).digest(.sha256) == values[1])
    }
  }

  @Test("disclosures within disclosures have their place in the claims")
  func nested() throws {
    let token = try Self.text("nested")
    #expect(try Self.report(on: token).verdict == .valid)
    let disclosed = try DisclosedClaims(SDJWT(token))
    #expect(disclosed.values.map(\.path) == Self.vectors["nestedPaths"]?.strings)
    #expect(disclosed.undisclosedCount == 3 + 2 + 3 + 5)
  }

  @Test("a disclosure that is given twice, belongs nowhere or is malformed is refused")
  func unreferenced() throws {
    let token = try Self.text("withoutBinding")
    let first = String(token.split(separator: "~" as Character)[1])
    let foreign = Base64URL.encode(Array(#"["salt","name","value"]"#.utf8))
    for added in [first, foreign] {
      #expect(try Self.report(on: "\(token)\(added)~").failures.map(\.code) == [.disclosureInvalid])
    }
    let arrays = ["[1,2,3]", #"["salt"]"#, #"["salt","name","value","more"]"#]
    for malformed in ["~", "!~", first] + arrays.map({ "\(Base64URL.encode(Array($0.utf8)))~" }) {
      #expect(try Self.report(on: token + malformed).failures.map(\.name) == [.format])
    }
  }

  @Test(
    "digests that repeat, reserved names, repeated claims and unknown hashes are refused",
    arguments: [
      (#"{"a":[{"...":"D"},{"...":"D"}]}"#, ["s", "v"], "disclosureInvalid"),
      (#"{"_sd":["D"],"n":1}"#, ["s", "n", "v"], "disclosureInvalid"),
      (#"{"_sd":["D"]}"#, ["s", "_sd", "v"], "disclosureInvalid"),
      (#"{"_sd":["D"]}"#, ["s", "...", "v"], "disclosureInvalid"),
      (#"{"_sd":["D"]}"#, ["s", "v"], "disclosureInvalid"),
      (#"{"a":[{"...":"D"}]}"#, ["s", "n", "v"], "disclosureInvalid"),
      (#"{"a":[{"...":"D","b":1}]}"#, ["s", "v"], "malformed"),
      (#"{"...":1,"_sd":["D"]}"#, ["s", "n", "v"], "disclosureInvalid"),
      (#"{"_sd":[1]}"#, ["s", "n", "v"], "malformed"),
      (#"{"_sd":["D"],"_sd_alg":"md5"}"#, ["s", "n", "v"], "unsupported"),
      (#"{"_sd":["D"],"_sd_alg":1}"#, ["s", "n", "v"], "malformed"),
    ])
  func refused(_ row: (payload: String, disclosure: [String], code: String)) throws {
    let disclosure = try Disclosure(
      Base64URL.encode(Array(JSON.strings(row.disclosure).serialized().utf8)))
    let digest = try disclosure.digest(.sha256)
    let payload = String(
      row.payload.split(separator: "\"D\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\(digest)\""))
    let token = try Signer(.es256).sign([:], payload) + "~\(disclosure.text)~"
    let error = #expect(throws: JOSEError.self) { try DisclosedClaims(SDJWT(token)) }
    #expect(error?.code.description == row.code)
  }

  @Test(
    "a token of more than 1 MiB, also if the signed part is short, or of another payload than claims is refused"
  )
  func length() throws {
    let value = String(repeating: "v", count: 1 << 20)
    let disclosure = Base64URL.encode(Array(#"["salt","name","\#(value)"]"#.utf8))
    let token = try Signer(.es256).sign([:], "{}")
    expect(.tooLarge) { try SDJWT("\(token)~\(disclosure)~") }
    expect(.malformed) { try SDJWT(Signer(.es256).sign([:], "[1]") + "~").payload() }
  }

  @Test("a long name of a claim does not make the paths of all that is inside long")
  func longName() throws {
    let inner = try (0..<100).map {
      try Disclosure(Base64URL.encode(Array(#"["salt","n\#($0)",1]"#.utf8)))
    }
    let digests = try inner.map { "\"\(try $0.digest(.sha256))\"" }.joined(separator: ",")
    let name = String(repeating: "n", count: 100_000)
    let outer = try Disclosure(
      Base64URL.encode(Array(#"["salt","\#(name)",{"_sd":[\#(digests)]}]"#.utf8)))
    let token = try Signer(.es256).sign([:], #"{"_sd":["\#(try outer.digest(.sha256))"]}"#)
    let texts = ([outer] + inner).map(\.text).joined(separator: "~")
    let claims = try DisclosedClaims(try SDJWT("\(token)~\(texts)~"))
    #expect(claims.values.count == 101)
    #expect(claims.values.allSatisfy { $0.path.utf8.count < 1100 })
    #expect(claims.claims[name]?["n99"] == 1)
  }

  @Test("disclosures may be nested, but not without end", arguments: [(60, true), (70, false)])
  func depth(count: Int, isValid: Bool) throws {
    var texts: [String] = []
    var value = "1"
    for _ in 0..<count {
      let disclosure = try Disclosure(Base64URL.encode(Array(#"["salt","n",\#(value)]"#.utf8)))
      texts.append(disclosure.text)
      value = #"{"_sd":["\#(try disclosure.digest(.sha256))"]}"#
    }
    let token = try Signer(.es256).sign([:], value)
    let selective = try SDJWT("\(token)~\(texts.joined(separator: "~"))~")
    if isValid {
      #expect(try DisclosedClaims(selective).values.count == count)
    } else {
      let error = expect(.disclosureInvalid) { try DisclosedClaims(selective) }
      #expect(error?.message.contains("nested too deeply") == true)
    }
  }

  @Test("lint names a key binding that has the type of another token")
  func bindingType() throws {
    let claims = #"{"iat":1,"aud":"a","nonce":"n","sd_hash":"h"}"#
    for (type, isNamed) in [("JWT", true), ("kb+jwt", false)] {
      let binding = try Signer(.es256).sign(["typ": .string(type)], claims)
      let token = try Signer(.es256).sign([:], "{}")
      let finding = TokenRules.findings(in: "\(token)~\(binding)").first {
        $0.code == "key-binding"
      }
      #expect(try #require(finding).message.contains("is not kb+jwt") == isNamed)
    }
  }

  @Test("lint names disclosures that do not fit, short salts, and claims that could be left out")
  func lint() throws {
    let disclosure = Base64URL.encode(Array(#"["short","exp",1]"#.utf8))
    let token = try Signer(.es256).sign(["typ": "JWT"], #"{"iss":"https://i.test"}"#)
    let codes = Set(TokenRules.findings(in: "\(token)~\(disclosure)~").map(\.code))
    #expect(
      codes.isSuperset(of: ["disclosures", "salt-short", "validity-disclosable", "typ-sd-jwt"]))
    let rfc = try TokenRules.findings(in: Self.text("presentation")).map(\.code)
    #expect(
      !rfc.contains("disclosures") && !rfc.contains("key-binding") && !rfc.contains("salt-short"))
  }
}
