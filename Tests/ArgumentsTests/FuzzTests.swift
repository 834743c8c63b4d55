import Arguments
import Testing

@Suite struct FuzzTests {
  static let alphabet: [[UInt8]] =
    [
      "-", "--", "-p", "--json=", "-Hvx", "pin", "add", "token", "--help", "", "exec", "--=",
    ].map { Array($0.utf8) } + [[0xff], [0x2d, 0xc3], Array("--profile=é".utf8)]

  @Test func everyShortCommandLineHasAnOutcome() {
    var count = 0
    var lines: [[[UInt8]]] = [[]]
    for _ in 0..<4 {
      lines = lines.flatMap { line in Self.alphabet.map { line + [$0] } }
      for line in lines {
        count += 1
        if case .usage(let error) = Demo.table.read(line).outcome {
          if error.message.isEmpty || error.hint.isEmpty { Issue.record("\(line)") }
        }
      }
    }
    #expect(count == 15 + 225 + 3375 + 50625)
  }
}
