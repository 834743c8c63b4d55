import Foundation
import Testing

/// The samples of docs/library.md are parts of files that `Examples/` compiles.
@Suite("The samples of the library's guide")
struct SampleTests {
  @Test("are in files that are compiled, but for the two of Package.swift")
  func compiled() throws {
    let samples = Self.samples(in: try #require(Tree.text(of: "docs/library.md")))
    #expect(samples.count > 10)
    let files = Tree.paths(in: "Examples").filter {
      $0.hasSuffix(".swift") && !$0.contains("/.build/")
    }.compactMap { Tree.text(of: $0).map(Self.dense) }
    for sample in samples {
      if sample.contains("import PackageDescription") || sample.hasPrefix(".product(") { continue }
      let isThere = files.contains { $0.contains(Self.dense(sample)) }
      #expect(isThere, "no file of Examples/ has:\n\(sample)")
    }
  }

  @Test("are found")
  func found() {
    #expect(Self.samples(in: "a\n```swift\nlet b = 1\n```\n```sh\nc\n```\n") == ["let b = 1\n"])
    #expect(Self.dense("a  b\n c") == "abc")
  }

  private static func samples(in text: String) -> [String] {
    text.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  /// The text without white space: where a line is broken does not count.
  private static func dense(_ text: String) -> String { text.filter { !$0.isWhitespace } }
}
