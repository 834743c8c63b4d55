import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("identity import")
struct IdentityImportTests {
  @Test("warns if a token is bound to the certificate that it replaces")
  func boundToken() async throws {
    let program = try await TestProgram.withIdentities([("api.test", try IdentityFixture())])
    let thumbprint = try program.identity("api.test").chain.thumbprint
    let claims = #"{"cnf":{"x5t#S256":"\#(thumbprint)"}}"#
    func part(_ text: String) -> String { Base64.encode(Array(text.utf8), alphabet: .url) }
    try await program.store("\(part(#"{"alg":"ES256"}"#)).\(part(claims)).AAAA")
    let file = try program.folder.write(try IdentityFixture().pem, to: "b.pem")
    let run = try await program.run("-q", "identity", "import", file, "--replace")
    expect(
      run, .success,
      errors: """
        sdkctl: warning: the access token of the slot user is bound to the former certificate
        sdkctl: hint: sdkctl -p work login

        """)
  }
}
