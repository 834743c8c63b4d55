import POSIX
import Primitives
import SDKCore

/// A change that is safe to make without asking.
enum HealthRepair: Sendable, Hashable {
  /// Takes permissions from other users.
  case protect(FileProtection)
  /// Removes what a writer that was killed has left.
  case remove(String)

  /// Makes the change, and says what was done.
  func run() throws(SystemError) -> String {
    switch self {
    case .protect(let protection):
      try protection.apply()
      switch protection.change {
      case .mode(let mode): return "its mode is \(FileStatus.modeText(mode)) now"
      case .withoutForeignWriting, .owner: return "only its owner may change it now"
      }
    case .remove(let path):
      // Its writer may have come back with the same number since.
      guard LeftoverFiles.isAbandoned(path) else { return "it is in use again, and stays" }
      try Directory.remove(tree: path)
      return "it is removed"
    }
  }

  /// The change that makes a file safe that an error is about; `nil` if only a person can make it.
  init?(_ error: SystemError) {
    guard let protection = error.protections.first, error.protections.count == 1,
      protection.isApplicable
    else { return nil }
    self = .protect(protection)
  }
}

extension HealthFinding {
  /// The finding after its repair, if it has one.
  func repaired() -> HealthFinding {
    guard let repair else { return self }
    var finding = self
    do throws(SystemError) {
      finding.message += "; \(try repair.run())"
      finding.severity = .fixed
      (finding.repair, finding.remedy) = (nil, nil)
    } catch {
      finding.message += "; it could not be mended: \(error.message)"
    }
    return finding
  }
}
