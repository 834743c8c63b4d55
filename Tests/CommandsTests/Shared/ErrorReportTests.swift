import CoreTestSupport

@testable import Commands

@Suite("Error reports")
struct ErrorReportTests {
  private static var full: Failure {
    var failure = Failure(
      .notAuthenticated, "could not do it: \u{1b}[2Jno\n",
      hints: ["sdkctl login", "sdkctl \u{9b}x"])
    failure.details = ["one", "two\u{7}"]
    failure.resource = .userNotAuthenticated
    return failure
  }

  @Test("are lines for people, in which nothing acts on the terminal")
  func lines() {
    #expect(
      report(Self.full) == """
        sdkctl: error: could not do it: \\u{1B}[2Jno\\n
          one
          two\\u{07}
        sdkctl: hint: sdkctl login
        sdkctl: hint: sdkctl \\u{009B}x

        """)
    #expect(report(Failure(.failed, "m")) == "sdkctl: error: m\n")
  }

  @Test(
    "have colours when these are wanted",
    arguments: [
      (ColorChoice.always, false, true), (.always, true, true), (.never, true, false),
      (.auto, false, false),
    ])
  func colours(color: ColorChoice, isTerminal: Bool, isColoured: Bool) {
    var globals = Globals()
    globals.color = color
    let text = report(Failure(.failed, "m"), globals, isTerminal: isTerminal)
    let label = isColoured ? "\u{1b}[1;31merror:\u{1b}[0m" : "error:"
    #expect(text == "sdkctl: \(label) m\n")
  }

  @Test("are one object with every documented key when JSON is wanted")
  func json() throws {
    var globals = Globals()
    globals.json = true
    let text = report(Self.full, globals)
    #expect(text.hasSuffix("}\n"))
    #expect(text.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 })
    #expect(text.split(separator: "\n").count == 1)
    let expected: JSON = [
      "error": [
        "code": "not_authenticated", "exit": 4, "message": "could not do it: \u{1b}[2Jno\n",
        "retryable": false, "hint": "sdkctl login", "domain": "user", "number": 9010,
        "details": ["one", "two\u{7}"],
      ]
    ]
    #expect(try JSON(parsing: text) == expected)
    let bare: JSON = [
      "error": [
        "code": "network", "exit": 6, "message": "m", "retryable": true, "hint": .null,
        "domain": "generic", "number": 10000,
      ]
    ]
    #expect(try JSON(parsing: report(Failure(.network, "m"), globals)) == bare)
  }

  private func report(
    _ failure: Failure, _ globals: Globals = Globals(), isTerminal: Bool = false
  ) -> String {
    Warnings(
      errors: Output(descriptor: -1, capacity: 0), isJSON: globals.hasJSONErrors,
      isColoured: globals.color.isWanted(onTerminal: isTerminal, Environment())
    ).text(of: failure)
  }
}
