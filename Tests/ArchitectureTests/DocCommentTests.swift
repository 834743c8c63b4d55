import Testing

/// The library is for programs of others: its public interface is documented where it is declared.
@Suite("Public declarations of the library")
struct DocCommentTests {
  @Test("have a comment, which names the errors of what throws", arguments: files)
  func documented(file: Tree.File) {
    for index in file.lines.indices where Self.isPublic(file.lines[index]) {
      let comment = Self.comment(above: index, in: file.lines)
      #expect(!comment.isEmpty, "\(file):\(index + 1)")
      guard Self.throwsErrors(Self.signature(at: index, in: file.lines)) else { continue }
      let namesErrors = comment.contains { $0.hasPrefix("/// - Throws: ") }
      #expect(namesErrors, "\(file):\(index + 1) has no `- Throws:`")
    }
  }

  @Test("are found")
  func found() {
    let lines = [
      "  /// A.", "  ///", "  /// - Throws: b.", "  @discardableResult",
      "  public func a(", "    _ b: Int", "  ) async throws(E) -> Int {", "  }",
      "  public init(_ c: () throws(E) -> Int) {", "  func d() throws(E) {}",
      "public extension X {", "  throw E(\"a public suffix\")",
    ]
    #expect(lines.indices.filter { Self.isPublic(lines[$0]) } == [4, 8])
    #expect(Self.comment(above: 4, in: lines) == ["/// A.", "///", "/// - Throws: b."])
    #expect(Self.comment(above: 8, in: lines) == [])
    #expect(Self.throwsErrors(Self.signature(at: 4, in: lines)))
    #expect(!Self.throwsErrors(Self.signature(at: 8, in: lines)))
    #expect(Self.files.count > 50)
  }

  private static let files = Tree.sources.filter { $0.module == "SDKCore" }

  private static func isPublic(_ line: String) -> Bool {
    let words = line.prefix { $0 != "\"" }.split(separator: " ")
    return words.contains("public") && !words.contains("import") && !words.contains("extension")
      && !line.drop { $0 == " " }.hasPrefix("//")
  }

  /// The lines of the documentation comment of a declaration, attributes aside.
  private static func comment(above index: Int, in lines: [String]) -> [String] {
    let above = lines[..<index].reversed().map { String($0.drop { $0 == " " }) }
    return above.drop { $0.hasPrefix("@") }.prefix { $0.hasPrefix("///") }.reversed()
  }

  /// The declaration up to its body.
  private static func signature(at index: Int, in lines: [String]) -> String {
    let isCalled = lines[index].contains("func ") || lines[index].contains("init")
    guard isCalled else { return lines[index] }
    let rest = lines[index...].prefix(20).joined(separator: " ")
    return String(rest.prefix { $0 != "{" })
  }

  /// Whether the function throws, and not only a closure among its parameters.
  private static func throwsErrors(_ signature: String) -> Bool {
    guard let end = signature.lastIndex(of: ")"), !signature.contains("typealias ") else {
      return false
    }
    var depth = 0
    for index in signature.indices {
      if signature[index] == "(" { depth += 1 }
      if signature[index] == ")" { depth -= 1 }
      if depth == 0, index <= end, signature[index...].hasPrefix(" throws(") { return true }
    }
    return false
  }
}
