import POSIX
import Primitives
import SDKCore

extension Finding.Repair {
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

extension Finding {
  /// The finding after its repair, if it has one.
  func repaired() -> Finding {
    guard let repair else { return self }
    var finding = self
    do throws(SystemError) {
      finding.text += "; \(try repair.run())"
      finding.severity = .fixed
      (finding.repair, finding.remedy) = (nil, nil)
    } catch {
      finding.text += "; it could not be mended: \(error.message)"
    }
    return finding
  }
}

extension [Finding] {
  /// Those that are not about a file that has been found to be wrong.
  package func without(subjectsOfErrorsIn others: [Finding]) -> [Finding] {
    let known = Set(others.filter { $0.severity == .error }.compactMap(\.subject))
    return filter { !($0.errorSubject.map(known.contains) ?? false) }
  }
}
