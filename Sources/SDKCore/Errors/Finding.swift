public import Pinning
package import Primitives

/// A result of a check: what is good or bad, of what, and what would help.
public struct Finding: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// All is well.
    case ok
    /// It was wrong, and has been mended.
    case fixed
    /// It works, but protects less than it could, or ends soon.
    case warning
    /// Something does not work, or is not safe.
    case error
  }

  /// What was checked, in a word that scripts read; each module has the words of its checks.
  public struct Check: Sendable, Hashable {
    /// The word.
    public let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    /// The settings of a profile.
    public static let settings = Self("settings")
    /// The pins of a profile, without a connection.
    public static let pins = Self("pins")
  }

  /// A problem of settings or pins, in a word that scripts read.
  public enum Problem: String, Sendable, Hashable, CaseIterable {
    /// It cannot be read.
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
    /// A pin that appears twice in a set.
    case duplicate
    /// A pattern for all subdomains of a name under which anybody can register.
    case publicSuffix = "public-suffix"
    /// Only one key is pinned.
    case noBackup = "no-backup"
    /// Only keys of certificates that are replaced several times a year are pinned.
    case shortLivedLeaf = "short-lived-leaf"
    /// The pins have expired.
    case expired
    /// The pins expire soon.
    case expiresSoon = "expires-soon"
    /// Two sets have the same pins.
    case samePins = "same-pins"
    /// A key that is too short.
    case weakKey = "weak-key"
  }

  /// A change that mends it and is safe to make without asking.
  package enum Repair: Sendable, Hashable {
    /// Takes permissions from other users.
    case protect(FileProtection)
    /// Removes what a writer that was killed has left.
    case remove(String)
  }

  /// What was checked.
  public let check: Check
  /// How bad it is.
  public package(set) var severity: Severity
  /// What is wrong with settings or pins; `nil` for another check.
  public let problem: Problem?
  /// The profile that it is about; `nil` if it is about all of them.
  public package(set) var profile: ProfileName?
  /// The file, host, slot, identity, setting or pattern that it is about; `nil` if it is about none.
  public let subject: String?
  /// The line of the document, from 1; `nil` if it is not known.
  public internal(set) var line: Int?
  /// The pin that it is about.
  public let pin: Pin?
  /// The result in words, without secrets.
  public package(set) var text: String
  /// The time that the text names, if a person may want to know it by the local clock.
  package private(set) var time: Timestamp?
  /// What would help, if that is known.
  public package(set) var remedy: Remedy?
  /// `nil` if it cannot be mended without a person.
  package var repair: Repair?
  /// What the error that was found is about: a file, host or profile.
  package private(set) var errorSubject: String?

  package init(
    _ check: Check, _ severity: Severity, _ text: String, about subject: String? = nil,
    at time: Timestamp? = nil, problem: Problem? = nil, of pin: Pin? = nil, remedy: Remedy? = nil,
    repair: Repair? = nil
  ) {
    (self.check, self.severity, self.problem) = (check, severity, problem)
    (self.subject, self.pin, self.text, self.time) = (subject, pin, text, time)
    (self.remedy, self.repair) = (remedy, repair)
  }

  /// An error as a finding; one whose cause is of this machine is about that, not about a server.
  package init(
    _ check: Check, _ error: SDKError, about subject: String? = nil,
    as severity: Severity = .error
  ) {
    switch error.localCause {
    case .proxy(let cause)?: self.init(Check("proxy"), .error, cause)
    case .authorities(let cause)?: self.init(Check("authorities"), .error, cause)
    case nil:
      self.init(check, severity, error.message, about: subject, remedy: error.remedy)
      errorSubject = error.subject
    }
  }
}
