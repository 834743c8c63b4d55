import Foundation

/// The tree that this test was built from.
enum Tree {
  static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// A Swift file of the sources.
  struct File: Sendable, CustomStringConvertible {
    /// Its path from the top of the tree.
    let path: String
    let lines: [String]
    /// The lines with comments and the text of literals taken out, each with its number.
    let code: [(number: Int, text: String)]

    init(path: String, lines: [String]) {
      self.path = path
      self.lines = lines
      code = Self.parts(of: lines) { line, isText in isText ? "" : split(line).code }
    }

    var description: String { path }

    /// The second component of the path.
    var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

    /// The text of the literals of each line, with its number.
    var literals: [(number: Int, text: String)] {
      Self.parts(of: lines) { line, isText in isText ? line : split(line).literals }
    }

    /// A part of each line; the closure is told whether the line is text of a long literal.
    private static func parts(
      of lines: [String], _ part: (String, _ isText: Bool) -> String
    ) -> [(number: Int, text: String)] {
      var isText = false
      return lines.enumerated().map { index, line in
        let marks = line.components(separatedBy: "\"\"\"").count - 1
        defer { if marks % 2 == 1 { isText.toggle() } }
        return (index + 1, part(line, isText && marks == 0))
      }
    }
  }

  static func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(path)/\(name)")
  }

  static func text(of name: String) -> String? {
    try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  /// Every path below a folder.
  static func paths(in folder: String) -> [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: "\(path)/\(folder)"))?.sorted()
      .map { "\(folder)/\($0)" } ?? []
  }

  /// The files that are not of the sandbox, which is a counterpart for tests.
  static let product = sources.filter { !["Sandbox", "sdkctl-sandbox"].contains($0.module) }

  /// Every Swift file of the sources.
  static let sources: [File] = paths(in: "Sources").filter { $0.hasSuffix(".swift") }.compactMap {
    path in text(of: path).map { File(path: path, lines: $0.components(separatedBy: "\n")) }
  }
}

/// The line up to its comment: the code with quoted text emptied, and the quoted text.
private func split(_ line: String) -> (code: String, literals: String) {
  var kept = ""
  var quoted = ""
  var isQuoted = false
  var isEscaped = false
  for character in line {
    if isQuoted, isEscaped || character != "\"" { quoted.append(character) }
    if isEscaped {
      isEscaped = false
    } else if isQuoted, character == "\\" {
      isEscaped = true
    } else if character == "\"" {
      isQuoted.toggle()
    } else if !isQuoted {
      kept.append(character)
    }
    if kept.hasSuffix("//") { return (String(kept.dropLast(2)), quoted) }
  }
  return (kept, quoted)
}
