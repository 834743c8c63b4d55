package import JSON
package import POSIX
import Primitives
import Synchronization

/// One JSON document of the store, with the members that this version does not know.
///
/// Reading checks owner, permissions and version; writing is atomic and durable,
/// so a kill at any instant leaves the old document or the new one.
package struct StoreDocument: Sendable {
  package enum Secrecy: Sendable {
    case shared, secret
    /// Of the administrator, and only read.
    case site

    var mode: UInt32 { self == .secret ? 0o600 : 0o644 }

    /// The version that is written; a newer one is refused, and of secret documents an older one too.
    var version: Int64 { self == .secret ? 2 : 1 }

    var trust: DirectoryTrust {
      switch self {
      case .secret: .secret
      case .shared: .shared
      case .site: .system
      }
    }

    func read(_ path: StorePath, limit: Int) throws(SystemError) -> [UInt8] {
      try path.requireTrusted(trust)
      return try readFile(path.text, limit: limit)
    }

    /// Reads the file without judging its directories.
    package func readFile(
      _ path: String, limit: Int = StoreDocument.limit
    ) throws(SystemError) -> [UInt8] {
      switch self {
      case .shared: try FileReader.readSharedDocument(path, limit: limit)
      case .secret: try FileReader.readSecretDocument(path, limit: limit)
      case .site: try FileReader.readSystemDocument(path, limit: limit)
      }
    }
  }

  package let path: StorePath
  let secrecy: Secrecy
  package var members: JSONObject

  package init(path: StorePath, secrecy: Secrecy, members: JSONObject = [:]) {
    self.path = path
    self.secrecy = secrecy
    self.members = members
  }

  package static func read(
    _ path: StorePath, _ secrecy: Secrecy, limit: Int = limit
  ) throws(SDKError) -> StoreDocument? {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try secrecy.read(path, limit: limit)
    } catch {
      if error.isNotFound { return nil }
      throw failure("read", path, error)
    }
    return StoreDocument(
      path: path, secrecy: secrecy, members: try members(of: bytes, in: path.text, secrecy))
  }

  package static func existing(
    _ path: StorePath, _ secrecy: Secrecy, limit: Int = limit
  ) throws(SDKError) -> StoreDocument {
    try read(path, secrecy, limit: limit) ?? StoreDocument(path: path, secrecy: secrecy)
  }

  /// Writes the document in place of the one on disk, and makes its directory if need be.
  package func write() throws(SDKError) {
    do throws(SDKError) { _ = try Self.read(path, secrecy) } catch {
      // What else is wrong with it is no reason not to replace it.
      if error.code == .storeVersion { throw error }
    }
    try replace()
  }

  /// Writes the document in place of the one on disk, also of a newer version: for what the cache has, and for what was read.
  func replace() throws(SDKError) {
    let text = JSON.object(Self.current(members, secrecy)).serialized(.pretty) + "\n"
    defer { Self.noteChange() }
    do throws(SystemError) {
      try prepareDirectory()
      // What a killed writer left behind may hold secrets.
      try? LeftoverFiles.sweep(path.directory)
      try AtomicFile.write(Array(text.utf8), to: path.text, mode: secrecy.mode)
    } catch {
      throw Self.failure("write", path, error)
    }
  }

  /// Reserves space for the document, before a server is asked for what it will hold.
  @discardableResult package func proveWritable() throws(SDKError) -> StagedFile {
    do throws(SystemError) {
      try prepareDirectory()
      return try AtomicFile.reserve(1 << 16, for: path.text)
    } catch {
      throw Self.failure("write", path, error)
    }
  }

  private func prepareDirectory() throws(SystemError) {
    try Directory.create(path.directory, mode: 0o700)
    try path.requireTrusted(secrecy.trust)
  }

  func remove() throws(SDKError) {
    defer { Self.noteChange() }
    do {
      try AtomicFile.remove(path.text)
    } catch {
      guard error.isNotFound else {
        throw Self.failure("remove", path, error)
      }
    }
  }

  /// How many documents this process has changed: what it keeps of them is then read again.
  static var changes: Int { changeCount.load(ordering: .acquiring) }

  package static func noteChange() { changeCount.add(1, ordering: .releasing) }

  private static let changeCount = Atomic(0)

  static func failure(_ verb: String, _ path: StorePath, _ error: SystemError) -> SDKError {
    guard error.isUnsafe else {
      return SDKError(
        .store, "could not \(verb) '\(path)': \(error.message)", subject: path.text,
        remedy: verb == "write" && error.isReadOnly ? .writableStore : nil)
    }
    return SDKError(
      .storePermissions, "could not trust '\(path)': \(error.message)",
      subject: error.path ?? error.protections.first?.paths.first ?? path.text,
      remedy: Remedy(error))
  }

  package static func damage(
    _ path: String, _ cause: String, as code: SDKError.Code = .store
  ) -> SDKError {
    SDKError(code, "could not read '\(path)': \(cause)", subject: path)
  }

  package static func current(
    _ members: JSONObject, _ secrecy: Secrecy = .secret
  ) -> JSONObject {
    members.merging(["version": .int(secrecy.version)]) { $1 }
  }

  package static func members(
    of bytes: [UInt8], in path: String, _ secrecy: Secrecy = .secret
  ) throws(SDKError) -> JSONObject {
    let document: JSON
    do { document = try JSON(parsing: bytes) } catch { throw damage(path, "\(error)") }
    guard let members = document.object else {
      throw damage(path, "it is \(document.kind), not an object")
    }
    guard let version = members["version"]?.int else {
      throw damage(path, "'version' is missing or no number")
    }
    guard version >= 1 else {
      throw damage(path, "'version' is \(version), and the first one is 1")
    }
    let supported = secrecy.version
    guard version <= supported, secrecy != .secret || version == supported else {
      let advice =
        version > supported
        ? "use a newer version of the program"
        : "remove this file and its secrets, then register and log in again"
      throw damage(
        path, "it has version \(version), and this program supports \(supported); \(advice)",
        as: .storeVersion)
    }
    return members
  }

  /// No document of the store comes near this.
  static let limit = 16 << 20
}

extension StoreDocument {
  package var content: StoredFields { StoredFields(members, in: path.text) }

  /// The members, for rows to write.
  var writing: StoredFields { StoredFields(members, in: nil) }
}
