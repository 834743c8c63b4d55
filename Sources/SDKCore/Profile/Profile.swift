public import HTTP
public import JSON
import OAuth
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

  /// Makes a profile; the error names the key that is wrong.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration``; its subject is the key that is wrong.
  public init(name: ProfileName, members: JSONObject = [:]) throws(SDKError) {
    self.name = name
    self.members = members
    // Not when they are checked to be written: they can be unset one by one.
    try Self.refuseFormerNames(in: members)
    try check()
  }

  init(unchecked name: ProfileName, members: JSONObject) {
    self.name = name
    self.members = members
  }

  /// Takes the settings of a document that came from elsewhere: only those that a row declares, because
  /// nobody can say what another one will do.
  package init(name: ProfileName, knownIn settings: JSONObject) throws(SDKError) {
    self.init(unchecked: name, members: [:])
    try Self.refuseFormerNames(in: settings)
    for (path, value) in settings.settings where ProfileKey.named(path) != nil {
      try set(path, to: value)
    }
    try check()
  }

  /// Checks every value, and the rules between them.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` for the first value that is wrong.
  public func check() throws(SDKError) {
    for key in ProfileKey.sections.lazy.flatMap(\.keys) {
      guard let value = self[key.name] else { continue }
      try key.check(value)
      guard key.isURL, let url = value.string.flatMap({ try? HTTPURL($0) }), url.scheme == .http
      else { continue }
      guard self.insecureLoopback, url.isLoopback else {
        throw SDKError(
          .invalidConfiguration,
          "could not use the value of '\(key.name)': \(Self.plainHTTPRule)",
          subject: url.isLoopback ? "insecureLoopback" : nil)
      }
    }
  }

  /// Refuses settings under former names, without which less would be protected.
  private static func refuseFormerNames(in members: JSONObject) throws(SDKError) {
    let former = ["fido", "seal"].flatMap { group in
      members[group]?.object?.map { "\(group).\($0.key)" }.sorted() ?? []
    }.compactMap { name in ProfileKey.renamed(name).map { "'\(name)' is named '\($0)' now" } }
    guard former.isEmpty else {
      throw SDKError(
        .invalidConfiguration, "could not use the settings: \(former.joined(separator: ", "))")
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
    let key = ProfileKeys.shared[keyPath: member]
    return key.read(self[key.row.name])
  }

  /// Sets or, with `nil`, unsets a key of the table of keys.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` for an unknown key or a value of another
  ///   type.
  public mutating func set(_ key: String, to value: JSON?) throws(SDKError) {
    if let row = ProfileKey.named(key) {
      if let value { try row.check(value) }
    } else if value != nil || !members.settings.contains(where: { $0.path == key }) {
      // What another version has set can be removed.
      throw SDKError(
        .invalidConfiguration,
        "there is no setting '\(key)'"
          + (ProfileKey.renamed(key).map { "; it is named '\($0)'" } ?? ""),
        subject: key)
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

  /// Whether a token that is not bound to a key is refused.
  var requiresBoundTokens: Bool { self.dpop == "required" }

  /// How long a connection may carry no byte; `nil` for ever.
  var idleTimeout: Duration? { self.idleSeconds > 0 ? .seconds(self.idleSeconds) : nil }

  /// Where requests of the profile go: the issuer, then the resource server.
  public var urls: [HTTPURL] { [self.issuer?.url, self.resourceURL].compactMap { $0 } }

  /// Endpoints that are used instead of those of the metadata.
  var endpoints: JSONObject { self["endpoints"]?.object ?? [:] }

  /// An endpoint that only a profile can name.
  package func ownEndpoint(_ name: String) -> HTTPURL? {
    endpoints[name]?.string.flatMap { try? HTTPURL($0) }
  }

  /// Whether a token may go there: to the resource server or a host that was named.
  package func allowsCredential(to url: HTTPURL) -> Bool {
    let places =
      [self.resourceURL.map(HostAndPort.init)] + self.allowedHosts.map { HostAndPort($0) }
    return places.contains(HostAndPort(url))
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

  /// Whether Basic credentials are encoded as RFC 6749 section 2.3.1 has it; `nil` tries both.
  var encodesBasic: Bool? { self.basicEncoding.map { $0 == "form" } }

  /// Whether the account calls send the client's secret in place of its ID.
  var accountsTakeSecret: Bool { self.accountClient == "secret" }

  /// The header field that names the application at SAP's mobile services.
  static let applicationIDField = "X-SMP-APPID"
}
