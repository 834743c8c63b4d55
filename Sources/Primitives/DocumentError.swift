/// Why a document cannot be read or written.
public struct DocumentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause: a fact about the document.
  public let cause: String
  /// The cause.
  public var description: String { cause }

  /// Makes an error with its cause.
  public init(cause: String) { self.cause = cause }
}
