public import HTTP
public import JSON
public import OAuth
public import Pinning
import Primitives

/// Everything about one application at one provider that is not secret.
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
    try check()
  }

  init(unchecked name: ProfileName, members: JSONObject) {
    self.name = name
    self.members = members
  }

  /// Checks every value, and the rules between them.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` for the first value that is wrong.
  public func check() throws(SDKError) {
    for key in ProfileKey.all {
      guard let value = self[key.name] else { continue }
      try key.check(value)
      guard key.kind == .url || key.kind == .issuer,
        let url = value.string.flatMap({ try? HTTPURL($0) }), url.scheme == .http
      else { continue }
      guard insecureLoopback, url.isLoopback else {
        throw SDKError(
          .invalidConfiguration,
          "could not use the value of '\(key.name)': http is for this machine only, and only with "
            + "insecureLoopback=true", subject: url.isLoopback ? "insecureLoopback" : nil)
      }
    }
  }

  /// The value of a key, dots between levels; `nil` when it is not set.
  public subscript(key: String) -> JSON? {
    guard key.utf8.contains(UInt8(ascii: ".")) else { return members[key] }
    let path = key.split(separator: ".").map(String.init)
    return path.reduce(JSON.object(members) as JSON?) { $0?[$1] }
  }

  /// Sets or, with `nil`, unsets a key of the table of keys.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` for an unknown key or a value of another
  ///   type.
  public mutating func set(_ key: String, to value: JSON?) throws(SDKError) {
    guard let row = ProfileKey.named(key) else {
      throw SDKError(
        .invalidConfiguration, "could not use the key '\(key)': there is no such key",
        subject: key)
    }
    if let value { try row.check(value) }
    let path = key.split(separator: ".").map(String.init)
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
  /// The issuer of the authorization server.
  public var issuer: Issuer? { text("issuer").flatMap { try? Issuer($0) } }

  /// What the paths of resource requests are appended to.
  public var resourceURL: HTTPURL? { url("resourceURL") }

  /// The client id of a client that was not registered from here.
  public var clientID: String? { text("clientID") }

  /// The scope that a login asks for.
  public var scope: String? { text("scope") }

  /// The scope of this installation's own token.
  public var anonymousScope: String? { text("anonymousScope") }

  /// The scope of a token that is obtained in the user's name.
  public var implicitScope: String? { text("implicitScope") }

  /// Whether a login pushes its request (RFC 9126), even if the server does not require it.
  var pushesAuthorization: Bool { self["par"]?.bool ?? false }

  /// Whether tokens are bound to a key of this installation (RFC 9449).
  public var bindsTokens: Bool { ["on", "required"].contains(text("dpop")) }

  /// Whether a token that is not bound to a key is refused.
  var requiresBoundTokens: Bool { text("dpop") == "required" }

  /// Whether a login signs its request (RFC 9101), even if the server does not require it.
  var signsAuthorization: Bool { self["jar"]?.bool ?? false }

  /// A file of trusted authorities, in place of the system's.
  public var caFile: String? { text("caFile") }

  /// What a missing or wrong pin does.
  public var pinPolicy: PinPolicy { text("pinPolicy").flatMap(PinPolicy.init) ?? .enforce }

  /// The file to which reports of pin mismatches are added.
  public var pinReportFile: String? { text("pinReportFile") }

  /// The server to which pin mismatches are reported.
  public var pinReportURL: HTTPURL? { url("pinReportURL") }

  /// The thumbprint of the key that signs pin sets (RFC 7638).
  public var pinUpdateKey: String? { text("pinUpdateKey") }

  /// Whether `http:` to this machine is allowed.
  public var insecureLoopback: Bool { self["insecureLoopback"]?.bool ?? false }

  /// How long a connection may carry no byte; `nil` for ever.
  var idleTimeout: Duration? {
    let seconds = self["idleTimeout"]?.int ?? 60
    return seconds > 0 ? .seconds(seconds) : nil
  }

  /// The port that a login listens on; `nil` for any.
  public var redirectPort: UInt16? { self["redirectPort"]?.int.flatMap { UInt16($0) } }

  /// The identity providers that a registration may name; `nil` when they are not known.
  public var identityProviders: [String]? {
    text("identityProviders")?.words
  }

  /// Where people make an account.
  public var accountURL: HTTPURL? { url("accountURL") }

  /// Where people who forgot their password get a new one.
  public var resetPasswordURL: HTTPURL? { url("resetPasswordURL") }

  /// The access of a request for which none is chosen.
  public var defaultAccess: Access {
    text("defaultAccess").flatMap(Access.init) ?? .user
  }

  /// Where requests of the profile go: the issuer, then the resource server.
  public var urls: [HTTPURL] { [issuer?.url, resourceURL].compactMap { $0 } }

  /// Endpoints that are used instead of those of the metadata.
  var endpoints: JSONObject { self["endpoints"]?.object ?? [:] }

  /// Whether a token may go there: to the resource server or a host that was named.
  func allowsCredential(to url: HTTPURL) -> Bool {
    let named = self["allowedHosts"]?.strings ?? []
    let places = [resourceURL.map(HostAndPort.init)] + named.map { HostAndPort($0) }
    return places.contains(HostAndPort(url))
      && (url.scheme == .https || resourceURL?.sharesOrigin(with: url) == true)
  }

  private func text(_ key: String) -> String? { self[key]?.string }

  private func url(_ key: String) -> HTTPURL? { text(key).flatMap { try? HTTPURL($0) } }
}
