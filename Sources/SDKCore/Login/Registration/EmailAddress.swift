import Primitives

/// An email address: one `@` with something before and after it, no blanks and no control characters.
///
/// Whether mail arrives there only the server can find out.
public struct EmailAddress: Sendable, Hashable {
  /// The address.
  public let text: String

  /// Checks an address; `nil` for what cannot be one.
  public init?(_ text: String) {
    let halves = text.split(separator: "@", omittingEmptySubsequences: false)
    guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }), text.utf8.count <= 254,
      !text.unicodeScalars.contains(where: { $0.acts || $0.properties.isWhitespace })
    else { return nil }
    self.text = text
  }
}
