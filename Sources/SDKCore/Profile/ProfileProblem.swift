public import Pinning

/// A problem of a profile's settings.
public struct ProfileProblem: Sendable, Hashable {
  /// What it is, in a word that scripts read.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The document cannot be read.
    case malformed
    /// There is no such setting.
    case unknownKey = "unknown-key"
    /// The value of a setting cannot be used.
    case invalidValue = "invalid-value"
    /// Settings that cannot work together, or one that another needs.
    case contradiction
    /// Requests without TLS.
    case plainHTTP = "plain-http"
    /// Hosts that have no pins.
    case unpinned
    /// A missing or wrong pin does not stop a transfer.
    case notEnforced = "not-enforced"
    /// A check or a protection is switched off.
    case switchedOff = "switched-off"
    /// A redirect URI that any program can claim.
    case openScheme = "open-scheme"
  }

  /// How bad it is.
  public let severity: PinProblem.Severity
  /// What it is.
  public let kind: Kind
  /// The key, or the path of a member.
  public let path: String
  /// The line of the document, from 1; `nil` if it is not known.
  public internal(set) var line: Int?
  /// The problem in words.
  public let text: String

  init(_ severity: PinProblem.Severity, _ kind: Kind, _ path: String, _ text: String) {
    (self.severity, self.kind, self.path, self.text) = (severity, kind, path, text)
  }
}
