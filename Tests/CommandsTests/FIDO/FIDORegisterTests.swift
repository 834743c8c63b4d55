import CoreTestSupport

@testable import Commands

@Suite("fido register")
struct FIDORegisterTests {
  /// A program whose user is logged in, and its FIDO server.
  static func program(
    _ settings: [String: JSON] = [:]
  ) async throws -> (TestProgram, FakeFIDOServer) {
    let program = try TestProgram(
      settings.merging(["fido.url": .string(FakeFIDOServer.origin), "fido.user": "alice"]) {
        left, _ in left
      })
    try await program.store("a1")
    return (program, FakeFIDOServer(program.transport))
  }

  /// The same with a key whose passcode is 271828.
  static func registered(
    _ settings: [String: JSON] = [:]
  ) async throws -> (TestProgram, FakeFIDOServer) {
    let (program, server) = try await program(settings)
    let run = try await program.run("fido", "register", "--passcode-file", "-", input: "271828\n")
    try #require(run.status == .status(.success), "\(run)")
    return (program, server)
  }

  @Test("tells that the server refuses")
  func refused() async throws {
    let (program, server) = try await Self.program()
    server.rules.registrationVerdict = 1496
    expect(
      try await program.run("fido", "register", "--passcode-file", "-", input: "271828"), .refused,
      errors: "sdkctl: error: could not register a FIDO key: fido.test: the server does not accept "
        + "the attestation (1496)\n")
  }
}
