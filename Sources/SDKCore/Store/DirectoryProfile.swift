import POSIX
import Primitives

/// The profile that a file of a directory names in its one line.
///
/// The command line reads `.sdkctl-profile`.
public struct DirectoryProfile: Sendable, Hashable {
  /// The profile.
  public let name: ProfileName
  /// The file.
  public let path: String

  /// The result of a search.
  public struct Search: Sendable, Hashable {
    /// The profile of the nearest file; `nil` if there is none.
    public internal(set) var found: DirectoryProfile?
    /// Files of other users, which are not read.
    public internal(set) var ignored: [String] = []
  }

  /// Searches a directory and those above it, up to the home directory or the root.
  ///
  /// - Parameters:
  ///   - fileName: the name of the file.
  ///   - directory: an absolute path; `nil` finds nothing.
  ///   - home: the home directory, the last one that is searched if it is on the way.
  /// - Returns: the profile of the nearest file that belongs to the user.
  /// - Throws: ``SDKError/Code/storePermissions`` if others can change the user's file or one of
  ///   its directories, or if it is a link; ``SDKError/Code/invalidConfiguration`` if it is not a
  ///   name.
  public static func search(
    for fileName: String, from directory: String?, home: String?
  ) throws(SDKError) -> Search {
    var search = Search()
    guard var level = directory, level.hasPrefix("/") else { return search }
    while true {
      let path = level == "/" ? "/\(fileName)" : "\(level)/\(fileName)"
      if let status = try? FileStatus.of(path, followLinks: false) {
        if status.isOwnedByUser {
          search.found = try read(path)
          return search
        }
        search.ignored.append(path)
      }
      if level == home || level == "/" { return search }
      level = Directory.parent(of: level)
    }
  }

  private static func read(_ path: String) throws(SDKError) -> DirectoryProfile {
    let place = VisibleText.of(path)
    let bytes: [UInt8]
    do throws(SystemError) {
      try DirectoryTrust.require(levels(above: path))
      bytes = try FileReader.readSharedDocument(path, limit: 256)
    } catch {
      if error.isUnsafe {
        throw SDKError(
          .storePermissions, "could not trust '\(place)': \(error.message)",
          remedy: Remedy(error))
      }
      guard error.kind == .tooLarge else {
        throw SDKError(.store, "could not read '\(place)': \(error.message)")
      }
      throw notAName(place)
    }
    let line = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
    guard let text = String(validating: line, as: UTF8.self), let name = try? ProfileName(text)
    else { throw notAName(place) }
    return DirectoryProfile(name: name, path: path)
  }

  /// The directory of the file must be the user's; those above it may be the administrator's.
  private static func levels(above path: String) -> [(String, DirectoryTrust)] {
    var level = Directory.parent(of: path)
    var levels = [(level, DirectoryTrust.shared)]
    while level != "/" {
      level = Directory.parent(of: level)
      levels.append((level, .system))
    }
    return levels.reversed()
  }

  private static func notAName(_ place: String) -> SDKError {
    SDKError(
      .invalidConfiguration,
      "could not use '\(place)': it must have one line, the name of a profile")
  }
}
