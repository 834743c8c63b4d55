import CoreTestSupport

@testable import Commands

@Suite("token --watch after failures")
struct TokenWatchTests {
  private static func later(_ status: Int, after seconds: Int) -> FakeTransport.Response {
    var response = FakeTransport.Response.status(status)
    response.fields = [HTTPField(known: "Retry-After", String(seconds))]
    return response
  }

  /// What passes without a person: a busy server, the login page of a network, a broken network.
  private static let passing: [FakeTransport.Response] = [
    .status(429), .status(408), .status(425), .status(503),
    .json(#"{"error":"temporarily_unavailable"}"#, status: 400),
    .other(200, "text/html", "<p>Welcome"), .redirect(302, to: "https://portal.test/"),
    .other(403, "text/html", "<p>Welcome"), .other(200, "application/json", #"{"access_token":"a"#),
    .failure(.tls, "the certificate's issuer is not trusted"), .failure(.connection, "refused"),
    .failure(.proxy, "the proxy p.test:1 of https_proxy could not be reached"),
    .failure(.timeout, "late"),
  ]

  @Test("goes on after all that may pass, with pauses that grow to five minutes, and ends at a pin")
  func passing() async throws {
    let program = try await TestProgram.loggedIn([:], lifetime: -10)
    let times = Mutex<[Timestamp]>([])
    let responses =
      Self.passing + [
        Self.later(429, after: 900), .failure(.pinMismatch, "no key of the chain is pinned"),
      ]
    program.transport.respond(
      FakeServer.tokenURL,
      responses.map { response in
        var response = response
        response.effect = { times.withLock { $0.append(program.now) } }
        return response
      })
    let run = try await program.run("token", "--output", program.folder.file("t"), "--watch")
    #expect(run.status == .status(.pin), "\(run)")
    let sent = times.withLock { $0 }
    try #require(sent.count == responses.count, "\(run)")
    let pauses = zip(sent, sent.dropFirst()).map { $1.seconds(since: $0) }
    for (failures, pause) in pauses.dropLast().enumerated() {
      let longest = min(Int64(1) << Int64(failures), 300)
      #expect((max(1, longest / 2)...longest).contains(pause), "\(pauses)")
    }
    // What the server asks for is obeyed, also if it is longer.
    #expect(pauses.last == 900)
    let notes = run.errors.split(separator: "\n").filter { $0.contains("trying again in") }
    #expect(notes.count == responses.count - 1)
  }

  @Test("ends if a person is needed, with the command that helps")
  func person() async throws {
    for error in ["interaction_required", "login_required", "invalid_grant"] {
      let program = try await TestProgram.loggedIn([:], lifetime: -10)
      program.transport.respond(
        FakeServer.tokenURL, [.status(429), .json(#"{"error":"\#(error)"}"#, status: 400)])
      let run = try await program.run("token", "--output", program.folder.file("t"), "--watch")
      #expect(run.status == .status(.authenticationRequired))
      #expect(run.errors.hasSuffix("sdkctl: hint: sdkctl -p work login\n"), "\(run.errors)")
    }
  }
}
