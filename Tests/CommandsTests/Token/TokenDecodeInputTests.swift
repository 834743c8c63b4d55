import CoreTestSupport

@testable import Commands

@Suite("token decode, from other forms")
struct TokenDecodeInputTests {
  @Test("finds each token of an HTTP archive once, with the path of its first place")
  func archive() async throws {
    let program = try TestProgram([:])
    let (one, two) = (TestToken.text(#"{"sub":"alice"}"#), TestToken.text(#"{"sub":"bob"}"#))
    let entry: JSON = [
      "request": ["headers": [["name": "Authorization", "value": .string("Bearer \(one)")]]],
      "response": ["content": ["text": .string(#"{"id_token":"\#(two)","refresh_token":"r"}"#)]],
    ]
    let archive: JSON = ["log": ["entries": [entry, entry], "version": "1.2"]]
    for text in [archive.serialized(.pretty), archive.serialized()] {
      let run = try await program.run("token", "decode", "-", input: text)
      #expect(run.status == .status(.success), "\(run)")
      let titles = run.output.split(separator: "\n").filter { $0.hasPrefix("token ") }
      #expect(
        titles == [
          "token 1: log.entries.0.request.headers.0.value, and 1 other place",
          "token 2: log.entries.0.response.content.text, and 1 other place",
        ])
      let json = try await program.run("token", "decode", "--json", "-", input: text)
      let lines = try json.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
      #expect(lines.map { $0["payload"]?["sub"] } == ["alice", "bob"])
      #expect(lines[1]["name"] == "log.entries.0.response.content.text")
    }
    let large: JSON = ["a": .string(String(repeating: "x", count: 2 << 20)), "t": .string(one)]
    let run = try await program.run(
      "token", "decode", "--field", "sub", "-", input: large.serialized())
    expect(run, .success, output: "alice\n")
  }

  @Test(
    "a command that takes one token says that it is too long, or that there is none",
    arguments: ["lint", "test", "diff"])
  func oneToken(verb: String) async throws {
    let program = try TestProgram([:])
    let other = try program.folder.write(TestToken.text("{}"), to: "other")
    let words = ["token", verb, "-"] + (verb == "diff" ? [other] : [])
    let long = try await program.run(words, input: String(repeating: "a", count: 3 << 20))
    #expect(long.status == .status(.failure))
    #expect(long.errors.contains("the token has more than 1048576 bytes"), "\(long)")
    let empty = try await program.run(words, input: " \n")
    #expect(empty.status == .status(.failure))
    #expect(empty.errors.contains("the input is empty"), "\(empty)")
    let two = try await program.run(words, input: "a.b.c\na.b.d\n")
    #expect(two.status == .status(.usage))
    #expect(two.errors.contains("the input has more than one"), "\(two)")
  }
}
