/// Why a document is not JSON, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong: lower case, no period, none of the document's text.
  public let message: String
  /// The line, from 1.
  public let line: Int
  /// The column in bytes, from 1.
  public let column: Int

  /// The message with its place.
  public var description: String { "\(message) at line \(line), column \(column)" }
}
