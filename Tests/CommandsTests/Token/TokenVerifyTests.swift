import JOSE
import JSON
import OpenSSL
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("token verify")
struct TokenVerifyTests {
  private static let jwks = "https://id.test/jwks"

  /// A token of the issuer, signed by the key, that is valid at the time of the test program.
  private static func token(
    _ key: SigningKey, _ claims: JSONObject = [:], header: JSONObject = [:]
  ) throws -> String {
    let base: JSONObject = [
      "iss": "https://id.test", "sub": "alice", "aud": "api", "exp": 1_800_000_300,
      "iat": 1_799_999_900,
    ]
    let payload = JSON.object(base.merging(claims) { $1 }).serialized()
    return try key.sign(header: header, payload: Array(payload.utf8))
  }

  private static func keySet(_ keys: SigningKey...) -> JSON {
    ["keys": .array(keys.map(\.publicKey.json))]
  }

  private static func program(_ answers: JSON...) throws -> TestProgram {
    let program = try TestProgram([:])
    program.transport.respond(jwks, answers.map { .json($0.serialized()) })
    return program
  }

  @Test("verifies the stored token with the keys of the profile's issuer, which are cached")
  func stored() async throws {
    let key = try SigningKey.generate(.es256)
    let program = try Self.program(Self.keySet(key))
    try await program.store(Self.token(key))
    for _ in 0..<2 {
      let run = try await program.run("token", "verify")
      #expect(run.status == .status(.success), "\(run)")
      #expect(run.output.hasPrefix("valid\n"))
      #expect(run.output.contains("\n  signature  passed\n"))
      #expect(!run.output.contains("skipped"))
    }
    #expect(program.transport.sent.count { $0.url == Self.jwks } == 1)
  }

