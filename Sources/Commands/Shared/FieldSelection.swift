import JSON
import Primitives
import Synchronization

/// The value that `--field` prints in place of a JSON document.
///
/// It sees each document of a run, so that the run fails if none of them has the field.
final class FieldSelection: Sendable {
  private let path: String
  private let isFound = Atomic(false)
  /// The names that a document without the field has: of several documents the most.
  private let available = Mutex<[String]?>(nil)
  /// How many empty lines are held back.
  private let held = Atomic(0)

  init(_ path: String) { self.path = path }

  /// One line for the document, or for each element of an array; empty for what is missing or null.
  ///
  /// `fallback` makes a document with further values, such as the claims of a token.
  func lines(of document: JSON, fallback: () -> JSON?) -> [String] {
    if let value = document.value(at: path) ?? fallback()?.value(at: path)
      ?? document.null(above: path)
    {
      isFound.store(true, ordering: .relaxed)
      return [value.raw]
    }
    if let elements = document.array {
      return elements.flatMap { lines(of: $0, fallback: { nil }).map(Visible.line) }
    }
    let names = document.names
    available.withLock { if names.count > ($0?.count ?? -1) { $0 = names } }
    return [""]
  }

  /// What is printed of lines, whose documents may have been read in any order, but not these calls.
  ///
  /// Empty lines are held back until a document has the field, so that nothing is printed if none has.
  func released(_ lines: String) -> String {
    guard isFound.load(ordering: .relaxed) else {
      held.wrappingAdd(lines.utf8.count, ordering: .relaxed)
      return ""
    }
    return String(repeating: "\n", count: held.exchange(0, ordering: .relaxed)) + lines
  }

  /// Why the run fails although the command succeeded; `nil` if a document has the field.
  var failure: Failure? {
    guard !isFound.load(ordering: .relaxed), let names = available.withLock({ $0 }) else {
      return nil
    }
    let known = names.isEmpty ? "none" : names.joined(separator: ", ")
    return Failure(
      .noField,
      "could not print the field '\(path)': the output does not have it; its fields: \(known)")
  }
}

extension JSON {
  /// The value at a path; `access_token` also finds `accessToken`.
  func value(at path: String) -> JSON? { value(at: path) { $0.inCamelCase } }

  /// The null that a path would have to go through: a login without a token has no `user.expires`.
  fileprivate func null(above path: String) -> JSON? {
    path.indices.lazy.filter { path[$0] == "." }.compactMap { value(at: String(path[..<$0])) }
      .first { $0 == .null }
  }

  /// The text of a string, and nothing for null; other values as JSON.
  fileprivate var raw: String {
    switch self {
    case .string(let text): text
    case .null: ""
    default: serialized()
    }
  }

  fileprivate var names: [String] { object?.sorted.map(\.key) ?? [] }
}

extension String {
  /// `access_token` as `accessToken`.
  fileprivate var inCamelCase: String {
    var bytes: [UInt8] = []
    var isFirstOfWord = false
    for byte in utf8 {
      if byte == UInt8(ascii: "_"), !bytes.isEmpty {
        isFirstOfWord = true
        continue
      }
      bytes.append(isFirstOfWord && byte.isLowerLetter ? byte - 0x20 : byte)
      isFirstOfWord = false
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
