import POSIX
import Primitives
import SDKCore

/// Checks the files and directories of the store; it changes nothing and takes no lock.
struct StoreHealth: Sendable {
  let location: StoreLocation
  let profiles: Set<String>?
  let now: Timestamp

  func findings() -> [HealthFinding] {
    var findings: [HealthFinding] = []
    var documents = 0
    let nodes = StoreTree(location: location, profiles: profiles).nodes { error in
      findings.append(
        HealthFinding(
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
        HealthFinding(
          .permissions, .ok, "\(nodes.count) files and directories have safe permissions"),
        at: 0)
    }
    if !findings.contains(where: { $0.check == .document }) {
      let noun = documents == 1 ? "document" : "documents"
      findings.append(HealthFinding(.document, .ok, "\(documents) \(noun) can be read"))
    }
    return findings
  }

  /// The directory that holds all of the store, whose names are no secret.
  private func homeFindings() -> [HealthFinding] {
    let problems = location.home.map { directoryProblems($0, .shared) } ?? []
    guard FileStatus.exists(location.state), !Directory.isWritable(location.state) else {
      return problems
    }
    return problems + [
      HealthFinding(
        .permissions, .warning,
        "it cannot be written: no token can be renewed, and nothing can be changed",
        about: location.state, remedy: .writableStore)
    ]
  }

  func problems(of node: StoreTree.Node) -> [HealthFinding] {
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

  private func directoryProblems(_ path: String, _ trust: DirectoryTrust) -> [HealthFinding] {
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
  ) -> [HealthFinding] {
    do throws(SystemError) {
      _ = try secrecy.readFile(path)
      return []
    } catch {
      if error.isNotFound { return [] }
      return [unsafe(path, error)]
    }
  }

  private func documentProblems(
    _ path: String, _ secrecy: StoreDocument.Secrecy, as severity: HealthFinding.Severity = .error
  ) -> [HealthFinding] {
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
      return [HealthFinding(.document, error, about: path, as: severity)]
    }
  }

  private func unsafe(
    _ path: String, _ error: SystemError, _ message: String? = nil
  ) -> HealthFinding {
    HealthFinding(
      .permissions, .error, message ?? error.message, about: path, remedy: Remedy(error),
      repair: HealthRepair(error))
  }

  private func leftover(_ node: StoreTree.Node) -> [HealthFinding] {
    // That of a writer that still works is nobody's business.
    guard LeftoverFiles.isAbandoned(node.path) else { return [] }
    return [
      HealthFinding(
        .leftover, .warning, "a writer that was killed has left it", about: node.path,
        repair: .remove(node.path))
    ]
  }

  private func foreign(_ node: StoreTree.Node) -> HealthFinding {
    // A file in the place of a directory is as useless as one with an unknown name.
    guard node.status.kind != .file, !StoreLayout.entries(node.names, in: node.area).isEmpty else {
      return HealthFinding(
        .foreignFile, .warning, "it is not of this program, and nothing uses it", about: node.path)
    }
    return HealthFinding(
      .foreignFile, .error, "it is \(node.status.kind.words), and is refused", about: node.path)
  }

  /// What was written after now: this clock is behind, or was ahead.
  private func laterFindings(_ nodes: [StoreTree.Node]) -> [HealthFinding] {
    let later = nodes.filter {
      $0.status.kind == .file && $0.status.modified > now + Self.tolerance
    }
    guard let last = later.max(by: { $0.status.modified < $1.status.modified }) else { return [] }
    return [
      HealthFinding(
        .clock, .warning,
        "it was written at \(last.status.modified), which is still to come: the clock is behind, or "
          + "was ahead", about: last.path)
    ]
  }

  private func lockFindings(_ nodes: [StoreTree.Node]) -> [HealthFinding] {
    let table = LockTable.current()
    let held = nodes.filter { $0.entry == .lock }.compactMap { node in
      table.holder(of: node.path).map { holder in
        HealthFinding(
          .lock, holder.isStopped ? .warning : .ok,
          "process \(holder.process)\(holder.name.map { " (\(VisibleText.of($0)))" } ?? "") holds it"
            + (holder.isStopped ? ", and is stopped" : ""), about: node.path)
      }
    }
    return held.isEmpty ? [HealthFinding(.lock, .ok, "no process holds a lock")] : held
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