  @Test("fetches the keys once more if the cached ones do not have the token's key")
  func rotation() async throws {
    let (old, new, unknown) = (
      try SigningKey.generate(.es256), try SigningKey.generate(.es256),
      try SigningKey.generate(.es256)
    )
    let program = try Self.program(Self.keySet(old), Self.keySet(old, new))
    let run = try await program.run("token", "verify", "-", input: Self.token(old))
    #expect(run.status == .status(.success), "\(run)")
    let mixed = [old, new, unknown, old].map { (try? Self.token($0)) ?? "" }
    let bulk = try await program.run(
      "token", "verify", "-", input: mixed.joined(separator: "\n"))
    #expect(bulk.status == .status(.verification))
    let lines = bulk.output.split(separator: "\n").map(String.init)
    #expect(
      lines.map { String($0.prefix(10)) } == ["1: valid", "2: valid", "3: invalid", "4: valid"])
    #expect(lines[2].hasPrefix("3: invalid: key: no key of the issuer fits ES256"))
    #expect(bulk.errors == "sdkctl: error: could not verify 1 of 4 tokens\n")
    #expect(program.transport.sent.count { $0.url == Self.jwks } == 2)
  }

  @Test("finds the keys as the named profile says, or the one that has the issuer, or none")
  func issuers() async throws {
    let key = try SigningKey.generate(.es256)
    let (own, third) = ("https://id.test/own", "https://third.test")
    let program = try TestProgram(["discovery": false, "endpoints.jwks": .string(own)])
    try await program.store.add(try Profile(name: try ProfileName("other")))
    for url in [Self.jwks, own, "\(third)/jwks"] {
      program.transport.respond(url, .json(Self.keySet(key).serialized()))
    }
    let metadata = "\(third)/.well-known/openid-configuration"
    program.transport.respond(
      metadata, .json(#"{"issuer":"\#(third)","jwks_uri":"\#(third)/jwks"}"#))
    for (words, issuer, url) in [
      ([], "https://id.test", own), (["-p", "other"], "https://id.test", Self.jwks),
      ([], third, "\(third)/jwks"), ([], third, "\(third)/jwks"),
    ] {
      let run = try await program.run(
        words + ["token", "verify", "--issuer", issuer, "-"],
        input: Self.token(key, ["iss": .string(issuer)]))
      #expect(run.status == .status(.success), "\(run)")
      #expect(program.transport.sent.last?.url == url)
    }
    // What was found is kept.
    #expect(program.transport.sent.count { $0.url == metadata } == 1)
  }

  @Test(
    "of several profiles with the issuer the current one decides; without one the hint names them")
  func severalProfiles() async throws {
    let program = try TestProgram([:])
    let key = try SigningKey.generate(.es256)
    program.transport.respond(
      Self.jwks, .json(JSON.object(["keys": [key.publicKey.json]]).serialized()))
    var other = try Profile(name: try ProfileName("other"))
    try other.set("issuer", to: "https://id.test")
    try await program.store.add(other)
    let words = ["token", "verify", "--issuer", "https://id.test", "-"]
    let current = try await program.run(words, input: Self.token(key))
    #expect(current.status == .status(.success), "\(current)")
    try await program.store.add(try Profile(name: try ProfileName("third")))
    _ = try await program.run("profile", "use", "third")
    let none = try await program.run(words, input: Self.token(key))
    #expect(none.status == .status(.configuration))
    #expect(
      none.errors.contains("hint: sdkctl -p other token verify --issuer https://id.test -\n"),
      "\(none)")
    let named = try await program.run(["-p", "work"] + words, input: Self.token(key))
    #expect(named.status == .status(.success), "\(named)")
  }

  @Test("a chain in the token leads to its first certificate; a short secret is tried nevertheless")
  func unsuitableKeys() async throws {
    let program = try TestProgram([:])
    let (key, other) = (try SigningKey.generate(.es256), try SigningKey.generate(.es256))
    let token = try key.sign(header: ["x5c": ["AAAA"]], payload: Array("{}".utf8))
    let file = try program.folder.write(other.publicKey.json.serialized(), to: "key")
    let chained = try await program.run("token", "verify", "--key", file, "-", input: token)
    #expect(chained.status == .status(.verification))
    #expect(chained.errors.contains("the token brings a certificate chain (x5c)"), "\(chained)")
    #expect(
      chained.errors.contains("hint: sdkctl token decode --field header.x5c.0 FILE"), "\(chained)")
    let header = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8)) + ".e30"
    let code = try HMAC.authenticate(Array(header.utf8), key: Array("short".utf8), with: .sha256)
    for (secret, note) in [("short", "but it made"), ("shorr", "and it did not make")] {
      let file = try program.folder.write(secret, to: "secret")
      let run = try await program.run(
        "token", "verify", "--secret-file", file, "-", input: "\(header).\(Base64URL.encode(code))")
      #expect(run.status == .status(.verification))
      #expect(run.errors.contains("that HS256 requires, \(note) the signature"), "\(run)")
    }
  }

  @Test("exits with 11 and names the failing check; with 16 if only the time is wrong")
  func statuses() async throws {
    let key = try SigningKey.generate(.rs256)
    let program = try Self.program(Self.keySet(key))
    let rows: [([String], JSONObject, ExitCode, String, String)] = [
      ([], [:], .success, "valid", ""),
      (["--aud", "x", "--aud", "api"], [:], .success, "valid", ""),
      (["--aud", "x"], [:], .verification, "invalid", "aud"),
      (["--iss", "https://x.test"], [:], .verification, "invalid", "iss"),
      (["--sub", "bob"], [:], .verification, "invalid", "sub"),
      (["--typ", "at+jwt"], [:], .verification, "invalid", "typ"),
      (["--nonce", "n"], [:], .verification, "invalid", "nonce"),
      (["--azp", "app"], ["azp": "app"], .success, "valid", ""),
      (["--azp", "app"], [:], .verification, "invalid", "azp"),
      (["--azp", "app"], ["client_id": "evil"], .verification, "invalid", "azp"),
      (["--azp", "app"], ["client_id": "app"], .verification, "invalid", "azp"),
      (["--azp", "app"], ["azp": "other"], .verification, "invalid", "azp"),
      (["--alg", "ES256"], [:], .verification, "invalid", "alg"),
      ([], ["exp": 1_799_999_000], .notValidNow, "expired", "exp"),
      (["--at", "2027-01-15T07:40:00Z"], ["exp": 1_799_999_000, "iat": 1], .success, "valid", ""),
      ([], ["nbf": 1_800_000_100], .notValidNow, "not-yet-valid", "nbf"),
      (["--leeway", "2m"], ["nbf": 1_800_000_100], .success, "valid", ""),
      (["--aud", "x"], ["exp": 1], .verification, "invalid", "aud"),
    ]
    for (words, claims, exit, verdict, failed) in rows {
      let run = try await program.run(
        ["token", "verify", "--json", "-"] + words, input: Self.token(key, claims))
      #expect(run.status == .status(exit), "\(words) \(run)")
      let json = try JSON(parsing: run.output)
      #expect(json["verdict"]?.string == verdict)
      #expect(json["failed"]?.strings?.first ?? "" == failed)
      #expect(json["alg"] == "RS256")
      #expect(
        run.jsonError?["exit"]?.int.map(Int32.init) == (exit == .success ? nil : exit.rawValue))
    }
  }

  @Test("requires exp unless --allow-no-exp is given")
  func noExpiration() async throws {
    let key = try SigningKey.generate(.edDSA)
    let program = try Self.program(Self.keySet(key))
    let token = try key.sign(header: [:], payload: Array(#"{"iss":"https://id.test"}"#.utf8))
    let run = try await program.run("token", "verify", "-", input: token)
    #expect(run.status == .status(.verification))
    #expect(run.errors.hasPrefix("sdkctl: error: could not verify the token: exp: "))
    let lenient = try await program.run("token", "verify", "--allow-no-exp", "-", input: token)
    #expect(lenient.status == .status(.success))
  }

  @Test("takes keys, certificates, key sets and secrets from files")
  func files() async throws {
    let program = try TestProgram([:])
    let key = try SigningKey.generate(.es384)
    let token = try Self.token(key)
    let set = Self.keySet(key)
    for (option, content) in [
      ("--key", key.pem), ("--key", key.publicKey.json.serialized()), ("--jwks", set.serialized()),
      ("--key", try #require(key.publicKey.pem)),
    ] {
      let file = try program.folder.write(content, to: "key")
      let run = try await program.run("token", "verify", option, file, "-", input: token)
      #expect(run.status == .status(.success), "\(option) \(run)")
    }
    let other = try program.folder.write(SigningKey.generate(.es384).pem, to: "other")
    let wrong = try await program.run("token", "verify", "--key", other, "-", input: token)
    #expect(wrong.status == .status(.verification))
    #expect(wrong.errors.contains("signature: the signature is not valid"))
    let secret = String(repeating: "s", count: 32)
    let shared = try JWS.sign(
      header: [:], payload: Array(#"{"exp":1800000300}"#.utf8), secret: Array(secret.utf8),
      algorithm: .hs256)
    let file = try program.folder.write(shared, to: "token")
    let run = try await program.run(
      "token", "verify", "--secret-file", "-", file, input: secret + "\n")
    #expect(run.status == .status(.success), "\(run)")
  }

  @Test("never takes a public key for a shared secret")
  func confusion() async throws {
    let key = try SigningKey.generate(.rs256)
    let program = try Self.program(Self.keySet(key))
    let pem = try #require(key.publicKey.pem)
    let forged = try JWS.sign(
      header: ["kid": .string(key.publicKey.kid ?? "")],
      payload: Array(#"{"iss":"https://id.test","exp":1800000300}"#.utf8), secret: Array(pem.utf8),
      algorithm: .hs256)
    let file = try program.folder.write(pem, to: "key")
    for words in [[], ["--key", file], ["--alg", "RS256", "--key", file]] {
      let run = try await program.run(["token", "verify", "-"] + words, input: forged)
      #expect(run.status == .status(.verification), "\(run)")
    }
    let asked = try await program.run(
      "token", "verify", "-", "--alg", "HS256", "--key", file, input: forged)
    #expect(asked.status == .status(.usage))
  }

  @Test("checks that a token is bound to a key")
  func binding() async throws {
    let key = try SigningKey.generate(.es256)
    let program = try Self.program(Self.keySet(key))
    let holder = try SigningKey.generate(.es256)
    let bound = try Self.token(key, ["cnf": ["jkt": .string(holder.publicKey.thumbprint)]])
    let file = try program.folder.write(holder.pem, to: "holder")
    let good = try await program.run("token", "verify", "--bound-to", file, "-", input: bound)
    #expect(good.status == .status(.success), "\(good)")
    let other = try program.folder.write(SigningKey.generate(.es256).pem, to: "other")
    let bad = try await program.run("token", "verify", "--bound-to", other, "-", input: bound)
    #expect(bad.status == .status(.verification))
    #expect(bad.errors.contains("cnf: the token is bound to another key (jkt)"))
  }

  @Test("names a token in a token, and the command that shows both")
  func nested() async throws {
    let program = try TestProgram([:])
    let key = try SigningKey.generate(.es256)
    let file = try program.folder.write(key.pem, to: "key")
    let inner = try Self.token(key, [:])
    let outer = try key.sign(header: ["cty": "JWT"], payload: Array(inner.utf8))
    let run = try await program.run("token", "verify", "--key", file, "-", input: outer)
    #expect(run.status == .status(.verification))
    #expect(run.errors.contains("the payload is another token, not claims"), "\(run)")
    #expect(run.errors.contains("hint: sdkctl token decode FILE"), "\(run)")
    #expect(run.output.contains("signature  passed"), "\(run)")
  }

  @Test("checks that a token is bound to an identity of the profile")
  func identityBinding() async throws {
    let key = try SigningKey.generate(.es256)
    let program = try Self.program(Self.keySet(key))
    for name in ["alice", "bob"] {
      let path = try program.folder.write(try IdentityFixture(name).pem, to: "\(name).pem")
      _ = try await program.run("identity", "import", path, "--name", name)
    }
    let hash = try #require(try program.identity("alice").chain.details.first?.thumbprint)
    let bound = try Self.token(key, ["cnf": ["x5t#S256": .string(hash)]])
    let good = try await program.run("token", "verify", "--bound-to", "alice", "-", input: bound)
    #expect(good.status == .status(.success), "\(good)")
    let bad = try await program.run("token", "verify", "--bound-to", "bob", "-", input: bound)
    #expect(bad.status == .status(.verification))
    let none = try await program.run("token", "verify", "--bound-to", "carol", "-", input: bound)
    #expect(none.status == .status(.failure))
  }

  @Test("verifies each token of a token response, and says which one failed")
  func response() async throws {
    let key = try SigningKey.generate(.es256)
    let program = try Self.program(Self.keySet(key))
    let response: JSON = [
      "access_token": "opaque", "id_token": .string(try Self.token(key, ["exp": 1])),
      "token_type": "Bearer",
    ]
    let run = try await program.run(
      "token", "verify", "-", input: response.serialized(.pretty))
    #expect(run.status == .status(.notValidNow))
    #expect(run.output.hasPrefix("id_token: expired\n"))
    #expect(run.errors.hasPrefix("sdkctl: error: could not verify the token 'id_token': exp: "))
  }

  @Test("uses other servers without pins, and the profile of an issuer with its own")
  func otherIssuer() async throws {
    let key = try SigningKey.generate(.es256)
    let program = try Self.program(Self.keySet(key))
    for words in [["--issuer", "https://id.test"], ["--jwks", Self.jwks]] {
      let run = try await program.run(["token", "verify", "-"] + words, input: Self.token(key))
      #expect(run.status == .status(.success), "\(run)")
    }
    let bad = try await program.run("token", "verify", "-", "--issuer", "x", input: Self.token(key))
    #expect(bad.status == .status(.usage))
  }

  @Test("checks at_hash of the stored ID token, unless a refresh brought another access token")
  func accessTokenHash() async throws {
    let key = try SigningKey.generate(.es256)
    let program = try Self.program(Self.keySet(key))
    let hash = try TokenHash.leftHalf(of: "a1", algorithm: .es256)
    let idToken = try Self.token(key, ["at_hash": .string(hash)])
    for (accessToken, result) in [("a1", "passed"), ("a2", "skipped")] {
      try await program.store(accessToken, idToken: idToken)
      let run = try await program.run("token", "verify", "-v", "--id-token", "--aud", "api")
      #expect(run.status == .status(.success), "\(run)")
      #expect(run.output.contains("\n  at_hash    \(result)"), "\(run)")
    }
    let other = try program.folder.write("a2", to: "access")
    let asked = try await program.run(
      "token", "verify", "--id-token", "--aud", "api", "--access-token-file", other)
    #expect(asked.status == .status(.verification))
    let without = try await program.run(
      "token", "verify", "-", "--aud", "api", "--access-token-file", other,
      input: Self.token(key))
    #expect(without.status == .status(.verification))
    #expect(without.output.contains("the token has no 'at_hash'"), "\(without)")
  }

  @Test("suggests options that name keys if there is no profile")
  func noProfile() async throws {
    let program = try TestProgram()
    let key = try SigningKey.generate(.es256)
    let run = try await program.run("token", "verify", "-", input: Self.token(key))
    #expect(run.status == .status(.configuration))
    #expect(run.errors.contains("hint: sdkctl token verify --issuer URL FILE\n"), "\(run)")
  }

  @Test("says that an opaque token is not a JWT, and that an empty input is empty")
  func unusable() async throws {
    let program = try TestProgram([:])
    for text in ["opaque", "a.b.c.d", "v4.public.AAAA"] {
      let run = try await program.run("token", "verify", "-", input: text)
      #expect(run.status == .status(.verification), "\(run)")
      #expect(run.errors.contains("it is not a JWT"), "\(run)")
    }
    let empty = try await program.run("token", "verify", "-", input: " \n")
    #expect(empty.status == .status(.failure))
  }
}
