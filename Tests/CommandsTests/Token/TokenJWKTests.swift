import CoreTestSupport
import Glibc
import SDKCore

@testable import Commands

@Suite("token jwk")
struct TokenJWKTests {
  @Test("makes a key pair: the private half in a file of its own, the public one printed")
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

  @Test("writes no key through a symbolic link, wherever it leads")
  func link() async throws {
    let program = try TestProgram([:])
    let place = program.folder.file("link")
    for target in ["missing", "old"] {
      symlink(target, place)
      if target == "old" { try program.folder.write("old", to: "old") }
      let run = try await program.run(
        "token", "jwk", "--generate", "ES256", "--replace", "--output", place)
      #expect(run.status == .status(.failure), "\(run)")
      #expect(run.errors.contains("is a symbolic link"), "\(run)")
      #expect(run.output == "")
      unlink(place)
    }
    #expect(!program.folder.exists("missing"))
    #expect(try program.folder.text(of: "old") == "old")
  }

  @Test("prints one value of each key with --field, and writes the whole key to a file")
  func field() async throws {
    let program = try TestProgram([:])
    let file = program.folder.file("key.jwk")
    let made = try await program.run(
      "token", "jwk", "--generate", "ES256", "--kid", "k1", "--output", file, "--field", "kid")
    #expect(made.output == "k1\n", "\(made)")
    #expect(try JSON(parsing: program.folder.text(of: "key.jwk"))["d"] != nil)
    let two = try await program.run("token", "jwk", file, file, "--field", "crv")
    #expect(two.output == "P-256\nP-256\n", "\(two)")
    let set = try await program.run("token", "jwk", "--set", file, "--field", "keys.0.kid")
    #expect(set.output == "k1\n", "\(set)")
    let hash = try await program.run("token", "jwk", "--x5t", file, "--field", "kid")
    #expect(hash.output == "k1\n", "\(hash)")
    let missing = try await program.run("token", "jwk", file, "--field", "nope")
    #expect(missing.status == .status(.failure))
    let pem = try await program.run("token", "jwk", "--pem", file, "--field", "kid")
    #expect(pem.status == .status(.usage))
  }

  @Test("one key ID is not given to the keys of two files")
  func kidOfFiles() async throws {
    let program = try TestProgram([:])
    let key = try await program.run("token", "jwk", "--generate", "ES256", "-o", "-")
    let file = try program.folder.write(key.output, to: "key")
    let run = try await program.run("token", "jwk", "--kid", "a", file, file)
    #expect(run.status == .status(.usage) && run.output.isEmpty, "\(run)")
    #expect(run.errors.contains("--kid needs exactly one file"))
  }

  @Test(
    "publishes no key for what it cannot do",
    arguments: [
      (JWSAlgorithm.rs256, ["--alg", "HS256"], "HS256 does not work with the key"),
      (.rs256, ["--alg", "ES256"], "ES256 does not work with the key"),
      (.rs256, ["--alg", "ECDH-ES"], "ECDH-ES does not work with the key"),
      (.rs256, ["--alg", "none"], "the algorithm 'none' is not supported"),
      (.rs256, ["--alg", "RS256", "--use", "enc"], "RS256 signs, but the use is 'enc'"),
      (.rs256, ["--alg", "RSA-OAEP", "--use", "sig"], "RSA-OAEP encrypts, but the use is 'sig'"),
      (.es256, ["--alg", "ES384"], "ES384 does not work with the key"),
      (.edDSA, ["--use", "enc"], "no algorithm for the use 'enc' works with the key"),
      (.rs256, ["--alg", "RSA-OAEP", "--use", "enc"], nil), (.rs256, ["--alg", "PS512"], nil),
      (.edDSA, ["--alg", "Ed25519", "--use", "sig"], nil), (.es256, ["--use", "enc"], nil),
    ] as [(JWSAlgorithm, [String], String?)])
  func impossible(algorithm: JWSAlgorithm, options: [String], cause: String?) async throws {
    let program = try TestProgram([:])
    let key = try SigningKey.generate(algorithm)
    let file = try program.folder.write(key.pem, to: "key.pem")
    for form in [[], ["--set"], ["--private"]] {
      let run = try await program.run(["token", "jwk", file] + options + form)
      #expect(run.status == .status(cause == nil ? .success : .configuration), "\(run)")
      #expect(run.output.isEmpty == (cause != nil))
      #expect(run.errors.contains(cause ?? ""), "\(run)")
    }
  }

  @Test(
    "overwrites no private key: a new key replaces no file, nothing replaces a key, without --replace"
  )
  func overwrites() async throws {
    let program = try TestProgram([:])
    let file = program.folder.file("key.jwk")
    let made = ["token", "jwk", "--generate", "ES256", "-o", file]
    #expect(try await program.run(made).status == .status(.success))
    let first = try program.folder.text(of: "key.jwk")
    let other = try program.folder.write(try SigningKey.generate(.es256).pem, to: "other.pem")
    for words in [
      made, ["token", "jwk", other, "-o", file], ["token", "jwk", "--private", other, "-o", file],
      ["token", "jwk", "--set", other, "-o", file],
    ] {
      let run = try await program.run(words)
      #expect(run.status == .status(.failure), "\(run)")
      #expect(run.errors.contains("exists, and has a private key"), "\(run)")
      #expect(run.output == "")
      #expect(try program.folder.text(of: "key.jwk") == first)
    }
    let sealed = try program.folder.write(
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
      to: "sealed.pem")
    #expect(
      try await program.run("token", "jwk", other, "-o", sealed).status == .status(.failure))
    let text = try program.folder.write("text", to: "text")
    #expect(
      try await program.run("token", "jwk", "--generate", "ES256", "-o", text).status
        == .status(.failure))
    #expect(try await program.run(made + ["--replace"]).status == .status(.success))
    #expect(try program.folder.text(of: "key.jwk") != first)
    // A set of public keys is written again and again.
    let set = program.folder.file("jwks.json")
    for _ in 0..<2 {
      #expect(
        try await program.run("token", "jwk", "--set", other, "-o", set).status == .status(.success)
      )
    }
    let empty = try program.folder.write("", to: "empty", mode: 0o600)
    #expect(
      try await program.run("token", "jwk", "--generate", "ES256", "-o", empty).status
        == .status(.success))
  }

  @Test("writes to standard output for -o -, on a terminal no private key")
  func standardOutput() async throws {
    let program = try TestProgram([:])
    let run = try await program.run("token", "jwk", "--generate", "ES256", "-o", "-")
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.json?["d"] != nil)
    let file = try program.folder.write(run.output, to: "key.jwk")
    let converted = try await program.run("token", "jwk", "--pem", file, "-o", "-")
    #expect(converted.output.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
    #expect(!program.folder.names.contains("-"))
    program.terminal.connect(.output)
    for words in [["--generate", "ES256", "-o", "-"], ["--private", file, "-o", "-"]] {
      let run = try await program.run(["token", "jwk"] + words)
      #expect(run.status == .status(.usage), "\(run)")
      #expect(run.output == "")
    }
  }

  @Test("writes to what is no file without looking for a key that would be lost")
  func places() async throws {
    let program = try TestProgram([:])
    let words = ["token", "jwk", "--generate", "ES256", "--output"]
    #expect(try await program.run(words + ["/dev/null"]).status == .status(.success))
    let run = try await program.run(words + [program.folder.path])
    #expect(run.status == .status(.failure))
    #expect(!run.errors.contains("exists"), "\(run)")
  }
}
