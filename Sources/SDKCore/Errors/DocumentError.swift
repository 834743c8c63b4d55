/// Why a document cannot be read or written.
public struct DocumentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause: a fact about the document.
  public let cause: String
  /// What would help.
  public var remedy: Remedy?
  /// The cause.
  public var description: String { cause }
}
