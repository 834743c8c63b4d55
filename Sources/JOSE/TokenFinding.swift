/// Something about a token that a standard advises against.
public struct TokenFinding: Sendable, Hashable {
  /// How bad it is; the raw values are promised to programs.
  public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Worth knowing.
    case info
    case warning
    /// A verifier should refuse the token, or cannot use it.
    case error

    /// Orders by how bad it is.
    public static func < (left: Severity, right: Severity) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }

  /// How bad it is.
  public let severity: Severity
  /// The name of the finding, promised to programs.
  public let code: String
  /// What is wrong: lower case, no period, safe to show.
  public let message: String
  /// The standard and the section: `RFC 8725 3.1`.
  public let section: String

  init(_ severity: Severity, _ code: String, _ message: String, _ section: String) {
    self.severity = severity
    self.code = code
    self.message = message
    self.section = section
  }
}
