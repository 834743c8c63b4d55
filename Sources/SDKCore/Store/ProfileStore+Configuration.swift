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

  /// Sets or removes members of the user's `config.json`, such as an alias.
  ///
  /// - Parameter changes: the names that lead to each, and its value; `nil` removes it, with the objects that
  ///   are empty then.
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if something on the way to it is not an object;
  ///   ``SDKError/Code/store`` if the document cannot be written.
  public func setConfiguration(
    _ changes: [(path: [String], value: JSON?)]
  ) async throws(SDKError) {
    try await exclusively { () throws(SDKError) in
      var document = try configuration()
      for (path, value) in changes {
        document.members = try Self.members(document.members, path[...], value, document.path.text)
      }
      try document.write()
    }
  }

  private static func members(
    _ members: JSONObject, _ path: ArraySlice<String>, _ value: JSON?, _ file: String
  ) throws(SDKError) -> JSONObject {
    guard let name = path.first else { return members }
    var members = members
    guard path.count > 1 else {
      members[name] = value
      return members
    }
    let before = members[name] ?? .object(JSONObject())
    guard let inner = before.object else {
      throw StoreDocument.damage(
        file, "'\(name)' is \(before.kind), not an object", as: .invalidConfiguration)
    }
    let after = try Self.members(inner, path.dropFirst(), value, file)
    members[name] = after.isEmpty ? nil : .object(after)
    return members
  }

  /// The aliases: command lines by name.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the document is damaged.
  public func aliases() throws(SDKError) -> JSONObject {
    try configurations().reduce(into: JSONObject()) { all, file in
      all.merge(file.members["alias"]?.object ?? [:], uniquingKeysWith: { own, _ in own })
    }
    .filter { $0.value.string != nil }
  }

  /// A file `config.json`, or its member `defaults`.
  public struct Configuration: Sendable {
    /// The file.
    public let path: String
    /// Its members.
    public let members: JSONObject
  }

  /// The file of the user, then that of the site, as far as they exist.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if a document is damaged.
  public func configurations() throws(SDKError) -> [Configuration] {
    [try StoreDocument.read(location.configuration, .shared), try siteConfiguration()]
      .compactMap(\.self).map { Configuration(path: $0.path.text, members: $0.members) }
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

  /// The member `defaults` of the user, which the library does not read, then that of the site.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if it is not an object.
  public func defaults() throws(SDKError) -> [Configuration] {
    var found: [Configuration] = []
    for file in try configurations() {
      guard let value = file.members["defaults"] else { continue }
      guard let members = value.object else {
        throw StoreDocument.damage(
          file.path, "'defaults' is \(value.kind), not an object", as: .invalidConfiguration)
      }
      found.append(Configuration(path: file.path, members: members))
    }
    return found
  }

  private func configuration() throws(SDKError) -> StoreDocument {
    try StoreDocument.existing(location.configuration, .shared)
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
