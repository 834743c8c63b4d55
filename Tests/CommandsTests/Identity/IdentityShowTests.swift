import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("identity show")
struct IdentityShowTests {
  @Test("prints all but the key, also as JSON and PEM")
  func show() async throws {
    let program = try await TestProgram.withConditions()
    let text = try await program.run("identity", "show", "good")
    #expect(text.status == .status(.success))
    let identity = try program.identity("good")
    for part in [
      "name:       good\n", "subject:    CN=good\n", "keyType:    EC P-256\n",
      "keyPlace:   file\n", "expires:    2027-02-14T08:00:00Z, in 30 days\n",
      "condition:  good\n", "x5t#S256:   \(identity.chain.thumbprint)\n",
      "origin:     import\n",
    ] { #expect(text.output.contains(part), "\(part)") }
    let json = try await program.run("identity", "show", "good", "--json")
    #expect(json.json?["condition"] == "good")
    #expect(json.json?["x5t#S256"] == .string(identity.chain.thumbprint))
    #expect(json.json?["chain"]?.array?.count == 1)
    let pem = try await program.run("identity", "show", "good", "--pem")
    expect(pem, .success, output: identity.chain.pem)
    #expect(!(text.output + json.output).contains("PRIVATE"))
  }
}
