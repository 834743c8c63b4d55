import Testing

@testable import Arguments

/// What the program offers, whatever the shell makes of it.
@Suite struct CompleterTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let words: [String]
    let candidates: [String]
    let source: Offer.Source
    let lead: String

    var testDescription: String { words.joined(separator: " ") }

    init(_ words: [String], _ candidates: [String], _ source: Offer.Source, lead: String = "") {
      self.words = words
      self.candidates = candidates
      self.source = source
      self.lead = lead
    }
  }

  private static let globals = [
    "-p", "--profile", "--json", "-v", "--verbose", "--timeout", "-h", "--help",
  ]

  @Test(
    "finds what may stand in the place of the last word",
    arguments: [
      Case([""], ["token", "pin", "fetch", "exec"], .externals),
      Case([], ["token", "pin", "fetch", "exec"], .externals),
      Case(["-"], globals + ["--version"], .none),
      Case(["--json", "--"], globals.filter { $0 != "--json" } + ["--version"], .none),
      Case(["--", ""], [], .none),
      Case(["sandbox", "-x", "-"], [], .files),
      Case(["token", ""], ["decode"], .none),
      Case(["token", "-H", ""], ["decode"], .none),
      Case(["token", "--", ""], [], .none),
      Case(["token", "-"], ["--min-ttl", "-H", "--header"] + globals, .none),
      Case(["token", "decode", ""], [], .files),
      Case(["token", "decode", "a", ""], [], .none),
      Case(["token", "decode", "--", "-"], [], .files),
      Case(["token", "nope", ""], [], .none),
      Case(["pin", "nope", ""], [], .none),
      Case(["-vp", ""], [], .values("profiles")),
      Case(["-vpw"], [], .values("profiles"), lead: "-vp"),
      Case(["--profile=é"], [], .values("profiles"), lead: "--profile="),
      Case(["-p", "x", "--"], Array(globals.dropFirst(2)) + ["--version"], .none),
      Case(["pin", "add", "-rl"], ["-rleaf", "-rintermediate", "-rroot"], .none, lead: "-r"),
      Case(["pin", "add", "--yes", "--no"], ["-r", "--role", "--label"] + globals, .none),
      Case(["fetch", "-C", ""], [], .directories),
      Case(["exec", ""], [], .commandLine(2)),
      Case(["-v", "exec", "--", "l"], [], .commandLine(4)),
      Case(["exec", "ls", "-l", "--", "-"], [], .commandLine(2)),
    ])
  func finds(example: Case) {
    let offer = Demo.table.catalog.offer(example.words)
    #expect(offer.candidates.map(\.word) == example.candidates)
    #expect(offer.source == example.source)
    #expect(offer.lead == example.lead)
  }

  @Test("writes the source, and each candidate with its summary")
  func text() {
    #expect(
      Demo.offer(["pin", ""]).text
        == "words\t\nadd\tPin the keys of hosts\nshow\tShow the pins of a host\n")
    #expect(Demo.offer(["fetch", "--output=x"]).text == "files\t--output=\n")
    #expect(Demo.offer(["fetch", "-C", "x"]).text == "directories\t\n")
    #expect(Demo.offer(["exec", "x"]).text == "command\t2\n")
    #expect(
      Demo.offer(["--profile=x"]).text
        == "words\t\n--profile=work\t\n--profile=home\t\n--profile=work-eu\t\n")
  }

  @Test("leaves out what cannot stand on a line of its own")
  func controls() {
    var offer = Demo.table.catalog.offer([""])
    let text = offer.text
    offer.add(["a\nb", "a\tb", "a\u{1b}[31m"])
    #expect(offer.text == text)
  }

  @Test("the operands before the word are known")
  func operands() {
    #expect(Demo.table.catalog.offer(["__set", ""]).operands == [])
    #expect(Demo.table.catalog.offer(["-v", "pin", "show", "-p", ""]).operands == [])
    #expect(
      Demo.table.catalog.offer(["pin", "-p", "x", "add", "a", "--role=leaf", "b", "-p", ""])
        .operands == ["a", "b"])
  }
}
