import HTTP
import JSON
import OAuth
import Primitives

/// The endpoints of an authorization server that get secrets: the client's credential, and tokens.
///
/// A registration and a login record those that they were made with. Their secrets are sent to no
/// other ones, whatever the profile or the metadata says later.
package struct SecretEndpoints: Sendable, Hashable {
  /// An endpoint that gets secrets, by the name that it has in a profile.
  struct Endpoint: Sendable, Hashable {
    let name: String
    let url: HTTPURL
    /// Whether the profile names the URL, in place of the server.
    let isOwn: Bool
  }

  /// The URLs of each endpoint by its name; those of `issuer` and `token` are among them.
  fileprivate let urls: [String: [String]]

  /// The endpoints of a server, as it announces them for all its clients and as the profile names them.
  ///
  /// Without metadata, those that the profile names.
  init(of metadata: ServerMetadata?, for profile: Profile) {
    var urls: [String: [String]] = [:]
    for endpoint in Self.announced {
      urls[endpoint.name] = metadata.map { $0.urls(of: endpoint) } ?? []
    }
    for (name, value) in profile.endpoints {
      if let url = value.string.flatMap({ try? HTTPURL($0) }) {
        urls[name, default: []].append(url.description)
      }
    }
    urls["issuer"] = (profile.issuer?.url.description).map { [$0] }
    self.urls = urls.filter { !$0.value.isEmpty }
  }

  /// Whether an endpoint is one of these, or one that the server has announced since at an origin of these.
  func contains(_ place: Endpoint) -> Bool {
    if let known = urls[place.name] { return known.contains(identifier: place.url.description) }
    if place.isOwn { return false }
    // What a server announces is not known if it could not be asked.
    return urls["token"] == nil
      || urls.values.joined().contains { text in
        (try? HTTPURL(text))?.sharesOrigin(with: place.url) ?? false
      }
  }

  private static let announced: [ServerMetadata.Endpoint] = [
    .token, .revocation, .introspection, .pushedAuthorization, .deviceAuthorization, .userinfo,
    .clientValidation,
  ]
}

extension StoredType<SecretEndpoints> {
  static var endpoints: Self {
    Self(
      "an object of arrays of strings", { $0.object.flatMap(SecretEndpoints.init) },
      { .object(JSONObject($0.urls.map { ($0.key, .strings($0.value)) })) })
  }
}

extension SecretEndpoints {
  fileprivate init?(_ members: JSONObject) {
    urls = members.reduce(into: [:]) { $0[$1.key] = $1.value.strings }
    guard urls.count == members.count else { return nil }
  }
}

extension AuthorizationServer {
  /// Refuses to send secrets to other endpoints than those that they belong to.
  func requireOwn(
    _ endpoints: [ServerMetadata.Endpoint], at metadata: ServerMetadata? = nil, own: [String] = [],
    of registration: Registration?, presenting tokens: SecretEndpoints? = nil
  ) throws(SDKError) {
    var places: [SecretEndpoints.Endpoint] = []
    for endpoint in endpoints {
      guard let url = try? metadata?.url(of: endpoint) else { continue }
      places.append(
        .init(name: endpoint.name, url: url, isOwn: profile.endpoints[endpoint.name] != nil))
    }
    for name in own {
      guard let url = profile.ownEndpoint(name) else { continue }
      places.append(.init(name: name, url: url, isOwn: true))
    }
    for place in places {
      let cause = "it was made with another \(place.name) endpoint than \(place.url)"
      if registration?.endpoints?.contains(place) == false {
        throw SDKError(
          .registeredElsewhere, "could not use the registration of '\(profile.name)': \(cause)",
          subject: profile.name.description)
      }
      if tokens?.contains(place) == false {
        throw SDKError(
          .sessionExpired, "could not use the login of '\(profile.name)': \(cause)",
          resource: .userNotAuthenticated, subject: profile.name.description)
      }
    }
  }
}
