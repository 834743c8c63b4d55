import CoreTestSupport

@testable import Commands

/// The example of RFC 9901 section 5.2, at a time at which it is valid.
@Suite("token commands with an SD-JWT")
struct SDJWTCommandTests {
  private static func text(_ name: String) throws -> String {
    try #require(Vectors.selective[name]?.string)
  }

  /// The presentation without its first disclosure, for which its `sd_hash` is wrong.
  private static func changed() throws -> String {
    var parts = try text("presentation").split(separator: "~" as Character)
    parts.remove(at: 1)
    return parts.joined(separator: "~")
  }

  @Test("decode shows the disclosures, the claims with them, and the key binding")
  func decode() async throws {
    let token = try Self.text("presentation")
    let run = try await TestProgram().run("token", "decode", "-", input: token)
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.output.contains("disclosures\n"))
    #expect(run.output.contains("  nationalities[0] = \"US\"\n"))
    #expect(run.output.contains("key binding\n"))
    let json = try await TestProgram().run("token", "decode", "-", "--json", input: token).json
    #expect(json?["claims"] == Vectors.selective["claims"])
    #expect(json?["disclosures"]?.array?.count == 4)
    #expect(json?["keyBinding"]?["header"]?["typ"] == "kb+jwt")
    #expect(json?["problem"] == nil)
  }

  @Test("decode says that a disclosure does not fit")
  func misfit() async throws {
    let plain = try #require(Self.text("withoutBinding").split(separator: "~" as Character).first)
    // ["2GLC42sKQveCfGfryNRN9w","given_name","Jane"]
    let token = "\(plain)~WyIyR0xDNDJzS1F2ZUNmR2ZyeU5STjl3IiwiZ2l2ZW5fbmFtZSIsIkphbmUiXQ~"
    let json = try await TestProgram().run("token", "decode", "-", "--json", input: token).json
    #expect(json?["problem"]?.string?.contains("no digest of a disclosure") == true)
    #expect(json?["claims"] == nil)
    let program = try TestProgram()
    let file = try program.folder.write(token, to: "token")
    let check = try await program.run("token", "test", file)
    #expect(check.status == .status(.verification), "\(check)")
    let diff = try await program.run("token", "diff", file, file)
    #expect(diff.status == .status(.failure), "\(diff)")
  }

  @Test("verify requires the verifier and the nonce of the key binding")
  func verify() async throws {
    let program = try TestProgram()
    let key = try program.folder.write(
      #require(Vectors.selective["issuerKey"]).serialized(), to: "key")
    let token = try Self.text("presentation")
    let command = ["token", "verify", "--key", key, "-"]
    let wanted = ["--kb-aud", "https://verifier.example.org", "--kb-nonce", "1234567890"]
    #expect(try await program.run(command + wanted, input: token).status == .status(.success))
    for (options, text) in [
      (["--kb-nonce", "1"], token), (["--kb-aud", "x"], token), ([], try Self.changed()),
      (["--kb-nonce", "1234567890"], try Self.text("withoutBinding")),
    ] {
      let refused = try await program.run(command + options, input: text)
      #expect(refused.status == .status(.verification), "\(options) \(refused)")
    }
  }

  @Test("check and diff look at the disclosed claims")
  func compared() async throws {
    let program = try TestProgram()
    let token = try Self.text("presentation")
    let check = ["token", "test", "-", "--iss"]
    let passed = try await program.run(check + ["https://issuer.example.com"], input: token)
    #expect(passed.status == .status(.success), "\(passed)")
    let failed = try await program.run(check + ["https://other.example.com"], input: token)
    #expect(failed.status == .status(.verification), "\(failed)")
    let one = try program.folder.write(token, to: "one")
    let other = try program.folder.write(Self.changed(), to: "other")
    let diff = try await program.run("token", "diff", one, other, "--json")
    let paths = diff.json?["differences"]?.array?.compactMap { $0["path"]?.string }
    #expect(paths == ["payload.family_name"], "\(diff)")
  }
}
