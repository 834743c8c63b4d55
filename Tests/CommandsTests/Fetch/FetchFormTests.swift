import CoreTestSupport
import Foundation

@testable import Commands

@Suite("fetch --form")
struct FetchFormTests {
  @Test("a body of a pipe has no type by its content, which is not read before it is sent")
  func pipe() async throws {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond("https://api.test/v1/up", .status(201, "ok"))
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(#"{"a":1}"#.utf8))
    try pipe.fileHandleForWriting.close()
    let body = "@/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    let run = try await program.run("fetch", "/up", "-d", body)
    #expect(run.status == .status(.success), "\(run)")
    let sent = try #require(program.transport.sent.last)
    #expect(sent.fields["Content-Type"] == "application/octet-stream")
    #expect(sent.body == #"{"a":1}"#)
    withExtendedLifetime(pipe) {}
  }
}
