import POSIX
import Primitives
package import SDKCore

/// Checks the files and directories of the store; it changes nothing and takes no lock.
struct StoreHealth: Sendable {
  let location: StoreLocation
  let profiles: Set<String>?
  let now: Timestamp

  func findings() -> [Finding] {
    var findings: [Finding] = []
    var documents = 0
    let nodes = StoreTree(location: location, profiles: profiles).nodes { error in
      findings.append(
        Finding(
          .permissions, .error, "it cannot be listed: \(error.message)",
          about: error.path))
    }
    findings += homeFindings()
    for node in nodes {
      if case .document? = node.entry { documents += 1 }
      findings += problems(of: node)
    }
    findings += laterFindings(nodes) + lockFindings(nodes)
    if !findings.contains(where: { $0.check == .permissions && $0.severity != .ok }) {
      findings.insert(
        Finding(
          .permissions, .ok, "\(nodes.count) files and directories have safe permissions"),
        at: 0)
    }
    if !findings.contains(where: { $0.check == .document }) {
      findings.append(Finding(.document, .ok, "\(documents.counted("document")) can be read"))
    }
    return findings
  }

  /// The directory that holds all of the store, whose names are no secret.
  private func homeFindings() -> [Finding] {
    let problems = location.home.map { directoryProblems($0, .shared) } ?? []
    guard FileStatus.exists(location.state), !Directory.isWritable(location.state) else {
      return problems
    }
    return problems + [
      Finding(
        .permissions, .warning,
        "it cannot be written: no token can be renewed, and nothing can be changed",
        about: location.state, remedy: .writableStore)
    ]
  }

  func problems(of node: StoreTree.Node) -> [Finding] {
    if node.isTemporary { return leftover(node) }
    return switch node.entry {
    case .directory?: directoryProblems(node.path, node.area.trust)
    case .document(let secrecy)?: documentProblems(node.path, secrecy)
    case .secret?: fileProblems(node.path, .secret)
    case .lock?: fileProblems(node.path, .shared)
    case .cached?: documentProblems(node.path, .shared, as: .warning)
    case .other?: []
    case nil: [foreign(node)]
    }
  }

  private func directoryProblems(_ path: String, _ trust: DirectoryTrust) -> [Finding] {
    do throws(SystemError) {
      try DirectoryTrust.require([(path, trust)])
      return []
    } catch {
      // Its message is about a file in the directory.
      let isForeign = error.protections.contains { !$0.isApplicable }
      let mode = (try? FileStatus.of(path))?.modeText ?? "unknown"
      return [
        unsafe(
          path, error,
          isForeign ? "it belongs to another user" : "others may use it (mode \(mode))")
      ]
    }
  }

  private func fileProblems(
    _ path: String, _ secrecy: StoreDocument.Secrecy
  ) -> [Finding] {
    do throws(SystemError) {
      _ = try secrecy.readFile(path)
      return []
    } catch {
      if error.isNotFound { return [] }
      return [unsafe(path, error)]
    }
  }

  private func documentProblems(
    _ path: String, _ secrecy: StoreDocument.Secrecy, as severity: Finding.Severity = .error
  ) -> [Finding] {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try secrecy.readFile(path) } catch {
      // A process may have replaced or removed it meanwhile.
      return error.isNotFound ? [] : [unsafe(path, error)]
    }
    do throws(SDKError) {
      _ = try StoreDocument.members(of: bytes, in: path, secrecy)
      return []
    } catch {
      // What is cached may be a secret document.
      if severity == .warning, (try? StoreDocument.members(of: bytes, in: path)) != nil {
        return []
      }
      return [Finding(.document, error, about: path, as: severity)]
    }
  }

  private func unsafe(
    _ path: String, _ error: SystemError, _ message: String? = nil
  ) -> Finding {
    Finding(
      .permissions, .error, message ?? error.message, about: path, remedy: Remedy(error),
      repair: Finding.Repair(error))
  }

  private func leftover(_ node: StoreTree.Node) -> [Finding] {
    // That of a writer that still works is nobody's business.
    guard LeftoverFiles.isAbandoned(node.path) else { return [] }
    return [
      Finding(
        .leftover, .warning, "a writer that was killed has left it", about: node.path,
        repair: .remove(node.path))
    ]
  }

  private func foreign(_ node: StoreTree.Node) -> Finding {
    // A file in the place of a directory is as useless as one with an unknown name.
    guard node.status.kind != .file, !StoreLayout.entries(node.names, in: node.area).isEmpty else {
      return Finding(
        .foreignFile, .warning, "it is not of this program, and nothing uses it", about: node.path)
    }
    return Finding(
      .foreignFile, .error, "it is \(node.status.kind.words), and is refused", about: node.path)
  }

  /// What was written after now: this clock is behind, or was ahead.
  private func laterFindings(_ nodes: [StoreTree.Node]) -> [Finding] {
    let later = nodes.filter {
      $0.status.kind == .file && $0.status.modified > now + Self.tolerance
    }
    guard let last = later.max(by: { $0.status.modified < $1.status.modified }) else { return [] }
    return [
      Finding(
        .clock, .warning,
        "it was written at \(last.status.modified), which is still to come: the clock is behind, or "
          + "was ahead", about: last.path)
    ]
  }

  private func lockFindings(_ nodes: [StoreTree.Node]) -> [Finding] {
    let table = LockTable.current()
    let held = nodes.filter { $0.entry == .lock }.compactMap { node in
      table.holder(of: node.path).map { holder in
        Finding(
          .lock, holder.isStopped ? .warning : .ok,
          "process \(holder.process)\(holder.name.map { " (\(VisibleText.of($0)))" } ?? "") holds it"
            + (holder.isStopped ? ", and is stopped" : ""), about: node.path)
      }
    }
    return held.isEmpty ? [Finding(.lock, .ok, "no process holds a lock")] : held
  }

  /// The seconds by which file systems and clocks may differ.
  private static let tolerance: Int64 = 300
}

extension FileStatus.Kind {
  /// What it is, with its article.
  fileprivate var words: String {
    switch self {
    case .file: "a file"
    case .directory: "a directory"
    case .link: "a symbolic link"
    case .pipe: "a pipe"
    case .socket: "a socket"
    case .device: "a device"
    }
  }
}

extension Finding.Repair {
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
    guard let protection = error.protections.first, protection.isApplicable else { return nil }
    self = .protect(protection)
  }
}

extension Finding {
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
