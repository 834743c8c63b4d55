public import JSON
import POSIX
import Primitives

/// `config.json`: the user's, which has precedence, and that of the site.
extension ProfileStore {
  /// The current profile's name; `nil` when none was chosen.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the document is damaged.
  public func current() throws(SDKError) -> ProfileName? {
    if let own = try current(in: try StoreDocument.read(location.configuration, .shared)) {
      return own
    }
    return try current(in: siteConfiguration())
  }

  private func current(in document: StoreDocument?) throws(SDKError) -> ProfileName? {
    guard let document, let value = document.members["current"], value != .null else { return nil }
    guard let name = value.string else {
      throw StoreDocument.damage(
        document.path.text, "'current' is \(value.kind), not a string",
        as: .invalidConfiguration)
    }
    return try ProfileName(name)
  }

  /// Chooses the current profile.
  ///
  /// - Throws: ``SDKError/Code/store`` if the document cannot be written.
  public func setCurrent(_ name: ProfileName?) async throws(SDKError) {
    try await exclusively { () throws(SDKError) in try writeCurrent(name) }
  }

  /// Writes which profile is current, for a caller of ``exclusively(_:)``.
  package func writeCurrent(_ name: ProfileName?) throws(SDKError) {
    var document = try configuration()
    document.members["current"] = name.map { .string($0.description) }
    try document.write()
  }

  /// The aliases: command lines by name.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the document is damaged.
  public func aliases() throws(SDKError) -> JSONObject {
    let own = try configuration().members["alias"]?.object ?? [:]
    let ofSite = try siteConfiguration()?.members["alias"]?.object ?? [:]
    return ofSite.merging(own, uniquingKeysWith: { _, own in own })
      .filter { $0.value.string != nil }
  }

  /// Defaults of a user interface: a member of `config.json` that the library does not read.
  public struct Defaults: Sendable {
    /// The file.
    public let path: String
    /// The member `defaults`.
    public let members: JSONObject
  }

  /// Whether a file may have defaults: cheaper than to read them.
  ///
  /// - Throws: ``SDKError`` if a file cannot be read or is not safe to read.
  public func mayHaveDefaults() throws(SDKError) -> Bool {
    if try mayHaveDefaults(location.configuration, .shared) { return true }
    guard let path = location.siteFile("config.json") else { return false }
    return try mayHaveDefaults(path, .site)
  }

  /// Looks for the name of the member; the document is not parsed.
  private func mayHaveDefaults(
    _ path: StorePath, _ secrecy: StoreDocument.Secrecy
  ) throws(SDKError) -> Bool {
    do throws(SystemError) {
      let bytes = try secrecy.read(path, limit: 1 << 20)
      return String(decoding: bytes, as: UTF8.self).containsText("\"defaults\"")
    } catch {
      if error.isNotFound { return false }
      throw StoreDocument.failure("read", path, error)
    }
  }

  /// The defaults of the user, then those of the site; a document without them is left out.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if they are not an object.
  public func defaults() throws(SDKError) -> [Defaults] {
    var found: [Defaults] = []
    for document in [
      try StoreDocument.read(location.configuration, .shared), try siteConfiguration(),
    ] {
      guard let document, let value = document.members["defaults"] else { continue }
      guard let members = value.object else {
        throw StoreDocument.damage(
          document.path.text, "'defaults' is \(value.kind), not an object",
          as: .invalidConfiguration)
      }
      found.append(Defaults(path: document.path.text, members: members))
    }
    return found
  }

  private func configuration() throws(SDKError) -> StoreDocument {
    try StoreDocument.read(location.configuration, .shared)
      ?? StoreDocument(path: location.configuration, secrecy: .shared)
  }

  private func siteConfiguration() throws(SDKError) -> StoreDocument? {
    guard let path = location.siteFile("config.json") else { return nil }
    return try StoreDocument.read(path, .site)
  }
}

extension ProfileStore {
  /// Whether the profile is one of the site: the administrator's, which cannot be changed.
  public func isOfSite(_ name: ProfileName) -> Bool {
    guard !isOwn(name), let path = location.siteFile("profiles/\(name)/profile.json") else {
      return false
    }
    return path.exists
  }
}
