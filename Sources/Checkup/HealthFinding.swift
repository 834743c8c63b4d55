import POSIX
import Pinning
import Primitives
public import SDKCore

/// A result of a check of the installation.
public struct HealthFinding: Sendable, Hashable {
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

  /// What was checked.
  public let check: HealthCheck
  /// How bad it is.
  public internal(set) var severity: Severity
  /// The profile that it is about; `nil` if it is about all of them.
  public internal(set) var profile: ProfileName?
  /// The file, host, slot, identity or setting that it is about; `nil` if it is about none.
  public let subject: String?
  /// The result in words, without secrets.
  public internal(set) var message: String
  /// What would help, if that is known.
  public internal(set) var remedy: Remedy?
  /// The change that mends it; `nil` if it cannot be mended without a person.
  var repair: HealthRepair?
  /// What the error that was found is about: a file, host or profile.
  private var errorSubject: String?

  /// Whether it can be mended safely without a person.
  public var isRepairable: Bool { repair != nil }

  package init(
    _ check: HealthCheck, _ severity: Severity, _ message: String, about subject: String? = nil,
    remedy: Remedy? = nil
  ) {
    self.init(check, severity, message, about: subject, remedy: remedy, repair: nil)
  }

  init(
    _ check: HealthCheck, _ severity: Severity, _ message: String, about subject: String? = nil,
    remedy: Remedy? = nil, repair: HealthRepair?
  ) {
    self.check = check
    self.severity = severity
    self.subject = subject
    self.message = message
    self.remedy = remedy
    self.repair = repair
  }

  /// An error of the library as a finding; one whose cause is of this machine is about that, not about a server.
  package init(
    _ check: HealthCheck, _ error: SDKError, about subject: String? = nil,
    as severity: Severity = .error
  ) {
    switch error.localCause {
    case .proxy(let cause)?: self.init(.proxy, .error, cause)
    case .authorities(let cause)?: self.init(.authorities, .error, cause)
    case nil:
      self.init(check, severity, error.message, about: subject, remedy: error.remedy)
      errorSubject = error.subject
    }
  }

  /// What the findings are about that are errors.
  package static func subjects(ofErrors findings: [HealthFinding]) -> Set<String> {
    Set(findings.filter { $0.severity == .error }.compactMap(\.subject))
  }

  /// Whether the error that was found is about one of these files.
  package func isOf(_ files: Set<String>) -> Bool { errorSubject.map(files.contains) ?? false }

  /// The same finding about a profile.
  func of(_ profile: ProfileName) -> HealthFinding {
    var finding = self
    finding.profile = profile
    return finding
  }
}

extension HealthFinding.Severity {
  init(_ severity: PinProblem.Severity) {
    self = severity == .error ? .error : .warning
  }
}
