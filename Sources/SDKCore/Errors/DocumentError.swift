/// Why a document cannot be read or written.
public struct DocumentError: Error, Sendable, Hashable {
  /// The cause: a fact about the document.
  public let cause: String
}
