import JOSE
import JSON
import Primitives
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("token check, lint, diff and jwk")
struct TokenInspectionTests {
  private static func token(
    _ claims: String, header: String = #"{"alg":"ES256","typ":"JWT"}"#
  )
    -> String
  {
    let signature = Base64URL.encode([UInt8](repeating: 7, count: 64))
    return [header, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
      + ".\(signature)"
  }

  @Test("check says nothing about a token that is good enough")
  func check() async throws {
    let claims = #"{"exp":1800000300,"scope":"read write","aud":"api","acr":"2","iss":"i"}"#
    let program = try TestProgram([:])
    try program.store(Self.token(claims))
    let rows: [([String], ExitCode)] = [
      ([], .success), (["--min-ttl", "299"], .success), (["--min-ttl", "300"], .notValidNow),
      (["--scope", "read write"], .success), (["--scope", "admin"], .verification),
      (["--aud", "api"], .success), (["--aud", "x"], .verification), (["--acr", "2"], .success),
      (["--acr", "3"], .verification), (["--iss", "j"], .verification),
      (["--min-ttl", "300", "--scope", "admin"], .verification),
    ]
    for (words, exit) in rows {
      let run = try await program.run(["token", "check"] + words)
      #expect(run.status == .status(exit), "\(words) \(run)")
      #expect(run.output == "")
      #expect(run.errors.isEmpty == (exit == .success))
    }
    let json = try await program.run("token", "check", "--json", "--scope", "admin")
    #expect(json.json?["failed"] == ["scope"])
    program.now = program.now + 300
    #expect(try await program.run("token", "check").status == .status(.notValidNow))
  }

  @Test("check looks at what the server told of an opaque token")
  func opaque() async throws {
    let program = try TestProgram([:])
    #expect(try await program.run("token", "check").status == .status(.authenticationRequired))
    try program.store(
      "opaque", lifetime: 100, scope: "a b", idToken: Self.token(#"{"acr":"2"}"#))
    let rows: [([String], ExitCode)] = [
      ([], .success), (["--min-ttl", "99"], .success), (["--min-ttl", "100"], .notValidNow),
      (["--scope", "b"], .success), (["--scope", "c"], .verification), (["--acr", "2"], .success),
      (["--aud", "api"], .verification),
    ]
    for (words, exit) in rows {
      let run = try await program.run(["token", "check"] + words)
      #expect(run.status == .status(exit), "\(words) \(run)")
    }
  }

  @Test(
    "lint finds what is wrong, with the section",
    arguments: [
      (#"{"alg":"none"}"#, "{}", ["alg-none", "exp-missing", "typ-missing"]),
      (#"{"alg":"HS256","typ":"JWT"}"#, #"{"exp":1}"#, ["alg-shared", "iss-missing"]),
      (#"{"alg":"RS256","typ":"JWT"}"#, #"{"exp":1}"#, ["key-small"]),
      (#"{"alg":"ES384","typ":"JWT"}"#, #"{"exp":1}"#, ["signature-length"]),
      (
        #"{"alg":"ES256","typ":"at+jwt"}"#, #"{"iss":"http://x","aud":"a"}"#,
        [
          "exp-missing", "sub-missing", "client_id-missing", "jti-missing", "iat-missing",
          "iss-url",
        ]
      ),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"exp":1800000000000}"#, ["time-milliseconds"]),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"exp":"1"}"#, ["time-type"]),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"iat":0,"exp":864000}"#, ["lifetime"]),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"iat":5,"exp":4}"#, ["lifetime"]),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"exp":1,"email":"a@b"}"#, ["personal-data"]),
      (#"{"alg":"ES256","typ":"JWT"}"#, #"{"exp":1,"password":"x"}"#, ["secret"]),
      (#"{"alg":"ES256","typ":"JWT","kid":"../k"}"#, #"{"exp":1}"#, ["kid-path"]),
      (#"{"alg":"ES256","typ":"JWT","kid":"https://x"}"#, #"{"exp":1}"#, ["kid-path"]),
      (#"{"alg":"ES256","typ":"JWT","jku":"https://x","x5u":"https://x"}"#, "{}", ["jku", "x5u"]),
      (#"{"alg":"ES256","typ":"JWT","jwk":{}}"#, "{}", ["jwk"]),
      (#"{"alg":"ES256","typ":"JWT","cty":"JWT"}"#, "{}", ["cty"]),
      (#"{"alg":"ES256","crit":["x"]}"#, "{}", ["crit"]), (#"{"alg":"ES256"}"#, "[]", ["payload"]),
    ] as [(String, String, [String])])
  func lint(header: String, claims: String, codes: [String]) async throws {
    let program = try TestProgram([:])
    let run = try await program.run(
      "token", "lint", "--json", "-", input: Self.token(claims, header: header))
    let findings = run.json?["findings"]?.array ?? []
    let found = findings.compactMap { $0["code"]?.string }
    #expect(Set(codes).isSubset(of: found), "\(found)")
    #expect(findings.allSatisfy { $0["section"]?.string?.hasPrefix("RFC ") == true })
    let errors = run.json?["errors"]?.int ?? 0
    #expect(run.status == .status(errors > 0 ? .verification : .success))
    let severities = findings.compactMap { $0["severity"]?.string }
    let order = ["error", "warning", "info"]
    #expect(severities == order.flatMap { word in severities.filter { $0 == word } })
  }

  @Test("lint finds nothing about a good access token, and --strict fails on warnings")
  func lintGood() async throws {
    let program = try TestProgram([:])
    let good = Self.token(
      #"{"iss":"https://id.test","aud":"api","sub":"s","client_id":"c","exp":3600,"iat":0,"jti":"1"}"#,
      header: #"{"alg":"ES256","typ":"at+jwt","kid":"1"}"#)
    expect(
      try await program.run("token", "lint", "--strict", "-", input: good), .success,
      output: "no findings\n")
    let warned = Self.token(#"{"exp":1,"iss":"https://id.test"}"#)
    #expect(
      try await program.run("token", "lint", "-", input: warned).status == .status(.success))
    #expect(
      try await program.run("token", "lint", "--strict", "-", input: warned).status
        == .status(.verification))
  }

  @Test("diff tells the members that differ")
  func diff() async throws {
    let program = try TestProgram([:])
    let one = try program.folder.write(
      Self.token(#"{"exp":1800000300,"a":{"b":1,"c":2},"same":1}"#), to: "one")
    let other = try program.folder.write(
      Self.token(
        #"{"exp":1800000600,"a":{"b":1},"same":1,"new":[1]}"#,
        header: #"{"alg":"ES256","typ":"at+jwt"}"#), to: "other")
    expect(
      try await program.run("token", "diff", one, other), .success,
      output: """
        - header.typ: "JWT"
        + header.typ: "at+jwt"
        - payload.a.c: 2
        - payload.exp: 1800000300  (2027-01-15T08:05:00Z)
        + payload.exp: 1800000600  (2027-01-15T08:10:00Z)
        + payload.new: [1]

        """)
    expect(try await program.run("token", "diff", one, one), .success)
    try program.store(Self.token(#"{"exp":1}"#))
    let json = try await program.run("token", "diff", "--json", one)
    #expect(json.json?["equal"] == false)
    #expect(json.json?["differences"]?.array?.count == 3)
  }

  @Test("jwk makes a key pair: the private half in a file of its own, the public one printed")
  func generate() async throws {
    let program = try TestProgram([:])
    let file = program.folder.file("key.jwk")
    let run = try await program.run(
      "token", "jwk", "--generate", "ES256", "--kid", "k1", "--output", file)
    #expect(run.status == .status(.success), "\(run)")
    let published = try #require(run.json)
    #expect(published["d"] == nil)
    #expect(published["kid"] == "k1")
    #expect(published["alg"] == "ES256")
    #expect(published["use"] == "sig")
    let secret = try JSON(parsing: program.folder.text(of: "key.jwk"))
    #expect(secret["d"] != nil)
    let again = try await program.run("token", "jwk", file)
    #expect(again.json == published)
    let set = try await program.run("token", "jwk", "--set", file, file)
    #expect(set.json == ["keys": [published, published]])
    let pem = try await program.run("token", "jwk", "--pem", file)
    #expect(pem.output.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
    #expect(try await program.run("token", "jwk").status == .status(.usage))
    #expect(
      try await program.run("token", "jwk", "--generate", "ES256").status == .status(.usage))
  }

  @Test("jwk shows no private half unless it is asked to")
  func privateHalves() async throws {
    let program = try TestProgram([:])
    let key = try SigningKey.generate(.rs256)
    let file = try program.folder.write(key.pem, to: "key.pem")
    for words in [[], ["--set"], ["--pem"], ["--thumbprint"], ["--thumbprint", "--json"]] {
      let run = try await program.run(["token", "jwk", file] + words)
      #expect(run.status == .status(.success), "\(run)")
      #expect(!run.output.contains("PRIVATE"))
      #expect(!run.output.contains("\"d\""))
    }
    let secret = try await program.run("token", "jwk", "--private", "--pem", file)
    #expect(secret.output == key.pem)
    let jwk = try await program.run("token", "jwk", "--private", file)
    #expect(jwk.json?["d"] != nil)
    let thumbprint = try await program.run("token", "jwk", "--thumbprint", file)
    #expect(thumbprint.output == key.publicKey.thumbprint + "\n")
  }

  @Test("decode finds the tokens of a token response, and of a quoted header line")
  func responses() async throws {
    let program = try TestProgram([:])
    let token = Self.token(#"{"sub":"alice"}"#)
    let response: JSON = [
      "access_token": "opaque", "id_token": .string(token), "token_type": "Bearer",
    ]
    let run = try await program.run(
      "token", "decode", "--json", "-", input: response.serialized(.pretty))
    #expect(run.status == .status(.success), "\(run)")
    let lines = try run.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
    #expect(lines.count == 2)
    #expect(lines[0] == ["name": "access_token", "opaque": true])
    #expect(lines[1]["name"] == "id_token")
    #expect(lines[1]["payload"]?["sub"] == "alice")
    for text in ["Authorization: Bearer \(token)", "'\(token)'", " \"bearer  \(token)\"\n"] {
      let run = try await program.run("token", "decode", "--json", "-", input: text)
      #expect(run.json?["payload"]?["sub"] == "alice", "\(text)")
    }
  }

  @Test("decode draws the lifetime on a terminal")
  func lifetime() throws {
    let lifetime = Lifetime(start: 1000, end: 2000)
    #expect(lifetime.bar(at: 1500, width: 10) == "issued [=====>----] expires  (50 % over)")
    #expect(lifetime.bar(at: 900, width: 10) == "issued [>---------] expires  (not yet valid)")
    #expect(lifetime.bar(at: 2000, width: 10) == "issued [==========] expires  (expired)")
    #expect(Lifetime(start: 5, end: 5).bar(at: 5, width: 10) == nil)
  }
}
