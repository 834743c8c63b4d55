import Primitives

/// The name of a profile: `[A-Za-z0-9._-]{1,64}`, without a leading dot or hyphen.
public struct ProfileName: StoredName {
  /// The name as typed.
  public let description: String

  /// Checks a name.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the text is not such a name.
  public init(_ text: String) throws(SDKError) {
    description = try Self.checked(text, "the profile name", of: "._-", 64, .invalidConfiguration)
  }
}

/// The name of an identity, unique in its profile; it is also the name of its directory.
///
/// By default it is the host, with `_wildcard.` for `*.`.
public struct IdentityName: StoredName {
  /// The name as typed.
  public let description: String

  /// Checks a name.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if the text is not such a name.
  public init(_ text: String) throws(SDKError) {
    description = try Self.checked(
      text, "the name of an identity", of: "._:-", 200, .invalidRequest)
  }
}

/// The ID of a user of a profile, unique in it; that of any but the first is also the name of a directory.
public struct UserID: StoredName {
  /// The ID as typed.
  public let description: String

  /// Checks an ID.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if the text cannot be one.
  public init(_ text: String) throws(SDKError) {
    description = try Self.checked(text, "the ID of a user", of: "._@+-", 100, .invalidRequest)
  }

  private init(known: String) { description = known }

  /// The user of a profile for which no ID was ever chosen.
  public static let standard = UserID(known: "default")
}

/// A name that is also that of a directory: it cannot lead elsewhere or look like an option.
public protocol StoredName: Sendable, Hashable, Comparable, CustomStringConvertible {}

extension StoredName {
  /// Orders by the letters of the name.
  public static func < (left: Self, right: Self) -> Bool { left.description < right.description }

  fileprivate static func checked(
    _ text: String, _ what: String, of signs: String, _ maximum: Int, _ code: SDKError.Code
  ) throws(SDKError) -> String {
    guard (1...maximum).contains(text.utf8.count), !text.hasPrefix("."), !text.hasPrefix("-"),
      text.utf8.allSatisfy({ $0.isLetter || $0.isDigit || signs.utf8.contains($0) })
    else {
      let listed = signs.map(String.init).joined(separator: " ")
      throw SDKError(
        code,
        "could not use \(what): it must be 1 to \(maximum) of A-Z a-z 0-9 \(listed) "
          + "and start with neither '.' nor '-'")
    }
    return text
  }
}

/// One of the independent sets of tokens of a profile.
public enum CredentialSlot: String, Sendable, CaseIterable {
  /// The tokens of the user who is logged in.
  case user
  /// A token of the user with less scope, obtained without asking the user.
  case implicit
  /// The token of this installation (client credentials).
  case anonymous
}
