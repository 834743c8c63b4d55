import CoreTestSupport

@testable import SDKCore

@Suite("Profile name")
struct ProfileNameTests {
  @Test(
    "takes letters, digits, dots, hyphens and underscores",
    arguments: ["a", "Work-2.0_x", "0", "_", "a.b", "a..", String(repeating: "x", count: 64)])
  func good(text: String) throws {
    #expect(try ProfileName(text).description == text)
  }

  @Test(
    "refuses what could be a path, an option or a hidden file",
    arguments: [
      "", ".", "..", ".a", "-a", "a/b", "../a", "a b", "a\n", "ü", "a\u{0}",
      String(repeating: "x", count: 65),
    ])
  func bad(text: String) async {
    await expect(
      .invalidConfiguration,
      "could not use the profile name: it must be 1 to 64 of A-Z a-z 0-9 . _ - "
        + "and start with neither '.' nor '-'"
    ) { _ = try ProfileName(text) }
  }

  @Test("is ordered by its letters")
  func order() throws {
    let names = try ["b", "a", "B", "a.b"].map { try ProfileName($0) }
    #expect(names.sorted().map(\.description) == ["B", "a", "a.b", "b"])
  }
}
