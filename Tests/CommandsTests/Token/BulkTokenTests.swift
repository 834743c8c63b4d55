import CoreTestSupport

@testable import Commands

@Suite("Many tokens")
struct BulkTokenTests {
  private static func token(
    _ key: SigningKey, _ number: Int, _ exp: Int = 1_800_000_300
  ) throws
    -> String
  {
    try key.sign(
      header: ["typ": "JWT"],
      payload: Array(#"{"exp":\#(exp),"iss":"i","sub":"user-\#(number)"}"#.utf8))
  }

  @Test("are verified in the order of the input, and each as it would be alone")
  func verify() async throws {
    let key = try SigningKey.generate(.es256)
    let program = try TestProgram([:])
    let file = try program.folder.write(key.pem, to: "key")
    var lines: [String] = []
    var expected: [String] = []
    for number in 1...1500 {
      switch number % 97 {
      case 13:
        lines.append(try Self.token(key, number, 1))
        expected.append("expired")
      case 31:
        lines.append("x.y.z")
        expected.append("invalid")
      case 53:
        lines.append("  \"Bearer \(try Self.token(key, number))\"\r")
        expected.append("valid")
      default:
        lines.append(try Self.token(key, number))
        expected.append("valid")
      }
    }
    let input = lines.joined(separator: "\n")
    let run = try await program.run("token", "verify", "--json", "--key", file, "-", input: input)
    #expect(run.status == .status(.verification))
    let results = try run.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
    #expect(results.map { $0["line"]?.int ?? 0 } == (1...1500).map(Int64.init))
    #expect(results.map { $0["verdict"]?.string ?? "" } == expected)
    var (first, last) = (results[0].object ?? [:], results[1499].object ?? [:])
    for member in ["line", "claims"] {
      #expect(first[member] != last[member])
      (first[member], last[member]) = (nil, nil)
    }
    #expect(first == last)
    let text = try await program.run("token", "verify", "--key", file, "-", input: input)
    let words = text.output.split(separator: "\n").map { $0.split(separator: ":")[1].dropFirst() }
    #expect(words.map(String.init) == expected)
  }

  @Test("are decoded in the order of the input; one that is not a token is reported in its place")
  func decode() async throws {
    let key = try SigningKey.generate(.es256)
    let program = try TestProgram([:])
    var lines = try (1...2000).map { try Self.token(key, $0) }
    lines[1000] = "opaque"
    let run = try await program.run(
      "token", "decode", "--json", "-", input: lines.joined(separator: "\n") + "\n\n")
    #expect(run.status == .status(.failure))
    let results = try run.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
    let subjects = results.map { $0["payload"]?["sub"]?.string ?? "" }
    #expect(subjects[..<1000] == (1...1000).map { "user-\($0)" }[...])
    #expect(subjects[1001...] == (1002...2000).map { "user-\($0)" }[...])
    #expect(results[1000]["line"] == 1001)
    #expect(results[1000]["error"]?["code"] == "not_a_jwt")
    #expect(run.jsonError?["message"] == "could not decode 1 of 2000 tokens")
  }

  @Test("a line that is too long is an error of its own, and the next one is read")
  func tooLong() async throws {
    let key = try SigningKey.generate(.es256)
    let program = try TestProgram([:])
    let token = try Self.token(key, 1)
    let long = String(repeating: "A", count: 10 << 20)
    let run = try await program.run(
      "token", "decode", "--json", "-", input: "\(token)\n\(long)\n\(token)\n")
    #expect(run.status == .status(.failure))
    let results = try run.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
    #expect(results.count == 3)
    #expect(results[1]["error"]?["message"]?.string?.contains("more than 1048576 bytes") == true)
    #expect(results[1]["line"] == 2)
    #expect(results[2]["payload"]?["sub"] == "user-1")
    let alone = try await program.run("token", "decode", "-", input: long)
    #expect(alone.status == .status(.failure))
  }

  @Test("that fail are named up to the twentieth")
  func causes() {
    var results = TokenResults()
    for line in 1...30 { results.count(.usage("not one"), line: line) }
    let failure = #expect(throws: Failure.self) {
      try results.requireSuccess(to: "decode", .tokensUndecodable, isOne: false, namesLines: true)
    }
    #expect(failure?.details.count == 20)
    #expect(failure?.details.last == "line 20: not one")
  }
}
