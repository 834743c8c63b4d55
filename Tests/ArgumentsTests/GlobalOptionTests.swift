import Arguments
import TestSupport

@Suite struct GlobalOptionTests {
  @Test(
    "stand before or after the command",
    arguments: [
      ["-p", "work", "token"], ["--profile=work", "token"], ["token", "-pwork"],
      ["token", "decode", "-p", "work"], ["token", "-p", "work", "decode", "file"],
      ["pin", "--profile", "work", "show", "h"], ["fetch", "/x", "--profile", "work"],
    ])
  func anywhere(words: [String]) throws {
    let reading = Demo.table.read(words)
    #expect(reading.globals == Demo.Globals(profile: "work"))
    guard case .run = reading.outcome else { throw Unmet("\(reading.outcome)") }
  }

  @Test func areCountedAndRepeatedAsTheirRowsSay() {
    let words = ["-vv", "token", "-v", "--json", "--timeout=2m", "--json"]
    let expected = Demo.Globals(json: true, verbosity: 3, timeout: .seconds(120))
    #expect(Demo.table.read(words).globals == expected)
    #expect(
      Demo.usageError(["-pa", "token", "-pb"])?.message
        == "option '--profile' may be given only once")
  }

  @Test(
    "are read as far as possible if the command line is wrong",
    arguments: [
      ["--json", "-v", "token", "--bogus"], ["--bogus", "token", "--json", "-v"],
      ["--timeout", "x", "--json", "token", "-v"], ["token", "x", "--json", "-v"],
    ])
  func surviveErrors(words: [String]) throws {
    let reading = Demo.table.read(words)
    #expect(reading.globals == Demo.Globals(json: true, verbosity: 1))
    guard case .usage = reading.outcome else { throw Unmet("\(reading.outcome)") }
  }
}
