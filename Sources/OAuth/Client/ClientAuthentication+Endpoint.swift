import JSON
import Primitives

extension ClientAuthentication {
  /// The client with its authentication for all endpoints of one server.
  package func at(_ server: ServerMetadata) -> ClientAuthentication {
    var client = self
    client.issuer = server.issuer.text
    client.tokenEndpoint = server.document[ServerMetadata.Endpoint.token.rawValue]?.string
    return client
  }

  /// The client with its authentication for one endpoint, for which the server may announce other
  /// methods than for the token endpoint (RFC 8414 section 2).
  ///
  /// The registered method is kept if it is announced, or if the client's credential fits
  /// none of the announced ones. It is also tried after another one was refused: some servers
  /// announce fewer methods than they accept.
  package func at(
    _ endpoint: ServerMetadata.Endpoint, of server: ServerMetadata
  ) -> ClientAuthentication {
    var client = at(server)
    if endpoint == .revocation, method == .basic {
      let announced =
        server.words("revocation_endpoint_auth_methods_supported")
        ?? server.words("token_endpoint_auth_methods_supported") ?? []
      client.takesSecretInBody = announced.contains(identifier: Method.post.rawValue)
    }
    guard let offered = server.words("\(endpoint.name)_endpoint_auth_methods_supported"),
      !offered.contains(identifier: method.rawValue),
      let other = alternatives.first(where: { offered.contains(identifier: $0.rawValue) })
    else { return client }
    client.registeredMethod = method
    client.method = other
    return client
  }

  /// The client with its registered method; `nil` if it uses that already.
  var asRegistered: ClientAuthentication? {
    guard let registeredMethod else { return nil }
    var client = self
    client.method = registeredMethod
    client.registeredMethod = nil
    return client
  }

  /// The methods that use the same credential.
  private var alternatives: [Method] { method.usesSecret ? [.basic, .post, .secretJWT] : [] }
}
