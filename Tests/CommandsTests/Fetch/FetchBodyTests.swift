import TestSupport

@testable import Commands

@Suite("Bodies of fetch")
struct FetchBodyTests {
  @Test("of a pipe that is silent at the time limit end, and are not waited for")
  func deadline() async throws {
    let pipe = try WakePipe()
    let body = try BodySource.body(
      of: "@/proc/self/fd/\(pipe.descriptor)", Input(descriptor: -1), deadline: .now)
    guard case .stream(let source, length: nil) = body else { throw Unmet("a pipe has no length") }
    // What would be waited for.
    let late = Task.detached {
      try await Task.sleep(for: .seconds(20))
      pipe.signal()
    }
    var bytes: [UInt8] = [0, 0]
    let count = bytes.withUnsafeMutableBytes { source.read(into: $0) }
    #expect(count == nil)
    late.cancel()
  }

  @Test(
    "leave the file of a line of a batch as it is if they are not what was asked for",
    arguments: [(304, false), (404, true)])
  func keptFile(status: Int, keepsFileOnError: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("old", to: "out")
    let file = BodyWriter(path: path, keepsFileOnError: keepsFileOnError)
    #expect(file.begin(HTTPResponse(status: status, url: try HTTPURL("https://api.test/"))))
    let body = [UInt8](repeating: 0x78, count: 1 << 16)
    for _ in 0..<2 {
      let isWritten = body.withUnsafeBytes { file.write($0) }
      #expect(isWritten)
    }
    try file.finish()
    #expect(try folder.text(of: "out") == "old")
    #expect(file.kept == (status == 304 ? [] : body))
  }
}
