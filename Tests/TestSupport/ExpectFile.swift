import Foundation
package import Testing

extension Repository {
  /// Whether committed expectations are written anew, for review.
  package static let isUpdating =
    ProcessInfo.processInfo.environment["SDKCTL_UPDATE"]?.isEmpty == false
}

/// Expects that a file of the repository has this text, or writes it (`make scripts UPDATE=1`).
package func expectFile(
  _ name: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let path = "\(Repository.path)/\(name)"
  let old = (try? Repository.text(of: name)) ?? ""
  guard old != text else { return }
  if Repository.isUpdating {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return
  }
  let difference = lineDifference(old, text)
  Issue.record(
    "\(name) differs (make scripts UPDATE=1 writes it):\n\(difference)",
    sourceLocation: sourceLocation)
}

/// The lines that differ between two texts, with their numbers in each.
package func lineDifference(_ old: String, _ new: String) -> String {
  let lines = [old, new].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
  let changes = lines[1].difference(from: lines[0])
  let removed = changes.removals.map { change -> (Int, String) in
    guard case .remove(let offset, let line, _) = change else { return (0, "") }
    return (offset, "-\(offset + 1): \(line)")
  }
  let inserted = changes.insertions.map { change -> (Int, String) in
    guard case .insert(let offset, let line, _) = change else { return (0, "") }
    return (offset, "+\(offset + 1): \(line)")
  }
  return (removed + inserted).sorted { $0.0 < $1.0 }.map(\.1).joined(separator: "\n")
}
