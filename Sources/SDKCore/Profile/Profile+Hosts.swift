import HTTP
import JSON

extension Profile {
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
    let named = self["allowedHosts"]?.strings ?? []
    let origins = [resourceURL?.origin].compactMap { $0 } + named.map { "https://\($0)" }
    return origins.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
