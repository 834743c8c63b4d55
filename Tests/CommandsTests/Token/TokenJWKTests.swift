import JOSE
import JSON
import Primitives
import SDKCore
import TestSupport
import Testing

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

  @Test("does not repeat a token that is given in place of a file")
  func tokenOperand() async throws {
    let program = try TestProgram([:])
    let token = TestToken.text("{}")
    for words in [["token", "jwk", token], ["token", "verify", "--key", token, "-"]] {
      let run = try await program.run(words, input: token)
      #expect(run.status == .status(.usage), "\(run)")
      #expect(!run.errors.contains(token))
    }
  }

  @Test("shows no private half unless it is asked to")
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
}
