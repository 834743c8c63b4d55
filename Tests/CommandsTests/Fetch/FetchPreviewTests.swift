import CoreTestSupport
import Glibc

@testable import Commands

@Suite("Preview and trace of fetch")
struct FetchPreviewTests {
  @Test("--as-curl reads a file of header fields once: it may be a pipe")
  func curlPipe() async throws {
    let program = try await TestProgram.loggedIn([:])
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let output = Output(descriptor: ends[1])
    output.write("X-Api-Key: k\n")
    try output.flush()
    close(ends[1])
    let path = "/dev/fd/\(ends[0])"
    let run = try await program.run("fetch", "--unauth", "--as-curl", "/x", "-H", "@\(path)")
    #expect(run.output.contains(" --header @\(path) "), "\(run)")
    #expect(run.errors == "")
  }
}
