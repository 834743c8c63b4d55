import Primitives

/// The name of a profile: `[A-Za-z0-9._-]{1,64}`, without a leading dot or hyphen.
public struct ProfileName: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The name as typed.
  public let description: String

  /// Checks a name.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the text is not such a name.
  public init(_ text: String) throws(SDKError) {
    let isWellFormed =
      (1...64).contains(text.utf8.count) && !text.hasPrefix(".") && !text.hasPrefix("-")
      && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "._-".utf8.contains($0) }
    guard isWellFormed else {
      throw SDKError(
        .invalidConfiguration,
        "could not use the profile name: it must be 1 to 64 of A-Z a-z 0-9 . _ - "
          + "and start with neither '.' nor '-'")
    }
    description = text
  }

  /// Orders by the letters of the name.
  public static func < (left: ProfileName, right: ProfileName) -> Bool {
    left.description < right.description
  }
}
