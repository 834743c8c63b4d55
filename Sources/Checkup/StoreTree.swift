import POSIX
import SDKCore

/// What is in the store, level by level; only the directories of the areas may be links.
struct StoreTree: Sendable {
  /// A file or directory of the store, or what is in the place of one.
  struct Node: Sendable {
    let area: StoreLayout.Area
    let path: String
    /// The names below the directory of the area; none for that directory.
    let names: [String]
    let status: FileStatus

    /// What it is to the store; `nil` if it is not of this program.
    var entry: StoreLayout.Entry? {
      let entries = StoreLayout.entries(names, in: area)
      return switch status.kind {
      case .directory: entries.first { $0 == .directory || $0 == .other }
      case .file: entries.first { $0 != .directory }
      case .pipe, .socket, .device: entries.contains(.other) ? .other : nil
      case .link: nil
      }
    }

    var isTemporary: Bool { names.last.map(LeftoverFiles.isTemporary) ?? false }
  }

  let location: StoreLocation
  /// The profiles whose directories are looked at; `nil` for all.
  let profiles: Set<String>?

  /// All nodes, a directory before what it has; calls `unreadable` for a directory that cannot be listed.
  func nodes(unreadable: (SystemError) -> Void) -> [Node] {
    StoreLayout.Area.allCases.flatMap { area in
      nodes(at: location.directory(of: area), [], area, unreadable)
    }
  }

  private func nodes(
    at path: String, _ names: [String], _ area: StoreLayout.Area,
    _ unreadable: (SystemError) -> Void
  ) -> [Node] {
    guard let status = try? FileStatus.of(path, followLinks: names.isEmpty) else { return [] }
    let node = Node(area: area, path: path, names: names, status: status)
    // What is foreign is looked at as a whole, and so is what a writer has not finished.
    guard node.entry == .directory else { return [node] }
    do throws(SystemError) {
      return [node]
        + (try Directory.entries(path)).filter { isWanted(names + [$0]) }.flatMap {
          nodes(at: "\(path)/\($0)", names + [$0], area, unreadable)
        }
    } catch {
      unreadable(error)
      return [node]
    }
  }

  private func isWanted(_ names: [String]) -> Bool {
    guard let profiles, names.count == 2, names[0] == "profiles",
      !LeftoverFiles.isTemporary(names[1])
    else { return true }
    return profiles.contains(names[1])
  }
}

extension StoreLocation {
  func directory(of area: StoreLayout.Area) -> String {
    switch area {
    case .config: config
    case .state: state
    case .cache: cache
    }
  }
}

extension StoreLayout.Area {
  var trust: DirectoryTrust { self == .state ? .secret : .shared }
}
