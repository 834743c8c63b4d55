import Primitives

/// Lists of hosts, which an operand names as `@FILE`; `@-` is standard input.
extension Context {
  /// The words of each line of a list, without comments (`#`); a line without words is left out.
  func lines(ofList file: some StringProtocol) throws -> [(number: Int, words: [String])] {
    let bytes = try read(String(file), "the list of hosts", limit: 1 << 24)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure.usage("could not read the list of hosts: it is not UTF-8")
    }
    return text.split(omittingEmptySubsequences: false) { $0.isNewline }.enumerated()
      .compactMap { index, line in
        let words = line.split { $0 == " " || $0 == "\t" || $0 == "," }.prefix {
          !$0.hasPrefix("#")
        }
        return words.isEmpty ? nil : (index + 1, words.map(String.init))
      }
  }

  /// The words, with those of the list in place of each `@FILE`.
  func expanded(_ words: [String]) throws -> [String] {
    try words.flatMap { word in
      word.hasPrefix("@") ? try lines(ofList: word.dropFirst()).flatMap(\.words) : [word]
    }
  }
}
