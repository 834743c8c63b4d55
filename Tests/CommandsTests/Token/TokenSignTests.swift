import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("token sign")
struct TokenSignTests {
  /// A program with a new key in `key.jwk`.
  private static func program(_ algorithm: String = "ES256") async throws -> (TestProgram, String) {
    let program = try TestProgram([:])
    let file = program.folder.file("key.jwk")
    let made = try await program.run(
      "token", "jwk", "--generate", algorithm, "--kid", "k1", "--output", file)
    try #require(made.status == .status(.success), "\(made)")
    return (program, file)
  }

  @Test("makes a token with iat, exp, jti, typ and kid, in which lint finds nothing")
  func defaults() async throws {
    let (program, key) = try await Self.program()
    let words = ["token", "sign", "--key", key, "--iss", "https://id.test", "--aud", "api"]
    let run = try await program.run(words + ["--sub", "alice"])
    #expect(run.status == .status(.success), "\(run)")
    let token = try JWT(String(run.output.dropLast()))
    #expect(token.jws.header == ["alg": "ES256", "kid": "k1", "typ": "JWT"])
    #expect(token.issuer == "https://id.test")
    #expect(token.audience == ["api"])
    #expect(token.subject == "alice")
    #expect(token.body.issuedAt == TestProgram.now)
    #expect(token.expiration == TestProgram.now + 3600)
    #expect(token.string("jti")?.utf8.count == 22)
    let lint = try await program.run(["token", "lint", "--strict", "-"], input: run.output)
    #expect(lint.output == "no findings\n", "\(lint)")
    let verify = try await program.run(
      ["token", "verify", "--key", key, "--aud", "api", "-"], input: run.output)
    #expect(verify.status == .status(.success), "\(verify)")
    let other = try await program.run(words)
    #expect(try JWT(String(other.output.dropLast())).string("jti") != token.string("jti"))
  }

  @Test(
    "--broken makes tokens that must be refused, each for its reason",
    arguments: TokenDefect.allCases)
  func broken(defect: TokenDefect) async throws {
    let (program, key) = try await Self.program()
    let run = try await program.run(
      "token", "sign", "--key", key, "--iss", "https://id.test", "--aud", "api", "--sub", "alice",
      "--broken", defect.rawValue)
    #expect(run.status == .status(.success), "\(run)")
    let verify = try await program.run(
      "token", "verify", "--json", "--key", key, "--iss", "https://id.test", "--aud", "api", "-",
      input: run.output)
    let reason =
      switch defect {
      case .signature, .claims, .key: "signature"
      case .none, .hmac: "alg"
      case .expired: "exp"
      case .early: "nbf"
      case .issuer: "iss"
      case .audience: "aud"
      case .critical: "crit"
      }
    #expect(verify.json?["failed"] == [.string(reason)], "\(verify)")
    let shown = try await program.run(
      "token", "sign", "--key", key, "--json", "--broken", defect.rawValue)
    let alg: JSON = defect == .none ? "none" : defect == .hmac ? "HS256" : "ES256"
    #expect(shown.json?["header"]?["alg"] == alg, "\(shown)")
  }

  @Test("--broken hmac needs a key pair, key takes a secret too")
  func brokenSecret() async throws {
    let program = try TestProgram([:])
    let secret = try program.folder.write(String(repeating: "s", count: 32), to: "s", mode: 0o600)
    let words = ["token", "sign", "--secret-file", secret, "--broken"]
    let hmac = try await program.run(words + ["hmac"])
    #expect(hmac.errors.contains("a shared secret has no public key"), "\(hmac)")
    let other = try await program.run(words + ["key"])
    let verify = try await program.run(
      "token", "verify", "--secret-file", secret, "-", input: other.output)
    #expect(verify.status == .status(.verification), "\(verify)")
  }

