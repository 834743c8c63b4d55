import JSON
import OAuth

extension TokenService {
  /// A token with other scope, or for another service, than the one of the slot.
  ///
  /// The slot keeps its own token. This one is stored beside it until it expires, for the next call
  /// with the same scope and audience.
  ///
  /// - Parameters:
  ///   - slot: whose token; those of a person come from the user's.
  ///   - scope: the requested scope, of what the user granted; `nil` for all of that.
  ///   - audience: the name of the service it is for.
  ///   - demand: how long it must be valid, and whether a new one is requested in any case.
  /// - Returns: the token, without what would renew it.
  /// - Throws: ``SDKError``; `policy` for a scope that was not granted, `unsupported`
  ///   for an audience where the server exchanges no tokens.
  public func narrowed(
    for slot: CredentialSlot, scope: String?, audience: String?,
    _ demand: TokenDemand = TokenDemand()
  ) async throws(SDKError) -> TokenSet {
    try await attempt("could not get a token") {
      if slots.injected != nil, slot != .anonymous { throw slots.noImplicitGrantor() }
      let request = ["token", slot.rawValue, scope.map { "=\($0)" } ?? "", audience ?? ""]
      if storedDerivation(for: request, demand) == nil { try await records.unseal() }
      let credential = try await derived(for: request, demand) { () async throws(SDKError) in
        let tokens = try await narrowedToken(for: slot, scope, audience)
        return DerivedCredential(JSONObject(present: tokens.stored), expires: tokens.expires)
      }
      return try TokenSet(stored: credential.members, in: "the token for another service")
    }
  }

  private func narrowedToken(
    for slot: CredentialSlot, _ scope: String?, _ audience: String?
  ) async throws(SDKError) -> TokenSet {
    let narrowing = Narrowing(scope: scope, audience: audience)
    guard slot == .anonymous else {
      guard let user = try slots.implicitGrantor() else {
        throw slots.noImplicitGrantor()
      }
      var narrowing = narrowing
      if slot == .implicit, scope == nil {
        narrowing.scope = try stored(in: .implicit)?.scope ?? profile.implicitScope
      }
      let wanted = narrowing
      return try await environment.uninterrupted { () async throws(SDKError) in
        try await self.narrowing.narrowed(user, wanted)
      }
    }
    let own = scope ?? profile.anonymousScope
    let endpoint = try await server.tokenEndpoint()
    let response = try await attempt {
      try await endpoint.clientCredentials(scope: own, audience: audience)
    }
    guard TokenNarrowing.isCovered(response.scope, by: own) else {
      throw TokenNarrowing.tooWide(narrowing)
    }
    return TokenSet(response, requestedScope: own, at: now()).onlyAccess
  }

  /// Requests tokens that can do less than the user's.
  var narrowing: TokenNarrowing { TokenNarrowing(tokens: self) }
}
