import TestSupport

@testable import Arguments

/// Rows and rules that the demo has no use for.
@Suite struct RowTests {
  struct Values: Sendable, Equatable {
    var issuer: String?
    var first = ""
    var middle: [Int] = []
    var last = ""
    var rest: [String] = []
  }

  static let options: [Option<Values>] = [.value("issuer", "URL", \.issuer, "Use this issuer")]

  static let table = Table<Values, Demo.Diary>(
    program: Program(name: "demo", version: "1", summary: "Demo", description: "Demo."),
    defaults: Values(), globals: options, commands: [.command("show", PinShow.self)])

  @Test(
    "operands are assigned from left to right, required ones first",
    arguments: [
      (["a", "z"], Values(first: "a", last: "z")),
      (["a", "1", "z"], Values(first: "a", middle: [1], last: "z")),
      (["a", "1", "2", "z"], Values(first: "a", middle: [1, 2], last: "z")),
    ])
  func handsOut(words: [String], expected: Values) throws {
    let operands: [Operand<Values>] = [
      .one("FIRST", \.first, "First"), .any("NUMBER", \.middle, "Middle"),
      .one("LAST", \.last, "Last"),
    ]
    var values = Values()
    try ArgumentDecoder.apply(words, operands, to: &values)
    #expect(values == expected)
  }

  @Test(
    "an operand is neither required nor allowed with the option that replaces it",
    arguments: [
      (["--batch", "f"], "f", "", nil), (["a"], nil, "a", nil),
      (["--batch", "f", "a"], nil, "", "unexpected operand 'a' with '--batch'"),
      ([], nil, "", "operand PATH is missing"),
    ] as [([String], String?, String, String?)])
  func replaced(words: [String], batch: String?, path: String, problem: String?) {
    let parsed = Result { () throws(UsageError) in
      let isBatch = words.first == "--batch"
      return try ArgumentDecoder.arguments(
        of: Replaced.self,
        isBatch ? [Assignment(option: 0, spelling: "--batch", setting: .text(words[1]))] : [],
        isBatch ? Array(words.dropFirst(2)) : words
      ).arguments
    }
    switch parsed {
    case .success(let values):
      #expect(values == Replaced.Arguments(batch: batch, path: path))
      #expect(problem == nil)
    case .failure(let error): #expect(error.message == problem)
    }
  }

  enum Replaced: Command {
    struct Arguments: CommandArguments, Equatable {
      var batch: String?
      var path = ""
    }
    static let page = CommandInfo(name: "x", summary: "X", description: "X.")
    static let options: [Option<Arguments>] = [.value("batch", "FILE", \.batch, "Batch")]
    static let operands: [Operand<Arguments>] = [
      .one("PATH", \.path, "The path").replaced(by: "batch")
    ]
    static func run(_ arguments: Arguments, in context: Demo) async throws {}
  }

  @Test(
    "an operand that is missing is named",
    arguments: [([], "FIRST"), (["a"], "LAST")])
  func misses(words: [String], name: String) {
    let operands: [Operand<Values>] = [
      .one("FIRST", \.first, "First"), .optional("ISSUER", \.issuer, "Middle"),
      .one("LAST", \.last, "Last"),
    ]
    #expect(throws: UsageError("operand \(name) is missing")) {
      var values = Values()
      try ArgumentDecoder.apply(words, operands, to: &values)
    }
  }

  @Test("an empty value is refused unless the row takes it", arguments: ["", " ", "\t\r\n"])
  func empty(text: String) throws {
    let option = Option<Values>.value("issuer", "URL", \.issuer, "Use this issuer")
    let operand = Operand<Values>.one("FIRST", \.first, "First")
    let given = [Assignment(option: 0, spelling: "--issuer", setting: .text(text))]
    var values = Values()
    #expect {
      try ArgumentDecoder.apply(given, [option], to: &values)
    } throws: {
      ($0 as? UsageError)?.message.hasSuffix(" for '--issuer': it is empty") == true
    }
    #expect {
      try ArgumentDecoder.apply([text], [operand], to: &values)
    } throws: {
      ($0 as? UsageError)?.message.hasSuffix(": it is empty") == true
    }
    #expect(values == Values())
    try ArgumentDecoder.apply(given, [option.allowingEmpty()], to: &values)
    try ArgumentDecoder.apply([text], [operand.allowingEmpty()], to: &values)
    #expect(values == Values(issuer: text, first: text))
    let command: [Operand<Values>] = [.verbatim("COMMAND", \.rest, "The command")]
    try ArgumentDecoder.apply(["x", text], command, to: &values)
    #expect(values.rest == ["x", text])
  }

  @Test func anOperandIsReadByItsType() {
    #expect(throws: UsageError("invalid NUMBER 'x': not a whole number")) {
      var values = Values()
      let operands: [Operand<Values>] = [.some("NUMBER", \.middle, "Numbers")]
      try ArgumentDecoder.apply(["1", "x"], operands, to: &values)
    }
  }

  @Test(
    "operands that cannot be told apart are a problem",
    arguments: [
      ([.any, .some], "x: two operands take many words"),
      (
        [.optional, .verbatim],
        "x: only single operands may stand before a verbatim one, none after"
      ),
      ([.verbatim, .one], "x: only single operands may stand before a verbatim one, none after"),
      ([.one, .verbatim], nil), ([.one, .any, .one], nil), ([.optional, .one], nil),
    ] as [([OperandDoc.Arity], String?)])
  func toldApart(arities: [OperandDoc.Arity], problem: String?) {
    let page = CommandInfo(name: "x", summary: "X", description: "X.")
    let operands = arities.map { OperandDoc(name: "W", arity: $0, summary: "Word") }
    let command = CommandCatalog.CommandDoc(
      path: ["x"], page: page, options: [], operands: operands)
    let catalog = CommandCatalog(
      program: Self.table.catalog.program, globals: [],
      entries: [CommandCatalog.Entry(name: "x", page: page, command: command, subcommands: [])],
      advice: { _ in nil }, appendix: Appendix())
    #expect(catalog.operandProblems == [problem].compactMap(\.self))
  }
}
