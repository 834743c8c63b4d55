import HTTP
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("fetch --batch --write-out")
struct BatchFormatTests {
  private static let base = "https://api.test/v1"

  private static func program() throws -> TestProgram {
    let program = try TestProgram.loggedIn([:])
    program.transport.respond("\(base)/a", .json(#""a""#))
    program.transport.respond("\(base)/missing", .status(404, "nothing"))
    program.transport.respond("\(base)/lost", .failure(.connection, "broken"))
    return program
  }

  @Test("writes the text for each line in place of objects, and tells failures on standard error")
  func text() async throws {
    let run = try await Self.program().run(
      "fetch", "--batch", "-", "--parallel", "1", "-w",
      #"%{urlnum} %{id} %{method} %{http_code} %{exitcode} %{url.path}%{onerror} failed\n"#,
      input: """
        {"path":"/a","id":"x"}
        {"path":"/missing","method":"delete","id":{"n":1}}
        {"path":"/lost"}
        """)
    #expect(run.status == .status(.failure))
    // Nothing ends the lines of successes: the rest of the format is for failures.
    #expect(
      run.output == """
        0 x GET 200 0 /v1/a1 {"n":1} DELETE 404 12 /v1/missing failed
        2  GET 000 6 /v1/lost failed

        """)
    for text in ["line 2: could not fetch", "line 3: could not fetch"] {
      #expect(run.errors.contains("sdkctl: \(text)"), "\(text)")
    }
    // A line that is no request is told when it is read, perhaps before those that still run.
    let refused = try await Self.program().run(
      "fetch", "--batch", "-", "-w", #"%{urlnum} %{id} %{method} %{http_code} %{exitcode}\n"#,
      input: #"{"what":1}"#)
    #expect(refused.output == "0   000 2\n")
    #expect(refused.errors.contains("sdkctl: line 1: could not read"))
  }

  @Test("stops when a file of the format cannot be written, as without a format")
  func unwritable() async throws {
    let program = try Self.program()
    for place in ["/dev/full", ">>\(program.folder.path)/none/file"] {
      program.transport.forget()
      let run = try await program.run(
        "fetch", "--batch", "-", "--parallel", "1", "-w", "%output{\(place)}%{http_code}",
        input: String(repeating: "{\"path\":\"/a\"}\n", count: 50))
      #expect(run.status == .status(.failure))
      let path = place.hasPrefix(">>") ? String(place.dropFirst(2)) : place
      #expect(run.errors.hasPrefix("sdkctl: error: could not write the file \(path): "))
      #expect(program.transport.sent.count < 5)
    }
  }

  @Test("drops bodies, except for those that a line writes to a file")
  func bodies() async throws {
    let program = try Self.program()
    let file = program.folder.file("out")
    let run = try await program.run(
      "fetch", "--batch", "-", "-w", #"%{filename_effective}\n"#,
      input: "{\"path\":\"/a\",\"output\":\"\(file)\"}\n{\"path\":\"/a\"}\n")
    #expect(run.status == .status(.success))
    #expect(Set(run.output.split(separator: "\n").map(String.init)) == [file])
    #expect(try program.folder.text(of: "out") == #""a""#)
  }

  @Test("a format that is not valid is refused before any request")
  func refused() async throws {
    let program = try Self.program()
    let run = try await program.run(
      "fetch", "--batch", "-", "-w", "%{nothing}", input: #"{"path":"/a"}"#)
    #expect(run.status == .status(.usage))
    #expect(program.transport.sent.isEmpty)
  }
}
