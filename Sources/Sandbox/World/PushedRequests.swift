/// Authorization requests that were pushed and not used yet (RFC 9126).
struct PushedRequests: Sendable {
  private var byURI: [String: (clientID: String, form: Form, expiresAt: Int)] = [:]

  static let lifetime = 60

  mutating func push(_ form: Form, clientID: String, now: Int) -> String {
    byURI = byURI.filter { $0.value.expiresAt > now }
    let uri = "urn:ietf:params:oauth:request_uri:" + Secret.make()
    byURI[uri] = (clientID, form, now + Self.lifetime)
    return uri
  }

  /// The request behind an address, once.
  mutating func take(_ uri: String, clientID: String, now: Int) -> Form? {
    guard let request = byURI[uri], request.clientID == clientID, now < request.expiresAt else {
      return nil
    }
    byURI[uri] = nil
    return request.form
  }
}
