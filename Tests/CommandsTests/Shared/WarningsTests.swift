import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("Warnings")
struct WarningsTests {
  @Test("have their details and their hint as members")
  func members() throws {
    let warning = try JSON(parsing: Array(Warnings.json("a", ["b"], "c").utf8))["warning"]
    #expect(warning?["message"]?.string == "a")
    #expect(warning?["details"]?.strings == ["b"])
    #expect(warning?["hint"]?.string == "c")
    var warnings = Warnings(errors: Output(descriptor: -1, capacity: 0), isJSON: false)
    let rest = " a\nsdkctl:   b\nsdkctl: hint: c\n"
    #expect(warnings.lines("a", ["b"], "c") == "sdkctl: warning:" + rest)
    warnings.isColoured = true
    #expect(
      warnings.lines("a", ["b"], "c") == "sdkctl: \u{1b}[1;33mwarning:\u{1b}[0m" + rest)
  }
}
