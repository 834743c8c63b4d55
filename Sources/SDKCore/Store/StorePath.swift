import POSIX

/// A file of the store, with the directories that make it one.
package struct StorePath: Sendable, Hashable, CustomStringConvertible {
  /// The path of the file.
  let text: String
  /// The directory of `config`, `state` or `cache`, below which others may not list secrets.
  private let area: String
  /// The directory of the whole store, if it has one.
  private let home: String?

  init(_ name: String, in area: String, of home: String?) {
    text = "\(area)/\(name)"
    self.area = area
    self.home = home
  }

  package var description: String { text }

  /// The directory that holds the file.
  var directory: String { Directory.parent(of: text) }

  /// Whether something is there.
  var exists: Bool { FileStatus.exists(text) }

  /// Refuses a file whose directories others may use or replace, from the store's own down to it.
  func requireTrusted(_ trust: DirectoryTrust) throws(SystemError) {
    var levels: [(String, DirectoryTrust)] = []
    var level = directory
    while level.utf8.count >= area.utf8.count {
      levels.append((level, trust))
      level = Directory.parent(of: level)
    }
    // Its own names are no secret: `mkdir` makes it with 0755.
    if let home { levels.append((home, .shared)) }
    try DirectoryTrust.require(levels.reversed())
  }
}
