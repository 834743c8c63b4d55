import CoreTestSupport

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

  @Test("checks that a token is bound to an identity of the profile")
  func identityBinding() async throws {
    let key = try SigningKey.generate(.es256)
    let program = try Self.program(Self.keySet(key))
    let alice = try TestIdentity.make("alice", hosts: [])
    for identity in [alice, try TestIdentity.make("bob", hosts: [])] {
      try await program.identities.save(identity)
    }
    let hash = try #require(alice.chain.details.first?.thumbprint)
    let bound = try Self.token(key, ["cnf": ["x5t#S256": .string(hash)]])
    let good = try await program.run("token", "verify", "--bound-to", "alice", "-", input: bound)
    #expect(good.status == .status(.success), "\(good)")
    let bad = try await program.run("token", "verify", "--bound-to", "bob", "-", input: bound)
    #expect(bad.status == .status(.verification))
    let none = try await program.run("token", "verify", "--bound-to", "carol", "-", input: bound)
    #expect(none.status == .status(.failure))
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
}
