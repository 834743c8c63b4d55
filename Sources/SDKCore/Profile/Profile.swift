public import HTTP
public import JSON
import OAuth
public import Pinning
import Primitives

/// Everything about one application at one provider that is not secret.
///
/// The members of ``ProfileKeys`` are members of it too, with the values of the keys.
@dynamicMemberLookup
public struct Profile: Sendable, Hashable {
  /// The name.
  public let name: ProfileName
  /// The document, with the members that this version does not know.
  public private(set) var members: JSONObject
  /// The settings that the program knows.
  public let settings: SettingTable

  /// Makes a profile; the error names the key that is wrong.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration``; its subject is the key that is wrong.
  public init(
    name: ProfileName, members: JSONObject = [:], settings: SettingTable = .core
  ) throws(SDKError) {
    self.init(unchecked: name, members: members, settings: settings)
    try check()
  }

  init(unchecked name: ProfileName, members: JSONObject, settings: SettingTable = .core) {
    (self.name, self.members, self.settings) = (name, members, settings)
  }

  /// Takes the settings of a document that came from elsewhere; one that no row declares is refused, because
  /// nobody can say what it will do.
  package init(
    name: ProfileName, from document: JSONObject, settings: SettingTable
  ) throws(SDKError) {
    self.init(unchecked: name, members: [:], settings: settings)
    for (path, value) in settings.values(in: document) { try set(path, to: value) }
    try check()
  }

  /// Whether both have the same name and document.
  public static func == (left: Profile, right: Profile) -> Bool {
    left.name == right.name && left.members == right.members
  }

  /// Hashes name and document.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(members)
  }

  /// Checks every value, and the rules between them.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` for the first value that is wrong.
  public func check() throws(SDKError) {
    for (path, value) in settings.values(in: members) {
      guard let key = settings.named(path) else { continue }
      do { try key.check(value) } catch { throw error.with(remedy: .unsetProfile(key: path)) }
      guard let url = url(key), url.scheme == .http else { continue }
      guard self.insecureLoopback, url.isLoopback else {
        throw SDKError(
          .invalidConfiguration,
          "could not use the value of '\(key.name)': \(Self.plainHTTPRule)",
          subject: url.isLoopback ? "insecureLoopback" : nil)
      }
    }
  }

  static let plainHTTPRule =
    "http is for this machine only, and only with insecureLoopback=true"

  /// The value of a key, dots between levels; `nil` when it is not set.
  public subscript(key: String) -> JSON? {
    guard key.utf8.contains(UInt8(ascii: ".")) else { return members[key] }
    let path = key.split(separator: ".").map(String.init)
    return path.reduce(JSON.object(members) as JSON?) { $0?[$1] }
  }

  /// The value of a key with the type that the table of keys gives it.
  public subscript<Value>(dynamicMember member: KeyPath<ProfileKeys, Key<Value>>) -> Value {
    self[ProfileKeys.shared[keyPath: member]]
  }

  package subscript<Value>(key: Key<Value>) -> Value { key.read(self[key.name]) }

  package func required<Value>(_ key: Key<Value?>) throws(SDKError) -> Value {
    if let value = self[key] { return value }
    throw SDKError(
      .invalidConfiguration, cause: "the profile has no \(key.name)", subject: key.name,
      remedy: key.row.isURL ? .setProfile(key: key.name, value: nil) : nil)
  }

  func url(_ key: ProfileKey) -> HTTPURL? {
    key.isURL ? self[key.name]?.string.flatMap { try? HTTPURL($0) } : nil
  }

  /// Sets or, with `nil`, unsets a key of the table of keys.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` for an unknown key or a value of another
  ///   type.
  public mutating func set(_ key: String, to value: JSON?) throws(SDKError) {
    if let row = settings.named(key) {
      if let value { try row.check(value) }
    } else if value != nil || !settings.values(in: members).contains(where: { $0.path == key }) {
      // What another version has set can be removed.
      throw SDKError(
        .invalidConfiguration, "there is no setting '\(key)'", subject: key)
    }
    let path = key.split(separator: ".", maxSplits: 1).map(String.init)
    if path.count == 1 {
      members[path[0]] = value
    } else {
      var level = members[path[0]] ?? [:]
      level[path[1]] = value
      // A bare `nil` would be JSON's null here.
      members[path[0]] = level == [:] ? JSON?.none : level
    }
  }
}

extension Profile {
  /// Whether tokens are bound to a key of this installation (RFC 9449).
  public var bindsTokens: Bool { ["on", "required"].contains(self.dpop) }

  var requiresBoundTokens: Bool { self.dpop == "required" }

  var idleTimeout: Duration? { self.idleSeconds > 0 ? .seconds(self.idleSeconds) : nil }

  /// Where requests of the profile go: the issuer, then the resource server.
  public var urls: [HTTPURL] { [self.issuer?.url, self.resourceURL].compactMap { $0 } }

  /// Endpoints that are used instead of those of the metadata.
  var endpoints: JSONObject { self["endpoints"]?.object ?? [:] }

  /// An endpoint that only a profile can name.
  package func ownEndpoint(_ name: String) -> HTTPURL? {
    endpoints[name]?.string.flatMap { try? HTTPURL($0) }
  }

  package func allowsCredential(to url: HTTPURL) -> Bool {
    let places =
      [self.resourceURL.map(PinEndpoint.init)]
      + self.allowedHosts.map { PinEndpoint(allowedHost: $0) }
    return places.contains(PinEndpoint(url))
      && (url.scheme == .https || self.resourceURL?.sharesOrigin(with: url) == true)
  }

  /// Whether a credential of the profile may be handed out for the server that another program names.
  ///
  /// - Parameter address: `SCHEME://HOST[:PORT]`, or that with a path; a scheme other than `https`
  ///   only as in `resourceURL`. See ``HTTP/HTTPURL/init(serverNamed:)``.
  /// - Returns: whether it may.
  public func allowsCredential(toServerNamed address: String) -> Bool {
    HTTPURL(serverNamed: address).map { allowsCredential(to: $0) } ?? false
  }

  /// The servers that credentials of the profile may be sent to, as URLs without a path.
  public var credentialOrigins: [String] {
    let origins =
      [self.resourceURL?.origin].compactMap { $0 } + self.allowedHosts.map { "https://\($0)" }
    return origins.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  var encodesBasic: Bool? { self.basicEncoding.map { $0 == "form" } }

  var accountsTakeSecret: Bool { self.accountClient == "secret" }

  /// The header field that names the application at SAP's mobile services.
  package static let applicationIDField = "X-SMP-APPID"
}

extension Profile {
  /// Where the settings of the profile send requests by TLS, each once: its issuer and its resource server first.
  public var pinEndpoints: [PinEndpoint] {
    PinEndpoint.each(of: urls + settings.keys.filter(\.isEndpoint).compactMap(url))
  }
}
