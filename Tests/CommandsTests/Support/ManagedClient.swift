import CoreTestSupport

@testable import Commands

/// A client whose registration can be read and changed at the server.
enum ManagedClient {
  static let url = "https://id.test/register/app"

  /// The program with that client registered; the server returns `answer` for it.
  static func program(_ answer: FakeTransport.Response) async throws -> TestProgram {
    let program = try TestProgram([:])
    try await program.register(
      isConfidential: true,
      [
        "client_name": "here", "registration_client_uri": .string(url),
        "registration_access_token": "rat-1",
      ])
    program.transport.respond(url, answer)
    return program
  }
}
