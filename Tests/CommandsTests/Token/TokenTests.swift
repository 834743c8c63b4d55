import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("token")
struct TokenTests {
  /// A profile with a registered client, and a user whose token lives that long.
  private static func program(
    lifetime: Int64? = 3600, _ settings: [String: JSON] = [:], refreshToken: String? = "refresh-1"
  ) async throws -> TestProgram {
    try await .loggedIn(settings, lifetime: lifetime, refreshToken: refreshToken)
  }

  @Test(
    "refreshes one that does not, or in any case with --fresh",
    arguments: [(3600, ["--fresh"]), (29, []), (3600, ["--min-ttl", "3601"])]
      as [(Int64, [String])])
  func refreshes(lifetime: Int64, words: [String]) async throws {
    let program = try await Self.program(lifetime: lifetime)
    let run = try await program.run(["token"] + words)
    #expect(run.status == .status(.success))
    #expect(run.output == "u2\n")
    #expect(program.transport.lines.last == "POST \(FakeServer.tokenURL)")
    #expect(program.transport.sent.last?.body.contains("refresh_token=refresh-1") == true)
    #expect(try await program.stored()?.accessToken == "u2")
  }

  @Test("says that the server issues tokens that are valid for less than --min-ttl")
  func shortLived() async throws {
    let run = try await Self.program().run("token", "--min-ttl", "7200")
    expect(
      run, .success, output: "u2\n",
      errors: "sdkctl: the server issues tokens that are valid for less than --min-ttl\n")
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let answer: FakeTransport.Response
    let exit: ExitCode
    let isKept: Bool
    var testDescription: String { "\(exit)" }
  }

  @Test(
    "has different exit statuses for a refusal and other errors",
    arguments: [
      Row(
        answer: .json(#"{"error":"invalid_grant"}"#, status: 400), exit: .authenticationRequired,
        isKept: false),
      Row(
        answer: .json(#"{"error":"invalid_scope"}"#, status: 400), exit: .refused, isKept: true),
      Row(answer: .status(503), exit: .network, isKept: true),
      Row(answer: .failure(.timeout, "timed out"), exit: .network, isKept: true),
      Row(answer: .failure(.tls, "no"), exit: .tls, isKept: true),
      Row(answer: .failure(.notPinned, "no pins"), exit: .pin, isKept: true),
      Row(answer: .json("{}"), exit: .failure, isKept: true),
    ])
  func trouble(row: Row) async throws {
    let program = try await Self.program(lifetime: 1)
    program.transport.respond(FakeServer.tokenURL, row.answer)
    let run = try await program.run("token")
    #expect(run.status == .status(row.exit))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sdkctl: error: could not "))
    #expect(!run.errors.contains("refresh-1") && !run.errors.contains("u1"))
    #expect((try await program.stored()?.refreshToken == "refresh-1") == row.isKept)
  }
}
