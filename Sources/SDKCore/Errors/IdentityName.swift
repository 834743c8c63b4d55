import Primitives

/// The name of an identity, unique in its profile; it is also the name of its directory.
///
/// By default it is the host, with `_wildcard.` for `*.`.
public struct IdentityName: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The name as typed.
  public let description: String

  /// Checks a name.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if the text is not such a name.
  public init(_ text: String) throws(SDKError) {
    let isWellFormed =
      (1...200).contains(text.utf8.count) && !text.hasPrefix(".") && !text.hasPrefix("-")
      && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "._:-".utf8.contains($0) }
    guard isWellFormed else {
      throw SDKError(
        .invalidRequest,
        "could not use the name of an identity: it must be 1 to 200 of A-Z a-z 0-9 . _ : - "
          + "and start with neither '.' nor '-'")
    }
    description = text
  }

  /// Orders by the letters of the name.
  public static func < (left: IdentityName, right: IdentityName) -> Bool {
    left.description < right.description
  }
}
