import Pinning
import Testing

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
    #expect(lines.first == "HOST         PIN\(blanks)  ROLE    LABEL  PINS END")
    #expect(lines.last == "id.test      \(pin)  leaf    -      \(Self.red)")
    #expect(lines[1] == "**.api.test  \(TestChain.pin("a"))  leaf    -")
  }

  @Test("is cut to the width of the terminal")
  func cut() async throws {
    let program = try await PinListTests.program()
    program.terminal.connect(.output)
    program.terminal.setWidth(20)
    let lines = try await program.run("pin", "list", "--color", "never").output
      .split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.count <= 19 })
    #expect(lines.last == "id.test      sha25…")
  }

  @Test(
    "that is wider than the terminal shows the beginnings of pins, and continues its last column below",
    arguments: [
      (80, ["expired 2027-01-02T00:00:00Z, 13", "days ago"]),
      (61, ["expired", "2027-01-02T00…", "13 days ago"]),
    ])
  func wide(width: Int, pieces: [String]) async throws {
    let program = try await PinListTests.program()
    program.terminal.connect(.output)
    program.terminal.setWidth(width)
    let lines = try await program.run("pin", "list", "--color", "never").output
      .split(separator: "\n").map(String.init)
    let row = "id.test      \(TestChain.pin("c").description.prefix(15))…  leaf    -      "
    let margin = String(repeating: " ", count: row.count)
    #expect(
      Array(lines.suffix(pieces.count))
        == pieces.enumerated().map { ($0.offset == 0 ? row : margin) + $0.element })
  }

  @Test("is lines with tabs for a program, with colours only if they are asked for")
  func tabs() async throws {
    let program = try await PinListTests.program()
    let plain = try await program.run("pin", "list").output
    #expect(plain.hasSuffix("\t-\t\(Self.end)\n") && !plain.contains("HOST"))
    let coloured = try await program.run("pin", "list", "--color", "always").output
    #expect(coloured.hasSuffix("\t-\t\(Self.red)\n"))
  }
}
