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

  /// The name of the identity of a host, if the caller chooses none.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if the host is too long for a name.
  public init(for host: IdentityHost) throws(SDKError) {
    let prefix = host.includesSubdomains ? "_wildcard." : ""
    try self.init(prefix + host.host)
  }

  /// The name, or that of the first host.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if there is neither.
  init(_ name: IdentityName?, orOf hosts: [IdentityHost]) throws(SDKError) {
    if let name {
      self = name
    } else if let host = hosts.first {
      try self.init(for: host)
    } else {
      throw SDKError(.invalidRequest, cause: "neither a host nor a name is given")
    }
  }

  /// Orders by the letters of the name.
  public static func < (left: IdentityName, right: IdentityName) -> Bool {
    left.description < right.description
  }
}
