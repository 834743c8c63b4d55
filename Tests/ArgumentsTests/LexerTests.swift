import Testing

@testable import Arguments

@Suite struct LexerTests {
  /// Reads with `o` and `opt` as the options that take a value, and shows each lexeme.
  private func lexemes(_ words: [String]) throws -> [String] {
    var lexer = Lexer(words.map { Array($0.utf8) })
    var result: [String] = []
    while let lexeme = try lexer.next() {
      switch lexeme {
      case .short("o"): result.append("o=\(try lexer.value() ?? "nil")")
      case .long("opt"): result.append("opt=\(try lexer.value() ?? "nil")")
      case .short(let letter): result.append("-\(letter)")
      case .long(let name): result.append("--\(name)")
      case .operand(let word): result.append("'\(word)'")
      }
    }
    return result
  }

  @Test(
    "splits as getopt_long does",
    arguments: [
      (["-abc"], ["-a", "-b", "-c"]),
      (["-ovalue"], ["o=value"]),
      (["-o=value"], ["o==value"]),
      (["-o", "value"], ["o=value"]),
      (["-abo", "x", "y"], ["-a", "-b", "o=x", "'y'"]),
      (["-aox"], ["-a", "o=x"]),
      (["-o"], ["o=nil"]),
      (["-o", "-x"], ["o=-x"]),
      (["-o", "--"], ["o=--"]),
      (["-o", ""], ["o="]),
      (["--opt=value"], ["opt=value"]),
      (["--opt=a=b"], ["opt=a=b"]),
      (["--opt="], ["opt="]),
      (["--opt", "value"], ["opt=value"]),
      (["--opt", "--flag"], ["opt=--flag"]),
      (["--opt"], ["opt=nil"]),
      (["--opt=\u{301}x"], ["opt=\u{301}x"]),
      (["-"], ["'-'"]),
      (["", "-", "a"], ["''", "'-'", "'a'"]),
      (["--", "-a", "--opt", "--"], ["'-a'", "'--opt'", "'--'"]),
      (["-a", "--", "-a"], ["-a", "'-a'"]),
      (["---"], ["---"]),
      (["-é"], ["-é"]),
      ([], []),
    ])
  func cuts(words: [String], expected: [String]) throws {
    #expect(try lexemes(words) == expected)
  }

  @Test func anAttachedValueThatNobodyTakesIsAnError() {
    #expect(throws: UsageError("option '--flag' takes no value")) { try lexemes(["--flag=x"]) }
  }

  @Test(
    "bytes that are not UTF-8 are refused by position",
    arguments: [
      (["a", "b\u{ff}"], "argument 2 is not valid UTF-8: 'b\\xff'"),
      (["\u{ff}"], "argument 1 is not valid UTF-8: '\\xff'"),
      (["-o", "\u{c3}(\u{1b}"], "argument 2 is not valid UTF-8: '\\xc3(\\x1b'"),
      (["--opt=\u{80}"], "argument 1 is not valid UTF-8: '--opt=\\x80'"),
    ])
  func refusesInvalidText(latin: [String], message: String) {
    var lexer = Lexer(latin.map { $0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } })
    #expect(throws: UsageError(message)) {
      while let lexeme = try lexer.next() {
        if lexeme == .short("o") { _ = try lexer.value() }
      }
    }
  }

  @Test func whatWasNotReadIsHandedOverAsItIs() throws {
    var lexer = Lexer([Array("a".utf8), [0xff], Array("--".utf8)])
    #expect(try lexer.next() == .operand("a"))
    #expect(lexer.position == 1)
    #expect(lexer.takeRemaining() == [[0xff], Array("--".utf8)])
    #expect(try lexer.next() == nil)
  }
}
