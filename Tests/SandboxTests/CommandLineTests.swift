import Testing

@testable import Sandbox

@Suite("Arguments are read by the table of commands")
struct CommandLineTests {
  static let verb = Verb(
    name: "try", operands: "NAME", summary: "test",
    options: [.init(name: "loud", summary: ""), .init(name: "port", value: "N", summary: "")],
    count: 0...1
  ) { _ in 0 }

  @Test("options and operands in any order, and nothing is an option after --")
  func reads() throws {
    let arguments = try Arguments(["--port", "1", "-", "--loud"], for: Self.verb)
    #expect(arguments.values == ["port": "1", "loud": ""])
    #expect(arguments.operands == ["-"])
    #expect(!arguments.wantsHelp)
    #expect(try Arguments(["--port=", "--", "--loud"], for: Self.verb).operands == ["--loud"])
    #expect(try Arguments(["a", "b", "-h"], for: Self.verb).wantsHelp)
    #expect(try arguments.number("port", in: 0...9) == 1)
    #expect(try arguments.number("other", in: 0...9) == nil)
  }

  @Test(
    "mistakes name what is wrong",
    arguments: [
      (["--port"], "--port needs a value"), (["--loud=1"], "--loud takes no value"),
      (["--loud", "--loud"], "--loud is given twice"), (["--lou"], "unknown option '--lou'"),
      (["-p"], "unknown option '-p'"), (["a", "b"], "unexpected argument 'b'"),
    ])
  func refuses(words: [String], message: String) {
    let failure = #expect(throws: Failure.self) { try Arguments(words, for: Self.verb) }
    #expect(failure?.message == message)
    #expect(failure?.exit == .usage)
  }

  @Test("a number outside its range is refused", arguments: ["x", "-1", "10", ""])
  func refusesNumbers(text: String) throws {
    let arguments = try Arguments(["--port=\(text)"], for: Self.verb)
    let failure = #expect(throws: Failure.self) { try arguments.number("port", in: 0...9) }
    #expect(failure?.message == "--port takes a number from 0 to 9")
  }

  @Test("every command and option has a short summary and a name of its own")
  func table() {
    #expect(Set(Program.verbs.map(\.name)).count == Program.verbs.count)
    for verb in Program.verbs {
      #expect((1...60).contains(verb.summary.count), "\(verb.name)")
      #expect(Set(verb.options.map(\.name)).count == verb.options.count, "\(verb.name)")
      for option in verb.options {
        #expect((1...60).contains(option.summary.count), "\(verb.name) --\(option.name)")
      }
    }
    for fault in Fault.allCases {
      #expect((1...60).contains(fault.summary.count) && !fault.summary.hasSuffix("."))
    }
  }

  @Test("what a child announces is read back")
  func announcements() {
    let failure = Failure("could not", hint: "try", exit: .network)
    #expect(
      Announcement(#"{"port":1,"mtlsPort":2,"pins":["a"]}"#.utf8.map(\.self))
        == .serving(ServedAddress(port: 1, mutualPort: 2, pins: ["a"], payloadKey: nil)))
    #expect(
      Announcement(#"{"error":"could not","hint":"try","exit":6}"#.utf8.map(\.self))
        == .failed(failure))
    #expect(Announcement([]) == nil)
  }
}
