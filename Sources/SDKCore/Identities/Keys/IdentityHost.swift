import Pinning
import Primitives

/// The hosts that an identity is shown to: `api.example.com`, or `*.example.com` for all below it.
public struct IdentityHost: Sendable, Hashable, CustomStringConvertible {
  /// The host, normalised; without `*.`.
  public let host: String
  /// Whether it stands for all names below the host, and not for the host itself.
  public let includesSubdomains: Bool

  /// Reads a host or a pattern.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` for what is neither, and for the subdomains of a
  ///   public suffix, which belong to different owners.
  public init(_ text: String) throws(SDKError) {
    let isPattern = text.hasPrefix("*.")
    let name = isPattern ? String(text.dropFirst(2)) : text
    guard let host = HostName.normalized(name) else {
      throw SDKError(
        .invalidRequest,
        "could not use the host: '\(VisibleText.of(text))' is not a host name"
          + InternationalName.clause(about: name))
    }
    guard !isPattern || !(HostName.isAddress(host) || PublicSuffix.contains(host)) else {
      throw SDKError(
        .invalidRequest,
        "could not use the host: '*.\(host)' includes hosts of different owners")
    }
    self.host = host
    includesSubdomains = isPattern
  }

  /// The host as typed, normalised.
  public var description: String { includesSubdomains ? "*.\(host)" : host }

  /// How exactly it names a host: more is better; `nil` if it does not name it.
  func specificity(for name: String) -> Int? {
    guard includesSubdomains else { return name == host ? .max : nil }
    return name.hasSuffix("." + host) ? host.utf8.count : nil
  }
}

extension IdentityName {
  /// The name of the identity of a host, if the caller chooses none.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if the host is too long for a name.
  public init(for host: IdentityHost) throws(SDKError) {
    let prefix = host.includesSubdomains ? "_wildcard." : ""
    try self.init(prefix + host.host)
  }

  init(_ name: IdentityName?, orOf hosts: [IdentityHost]) throws(SDKError) {
    if let name {
      self = name
    } else if let host = hosts.first {
      try self.init(for: host)
    } else {
      throw SDKError(.invalidRequest, cause: "neither a host nor a name is given")
    }
  }
}
