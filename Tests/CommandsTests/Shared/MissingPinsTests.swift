import CoreTestSupport

@testable import Commands
@testable import SDKCore

/// Commands that ask a person for something, and will contact a host that has no pins.
@Suite("A host without pins")
struct MissingPinsTests {
  static let lines: [(words: String, host: String)] = [
    ("login password alice", "token.test"),
    ("register --auth-method tls_client_auth --identity sealed", "register.test"),
    ("register --initial-access-token-file -", "register.test"),
    ("login form", "form.test"), ("fido login", "fido.test"), ("fido register", "fido.test"),
    ("fido deregister --yes", "fido.test"), ("fido target add laptop", "fido.test"),
    ("fido target list", "fido.test"), ("identity obtain --seal", "est.test"),
    ("identity renew obtained", "est.test"),
  ]

  @Test("is named before anybody is asked for anything", arguments: lines)
  func named(words: String, host: String) async throws {
    let program = try TestProgram([
      "passwordGrant": true, "form.url": "https://form.test/login", "fido.url": "https://fido.test",
      "identity.obtain": "est", "identity.url": "https://est.test", "identity.user": "alice",
    ])
    program.transport.respond(
      FakeServer.metadataURL,
      .json(
        FakeServer.metadata
          .replacing("https://id.test/token", with: "https://token.test/token")
          .replacing("https://id.test/register", with: "https://register.test/register")))
    try await seal("sealed", by: .imported, program)
    try await seal("obtained", by: .obtained(by: "est"), program)
    if !words.hasPrefix("register --") {
      try await program.register()
    }
    program.transport.unpin(host)
    program.terminal.connect(.input, .errors)
    program.terminal.onPrompt { _ in "secret" }
    let run = try await program.run(words.split(separator: " ").map(String.init), input: "token\n")
    #expect(run.status == .status(.pin), "\(run.errors)")
    #expect(run.errors.contains("no key is pinned for \(host)"))
    #expect(program.terminal.prompts.isEmpty)
    #expect(!program.transport.lines.contains { $0.contains(host) })
  }

  /// Stores an identity whose key is sealed under a passphrase.
  private func seal(
    _ name: String, by origin: Identity.Origin, _ program: TestProgram
  ) async throws {
    var identity = try TestIdentity.make(name, hosts: ["api.test"], origin: origin)
    identity.key = try await identity.key.sealed(with: Array("secret".utf8))
    try await program.identities.save(identity)
  }
}
