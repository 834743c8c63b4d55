import CoreTestSupport
import Foundation

@testable import Commands

@Suite("token --output")
struct TokenOutputTests {
  private static let refused = FakeTransport.Response.json(
    #"{"error":"invalid_grant"}"#, status: 400)

  private static func token(_ text: String, lifetime: Int = 3600) -> FakeTransport.Response {
    .json(
      #"{"access_token":"\#(text)","token_type":"Bearer","expires_in":\#(lifetime),"refresh_token":"r"}"#
    )
  }

  /// A program that is logged in, and whose refreshes return these responses; a refusal ends them.
  private static func program(
    _ responses: [FakeTransport.Response], lifetime: Int64? = 3600
  ) async throws -> TestProgram {
    let program = try await TestProgram.loggedIn([:], lifetime: lifetime)
    program.transport.respond(FakeServer.tokenURL, responses + [refused])
    return program
  }

  @Test("follows no symbolic link, and fails where the file cannot be written")
  func refusals() async throws {
    let program = try await Self.program([])
    let target = try program.folder.write("old", to: "target")
    let link = program.folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    for path in [link, program.folder.file("none/token"), program.folder.path, "/dev/null"] {
      for words in [["token", "-o", path], ["token", "-o", path, "--watch"]] {
        let run = try await program.run(words)
        #expect(run.status == .status(.failure))
        #expect(run.errors.contains("could not write the file \(path)"), "\(run.errors)")
      }
    }
    #expect(try program.folder.text(of: "target") == "old")
  }

  @Test("--watch renews before the token expires, until only a person can help")
  func watch() async throws {
    let program = try await Self.program([Self.token("u2"), Self.token("u3", lifetime: 100)])
    let log = program.folder.file("log")
    let file = program.folder.file("token")
    let run = try await program.run(
      "token", "--output", file, "--watch", "--on-change",
      "read -r t < \"$SDKCTL_TOKEN_FILE\" || :; echo \"$t\" >> \(log); echo done")
    #expect(run.status == .status(.authenticationRequired))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("done\ndone\ndone\n"), "\(run.errors)")
    #expect(try program.folder.text(of: "log") == "u1\nu2\nu3\n")
    #expect(try program.folder.text(of: "token") == "u3")
    // Each token was valid for at least 30 seconds when it was replaced, the last one for half of its time.
    let elapsed = program.now.seconds(since: TestProgram.now)
    #expect((7020 + 37...7140 + 50).contains(elapsed), "\(elapsed)")
    #expect(program.transport.sent.count { $0.url == FakeServer.tokenURL } == 3)
  }

  @Test("--watch goes on when the file cannot be written for a time")
  func unwritable() async throws {
    let program = try await Self.program([])
    let folder = program.folder
    var blocked = Self.token("u2")
    // The directory goes away with the first renewal, and comes back with the note of its failure.
    blocked.effect = {
      try? FileManager.default.moveItem(atPath: folder.file("d"), toPath: folder.file("e"))
    }
    program.transport.respond(FakeServer.tokenURL, [blocked, Self.refused])
    try FileManager.default.createDirectory(
      atPath: folder.file("d"), withIntermediateDirectories: true)
    program.onPause { pause in
      if FileManager.default.fileExists(atPath: folder.file("e")), pause <= .seconds(1) {
        try? FileManager.default.moveItem(atPath: folder.file("e"), toPath: folder.file("d"))
      }
    }
    let run = try await program.run("token", "-o", folder.file("d/token"), "--watch")
    #expect(run.errors.contains("could not write the file"), "\(run.errors)")
    #expect(run.errors.contains("trying again in 1 s"))
    #expect(try folder.text(of: "d/token") == "u2")
    #expect(run.status == .status(.authenticationRequired))
  }

  @Test("--watch writes the token that another process has stored")
  func otherProcess() async throws {
    let program = try await Self.program([])
    let log = program.folder.file("log")
    program.onPause { _ in
      if program.now == TestProgram.now { try? await program.store("other", lifetime: 100) }
    }
    let run = try await program.run(
      "token", "-o", program.folder.file("token"), "--watch", "--on-change", "echo x >> \(log)")
    #expect(run.status == .status(.authenticationRequired))
    #expect(try program.folder.text(of: "token") == "other")
    #expect(try program.folder.text(of: "log") == "x\nx\n")
    #expect(program.now.seconds(since: TestProgram.now) < 200)
  }

  @Test("--watch does not renew a token that does not expire, and ends when it is gone")
  func endless() async throws {
    let program = try await Self.program([], lifetime: nil)
    program.onPause { _ in
      if program.now.seconds(since: TestProgram.now) > 86_400 {
        _ = try? await program.run("logout", "--local")
      }
    }
    let run = try await program.run("token", "-o", program.folder.file("token"), "--watch")
    #expect(run.status == .status(.authenticationRequired))
    #expect(program.transport.sent.isEmpty)
  }

  @Test("--watch ends without an error if it is cancelled while it asks for a token")
  func cancelled() async throws {
    let program = try await Self.program([])
    let file = TokenFile(path: program.folder.file("token"))
    let context = Context(globals: Globals(), ports: Ports(environment: Environment()))
    var watch = TokenWatch(
      context, file, TokenDemand(),
      obtain: { _, _ in
        withUnsafeCurrentTask { $0?.cancel() }
        throw Failure.usage("cancelled")
      })
    try await Task { try await watch.run() }.value
    #expect(!program.folder.exists("token"))
  }
}
