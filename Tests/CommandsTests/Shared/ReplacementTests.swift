import TestSupport

@testable import Arguments
@testable import Commands

@Suite("The hints of words that do not exist")
struct ReplacementTests {
  @Test("name commands that exist")
  func existing() throws {
    let catalog = commandTable.catalog
    for word in ["whoami", "ls", "alias", "cert", "signup", "inspect"] {
      let advice = try #require(catalog.advice([word]))
      let words = advice.split(separator: "`")[1].split(separator: " ").map(String.init)
      let found = catalog.help(Array(words.prefix(2)), .short) ?? catalog.help([words[0]], .short)
      #expect(found != nil, "\(advice)")
    }
  }
}
