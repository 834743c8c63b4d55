import CoreTestSupport

/// A file of scripts: states, command lines, and what came out of them.
///
/// Tests/README.md describes the form.
struct ScriptFile {
  /// What is wrong with a file of scripts.
  struct Fault: Error, CustomStringConvertible {
    let line: Int
    let reason: String

    var description: String { "line \(line): \(reason)" }
  }

  /// The marks of the lines that a run writes.
  private static let marks: Set<Character> = ["?", "@", ">", "|", "!", "=", "\\"]

  private let lines: [String]
  private var position = 0
  private var written: [String] = []
  private var player: ScriptPlayer?

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Runs all scripts, and returns the file as it would be with what came out of them now.
  static func played(_ text: String) async throws -> String {
    var file = ScriptFile(text)
    try await file.play()
    return file.written.joined(separator: "\n")
  }

  private mutating func play() async throws {
    while position < lines.count {
      let line = lines[position]
      position += 1
      written.append(line)
      do {
        try await take(line)
      } catch let fault as Fault {
        throw fault
      } catch {
        throw Fault(line: position, reason: "\(error)")
      }
    }
  }

  private mutating func take(_ line: String) async throws {
    if line.isEmpty || line.hasPrefix("#") { return }
    if line.hasPrefix("== ") {
      player = ScriptPlayer()
      return
    }
    guard let player else { throw Fault(line: position, reason: "no '== TITLE' before it") }
    let number = position
    guard let words = ShellWord.split(player.expanded(line)), let verb = words.first else {
      throw Fault(line: number, reason: "cannot be split into words")
    }
    guard verb == "$" else {
      let block = following { $0 == ":" || $0.hasPrefix(": ") || $0 == "\\" }
      written += block
      return try await player.prepare(verb, Array(words.dropFirst()), player.text(of: block))
    }
    let expected = following { $0.first.map(Self.marks.contains) == true && !$0.hasPrefix("==") }
    written += Self.merged(try await player.run(Array(words.dropFirst())), expected)
  }

  /// Takes the next lines that are of this kind.
  private mutating func following(_ isTaken: (String) -> Bool) -> [String] {
    let block = lines[position...].prefix(while: isTaken)
    position += block.count
    return Array(block)
  }

  /// The lines of a run, with the expected ones in place of those that they match: `[..]` is any text.
  private static func merged(_ lines: [String], _ expected: [String]) -> [String] {
    var rest = expected[...]
    return lines.map { line in
      guard let index = rest.firstIndex(where: { matches(line, $0) }) else { return line }
      rest = rest[(index + 1)...]
      return expected[index]
    }
  }

  private static func matches(_ line: String, _ pattern: String) -> Bool {
    guard pattern.contains("[..]") else { return line == pattern }
    let parts = pattern.split(separator: "[..]", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, line.hasPrefix(first) else {
      return false
    }
    var rest = line.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
