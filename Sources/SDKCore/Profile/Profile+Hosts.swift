import HTTP
import JSON

extension Profile {
  /// Whether a credential of the profile may be handed out for a server.
  ///
  /// - Parameters:
  ///   - scheme: of the URL; other than `https` only as in `resourceURL`.
  ///   - authority: `HOST` or `HOST:PORT`.
  /// - Returns: whether it may.
  public func allowsCredential(to scheme: String, _ authority: String) -> Bool {
    guard !authority.isEmpty, !authority.utf8.contains(UInt8(ascii: "/")),
      let url = try? HTTPURL("\(scheme)://\(authority)/")
    else { return false }
    return allowsCredential(to: url)
  }

  /// The servers that credentials of the profile may be sent to, as URLs without a path.
  public var credentialOrigins: [String] {
    let named = self["allowedHosts"]?.strings ?? []
    let origins = [resourceURL?.origin].compactMap { $0 } + named.map { "https://\($0)" }
    return origins.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
