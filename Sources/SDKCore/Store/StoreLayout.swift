import Primitives

/// What files and directories the store has, by their paths.
package struct StoreLayout: Sendable {
  package enum Area: Sendable, Hashable, CaseIterable {
    case config, state, cache
  }

  package enum Entry: Sendable, Hashable {
    case directory
    /// A JSON document with a version.
    case document(StoreDocument.Secrecy)
    /// What a server has told; without it one more request is sent.
    case cached
    /// Another file for its owner's eyes only, such as a key.
    case secret
    /// An empty file that processes lock.
    case lock
    /// What another program has there: the sockets of a process that waits, or a directory that is not looked into.
    case other
  }

  /// What may be at a path below an area, a member of `names` for each level; none for what is foreign.
  package static func entries(_ names: [String], in area: Area) -> [Entry] {
    var found: [Entry] = []
    for (pattern, entry) in patterns[area] ?? [] {
      if matches(pattern, names) {
        found.append(entry)
      } else if pattern.count > names.count, zip(pattern, names).allSatisfy(matches) {
        found.append(.directory)
      }
    }
    return found
  }

  static func matches(_ pattern: [Substring], _ names: [String]) -> Bool {
    pattern.count == names.count && zip(pattern, names).allSatisfy(matches)
  }

  /// `*` stands for any name, and for the start of one.
  static func matches(_ pattern: Substring, _ name: String) -> Bool {
    guard pattern.first == "*" else { return pattern == name }
    return name.hasSuffix(String(pattern.dropFirst())) && !name.hasPrefix(".")
  }

  private static let patterns: [Area: [(pattern: [Substring], entry: Entry)]] = {
    var rows: [(Area, String, Entry)] = [
      (.config, "config.json", .document(.shared)), (.state, "profiles.lock", .lock),
      (.state, "pending/*", .other), (.state, "sandbox", .other), (.cache, "*/*.json", .cached),
    ]
    for file in ProfileFile.all {
      for profile in ["profiles/*/"] + (file.isMovable ? ["profiles/*/shared/*/"] : []) {
        for user in [""] + (file.isOfUser ? ["\(ProfileUser.folder)/*/"] : []) {
          rows.append((file.area, profile + user + file.pattern, file.entry))
        }
      }
    }
    for file in [ProfileFile.settings, ProfileFile.pins, ProfileFile.newestKey] {
      rows.append((.state, "profiles/*/shared/*/\(file).json", .document(.secret)))
    }
    return Dictionary(grouping: rows, by: \.0).mapValues {
      $0.map { (pattern: $0.1.split(separator: "/"), entry: $0.2) }
    }
  }()
}
