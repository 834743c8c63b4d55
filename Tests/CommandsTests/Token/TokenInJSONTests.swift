import CoreTestSupport

@testable import Commands

@Suite("A token in JSON")
struct TokenInJSONTests {
  private func rows(_ name: String) -> [JSON] { Vectors.cookbook[name]?.array ?? [] }

  private func key(_ section: String) throws -> String {
    try #require(Vectors.cookbook["keys"]?[section]).serialized()
  }

  @Test("is read in both forms of RFC 7520, with one signature, and is verified")
  func signed() async throws {
    let program = try TestProgram([:])
    #expect(rows("jws").count == 4)
    for row in rows("jws") where row["alg"] != "HS256" {
      let file = try program.folder.write(key(row["key"]?.string ?? ""), to: "key")
      for form in ["flattened", "general"] {
        let text = try #require(row[form]).serialized(.pretty)
        let decoded = try await program.run("token", "decode", "--json", "-", input: text)
        #expect(decoded.json?["payload"]?.string == Vectors.cookbook["payload"]?.string)
        #expect(decoded.json?["header"]?["alg"] == row["alg"])
        // The payload is not a set of claims; the signature is what is looked at.
        let verified = try await program.run(
          "token", "decode", "--key", file, "--field", "signature.status", "-", input: text)
        #expect(verified.output == "verified\n", "\(verified)")
      }
    }
  }

  @Test("is decrypted in the flattened form, if all of its header is protected")
  func encrypted() async throws {
    let program = try TestProgram([:])
    var count = 0
    for row in rows("jwe") {
      guard let flattened = row["flattened"], let key = row["key"],
        ["5.2", "5.4", "5.8"].contains(row["section"]?.string)
      else { continue }
      count += 1
      let file = try program.folder.write(key.serialized(), to: "key")
      let run = try await program.run(
        "token", "decode", "--json", "--key", file, "-", input: flattened.serialized())
      #expect(run.json?["payload"]?.string == Vectors.cookbook["plaintext"]?.string, "\(run)")
    }
    #expect(count == 3)
  }

  @Test("says why it is not read if it has no compact form")
  func notCompact() async throws {
    let program = try TestProgram([:])
    let forms = rows("otherForms").flatMap { [$0["general"], $0["flattened"]].compactMap { $0 } }
    let more = ["severalSignatures", "flattened", "severalRecipients", "flattenedEncrypted"]
      .compactMap { Vectors.appendices[$0] }
    #expect(forms.count == 5 && more.count == 4)
    for form in forms + more {
      for words in [["decode"], ["verify", "--issuer", "https://id.test"], ["test"]] {
        let run = try await program.run(["token"] + words + ["-"], input: form.serialized())
        #expect(run.status == .status(words[0] == "verify" ? .verification : .failure))
        #expect(run.errors.contains("it has no compact form"), "\(run)")
      }
    }
  }
}