  @Test("takes claims from a file or standard input, which options replace")
  func claims() async throws {
    let (program, key) = try await Self.program()
    let document = #"{"sub":"bob","exp":5,"nbf":1,"n":9007199254740993}"#
    let file = try program.folder.write(document, to: "claims.json")
    let options = [
      "--claim", "sub=carol", "-c", "roles:=[\"a\",null]", "--aud", "x", "--aud", "y", "--json",
    ]
    for (words, input) in [([file], ""), (["-"], document)] {
      let run = try await program.run(
        ["token", "sign", "--key", key] + options + words, input: input)
      #expect(run.status == .status(.success), "\(run)")
      var claims = try #require(run.json?["claims"]?.object)
      #expect(claims["jti"] != nil)
      claims["jti"] = nil
      #expect(
        JSON.object(claims)
          == (try JSON(
            parsing: """
              {"sub":"carol","exp":5,"nbf":1,"n":9007199254740993,"roles":["a",null],"aud":["x","y"],\
              "iat":1800000000}
              """)))
      let token = try JWT(run.json?["token"]?.string ?? "")
      #expect(token.claims == run.json?["claims"])
      #expect(token.jws.header == run.json?["header"])
    }
    for bad in ["[]", "{", "{\"a\":1,\"a\":2}"] {
      let run = try await program.run(["token", "sign", "--key", key, "-"], input: bad)
      #expect(run.status == .status(.failure), "\(run)")
      #expect(run.errors.hasPrefix("sdkctl: error: could not read the claims: "), "\(run)")
    }
  }

  @Test("sets fields of the header, but neither the algorithm nor an encoding that it does not use")
  func header() async throws {
    let (program, key) = try await Self.program()
    let words = ["token", "sign", "--key", key, "--json"]
    let run = try await program.run(
      words + ["--typ", "at+jwt", "-H", "kid=other", "-H", "x:=1"])
    #expect(run.json?["header"] == ["alg": "ES256", "kid": "other", "typ": "at+jwt", "x": 1])
    for field in ["alg=none", "b64:=false"] {
      let run = try await program.run(words + ["--header", field])
      #expect(run.status == .status(.usage), "\(run)")
      #expect(run.output == "")
    }
  }

  @Test("uses the algorithm of the key, or one that the key can be used with")
  func algorithms() async throws {
    let (program, key) = try await Self.program("RS256")
    let pem = program.folder.file("key.pem")
    _ = try await program.run("token", "jwk", "--private", "--pem", "--output", pem, key)
    func algorithm(_ words: String...) async throws -> (JSON?, ProgramRun) {
      let run = try await program.run(["token", "sign", "--json"] + words)
      return (run.json?["header"]?["alg"], run)
    }
    #expect(try await algorithm("--key", pem).0 == "RS256")
    #expect(try await algorithm("--key", pem, "--alg", "PS384").0 == "PS384")
    for (file, name) in [(pem, "ES256"), (key, "PS256"), (pem, "HS256")] {
      let run = try await algorithm("--key", file, "--alg", name).1
      #expect(run.status == .status(.configuration), "\(run)")
      #expect(run.errors.contains("could not use the key: "), "\(run)")
    }
  }

  @Test("refuses a public key, and one that is for something else")
  func unsuitable() async throws {
    let (program, key) = try await Self.program()
    let secret = try JSON(parsing: program.folder.text(of: "key.jwk"))
    let published = try await program.run("token", "jwk", key).output
    let agreement = program.folder.file("agreement.jwk")
    _ = try await program.run("token", "jwk", "--generate", "X25519", "--output", agreement)
    var members = try #require(secret.object)
    members["key_ops"] = ["verify"]
    members["use"] = nil
    for (content, cause) in [
      (published, "it is a public key, without its private half"),
      (JSON.object(members).serialized(), "the key is not for signing"),
      (try program.folder.text(of: "agreement.jwk"), "a key of the type X25519 cannot sign tokens"),
    ] {
      let file = try program.folder.write(content, to: "bad.jwk", mode: 0o600)
      let run = try await program.run("token", "sign", "--key", file)
      expect(run, .configuration, errors: "sdkctl: error: could not use the key: \(cause)\n")
    }
    members["key_ops"] = ["sign"]
    let file = try program.folder.write(
      JSON.object(members).serialized(), to: "good.jwk", mode: 0o600)
    #expect(try await program.run("token", "sign", "--key", file).status == .status(.success))
  }

  @Test("signs with the one key of a set that can, or with that of an ID")
  func sets() async throws {
    let (program, key) = try await Self.program()
    let first = try JSON(parsing: program.folder.text(of: "key.jwk"))
    let second = program.folder.file("second.jwk")
    _ = try await program.run(
      "token", "jwk", "--generate", "EdDSA", "--kid", "k2", "--output", second)
    let other = try JSON(parsing: program.folder.text(of: "second.jwk"))
    let published = try JSON(parsing: try await program.run("token", "jwk", key).output)
    func file(_ keys: [JSON]) throws -> String {
      try program.folder.write(
        JSON.object(["keys": .array(keys)]).serialized(), to: "set.jwks", mode: 0o600)
    }
    let words = ["token", "sign", "--json", "--key"]
    let one = try await program.run(words + [try file([published, other])])
    #expect(one.json?["header"]?["kid"] == "k2", "\(one)")
    let two = try file([first, other])
    let ambiguous = try await program.run("token", "sign", "--key", two)
    expect(
      ambiguous, .configuration,
      errors:
        "sdkctl: error: could not use the key: 2 keys of the file can sign: choose one with --kid\n"
    )
    let named = try await program.run(words + [two, "--kid", "k1"])
    #expect(named.json?["header"] == ["alg": "ES256", "kid": "k1", "typ": "JWT"])
    let none = try await program.run("token", "sign", "--key", two, "--kid", "k3")
    expect(
      none, .configuration,
      errors: "sdkctl: error: could not use the key: no key of the file has the ID 'k3'\n")
  }

  @Test("signs with a shared secret of sufficient length")
  func secrets() async throws {
    let program = try TestProgram([:])
    let secret = String(repeating: "s", count: 48)
    let words = ["token", "sign", "--secret-file", "-", "--json"]
    let run = try await program.run(words, input: secret + "\n")
    #expect(run.json?["header"] == ["alg": "HS256", "typ": "JWT"], "\(run)")
    let file = try program.folder.write(secret, to: "secret", mode: 0o600)
    let token = try program.folder.write(run.json?["token"]?.string ?? "", to: "token")
    let verify = try await program.run("token", "verify", "--secret-file", file, token)
    #expect(verify.status == .status(.success), "\(verify)")
    let long = try await program.run(words + ["--alg", "HS384"], input: secret)
    #expect(long.json?["header"]?["alg"] == "HS384")
    for (name, input) in [("HS512", secret), ("HS256", "short"), ("RS256", secret)] {
      let run = try await program.run(words + ["--alg", name], input: input)
      #expect(run.status == .status(.configuration), "\(run)")
      #expect(!run.errors.contains("ssss"))
    }
  }

  @Test(
    "encrypts to a key, which then decrypts and verifies", arguments: ["RSA-OAEP-256", "X25519"])
  func encrypted(algorithm: String) async throws {
    let (program, key) = try await Self.program()
    let reader = program.folder.file("reader.jwk")
    let published = try await program.run(
      "token", "jwk", "--generate", algorithm, "--output", reader)
    let file = try program.folder.write(published.output, to: "public.jwk")
    let run = try await program.run(
      "token", "sign", "--key", key, "--sub", "alice", "--encrypt-to", file, "--encrypt-enc",
      "A128CBC-HS256")
    #expect(run.status == .status(.success), "\(run)")
    let token = try program.folder.write(run.output, to: "token")
    let decoded = try await program.run("token", "decode", "--json", "--key", reader, token)
    #expect(decoded.json?["payload"]?["sub"] == "alice", "\(decoded)")
    #expect(decoded.json?["outer"]?.array?.first?["enc"] == "A128CBC-HS256")
    #expect(decoded.json?["outer"]?.array?.first?["cty"] == "JWT")
    let verify = try await program.run(
      "token", "verify", "--key", key, "--decrypt-key", reader, token)
    #expect(verify.status == .status(.success), "\(verify)")
  }

  @Test("does not encrypt to a key for signatures, or in a way that the key does not fit")
  func notEncrypted() async throws {
    let (program, key) = try await Self.program()
    let run = try await program.run("token", "sign", "--key", key, "--encrypt-to", key)
    #expect(run.status == .status(.configuration), "\(run)")
    #expect(run.errors.hasPrefix("sdkctl: error: could not encrypt to the key: "), "\(run)")
    let reader = program.folder.file("reader.jwk")
    _ = try await program.run("token", "jwk", "--generate", "X25519", "--output", reader)
    let unfit = try await program.run(
      "token", "sign", "--key", key, "--encrypt-to", reader, "--encrypt-alg", "RSA-OAEP")
    #expect(unfit.status == .status(.configuration), "\(unfit)")
  }

  @Test(
    "needs one key, and reads one thing from standard input; a key that others can read is refused")
  func usage() async throws {
    let (program, key) = try await Self.program()
    #expect(try await program.run("token", "sign").status == .status(.usage))
    for words in [
      ["--secret-file", "-", "-"], ["--key", "-", "-"], ["--key", key, "--encrypt-to", "-", "-"],
    ] {
      let run = try await program.run(["token", "sign"] + words)
      #expect(run.status == .status(.usage), "\(run)")
      #expect(run.errors.contains("standard input is named twice: for '--"), "\(run)")
    }
    let open = try program.folder.write(
      try program.folder.text(of: "key.jwk"), to: "open.jwk", mode: 0o644)
    let run = try await program.run("token", "sign", "--key", open)
    #expect(run.status == .status(.configuration), "\(run)")
    #expect(run.output == "")
  }

  @Test("uses a token of standard input as the key")
  func keyOnInput() async throws {
    let (program, _) = try await Self.program()
    let run = try await program.run(
      ["token", "sign", "--key", "-"], input: try program.folder.text(of: "key.jwk"))
    #expect(run.status == .status(.success), "\(run)")
  }
}
