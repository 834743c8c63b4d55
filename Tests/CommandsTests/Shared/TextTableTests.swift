import CoreTestSupport

@testable import Commands

@Suite("A table")
struct TextTableTests {
  private static let end = "expired 2027-01-02T00:00:00Z, 13 days ago"
  private static let red = "\u{1b}[31m\(end)\u{1b}[0m"

  @Test("is aligned under headings for a person, with colours")
  func aligned() async throws {
    let program = try await PinListTests.program()
    program.terminal.connect(.output)
    program.setVariable("TERM", "xterm")
    let lines = try await program.run("pin", "list").output.split(separator: "\n")
    let pin = TestChain.pin("c").description
    let blanks = String(repeating: " ", count: pin.count - 3)
    #expect(lines.first == "HOST         PIN\(blanks)  ROLE    PINS END")
    #expect(lines.last == "id.test      \(pin)  leaf    \(Self.red)")
    #expect(lines[1] == "**.api.test  \(TestChain.pin("a"))  leaf    -")
  }

  @Test("is cut to the width of the terminal")
  func cut() async throws {
    let program = try await PinListTests.program()
    program.terminal.connect(.output)
    program.terminal.setWidth(20)
    let lines = try await program.run("pin", "list", "--color", "never").output
      .split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 19 })
    #expect(lines.contains("id.t…  sha2…  leaf"), "\(lines)")
  }

  @Test(
    "that is wider than the terminal shows the beginnings of pins, and continues its last column below",
    arguments: [
      (80, ["expired 2027-01-02T00:00:00Z, 13 days", "ago"]),
      (76, ["expired 2027-01-02T00:00:00Z, 13", "days ago"]),
    ])
  func wide(width: Int, pieces: [String]) async throws {
    let program = try await PinListTests.program()
    program.terminal.connect(.output)
    program.terminal.setWidth(width)
    let lines = try await program.run("pin", "list", "--color", "never").output
      .split(separator: "\n").map(String.init)
    let row = "id.test      \(TestChain.pin("c").description.prefix(15))…  leaf    "
    let margin = String(repeating: " ", count: row.count)
    #expect(
      Array(lines.suffix(pieces.count))
        == pieces.enumerated().map { ($0.offset == 0 ? row : margin) + $0.element })
  }

  @Test("puts its last column below the row if it has too little space")
  func below() async throws {
    let program = try await PinListTests.program()
    program.terminal.connect(.output)
    program.terminal.setWidth(62)
    let lines = try await program.run("pin", "list", "--color", "never").output
      .split(separator: "\n").map(String.init)
    #expect(
      lines.suffix(2) == [
        "id.test      \(TestChain.pin("c").description.prefix(15))…  leaf",
        "    expired 2027-01-02T00:00:00Z, 13 days ago",
      ])
  }

  @Test("is lines with tabs for a program, with colours only if they are asked for")
  func tabs() async throws {
    let program = try await PinListTests.program()
    let plain = try await program.run("pin", "list").output
    #expect(plain.hasSuffix("\t-\t2027-01-02T00:00:00Z\n") && !plain.contains("HOST"))
    let coloured = try await program.run("pin", "list", "--color", "always").output
    #expect(coloured.contains("\u{1b}[") == false)
  }
}
