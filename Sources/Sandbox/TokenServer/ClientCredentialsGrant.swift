extension TokenRequest {
  /// The client credentials grant (RFC 6749 section 4.4): the client acts for itself.
  func actAsClient() throws -> Response {
    guard !client.isPublic else {
      throw OAuthError("unauthorized_client", "a client without credentials cannot use this grant")
    }
    let standard = ["application-details", "read"]
    let allowed = try Scope.allowed(form["scope"], for: client, otherwise: standard)
    let scopes = allowed.filter(Scope.impersonal.contains)
    guard form["scope"] == nil || scopes == allowed else {
      throw OAuthError.invalidScope("the scope asks for something of a person")
    }
    let grant = Grant(clientID: client.id, scopes: scopes)
    let id = sandbox.change { $0.grants.open(grant) }
    return try Issue(request: self, grantID: id).answer()
  }
}
