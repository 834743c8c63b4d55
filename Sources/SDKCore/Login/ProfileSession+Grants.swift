import OAuth

extension ProfileSession {
  /// Logs a user in by a grant that needs no browser, as one login of the profile at a time.
  ///
  /// - Throws: ``SDKError``: `policy` when the profile allows no passwords, `refused` when
  ///   the server did not take the grant, `invalidConfiguration` when the client has no key.
  package func login(
    by grant: LoginGrant, _ options: LoginOptions
  ) async throws(SDKError) -> LoginResult {
    switch grant {
    case .password: try requirePasswordGrant()
    case .ownAssertion: try requireSigningKey()
    case .assertion, .exchange: break
    }
    let limit = options.timeout ?? limits.login
    // What is presented here is proved by no other login.
    return try await loggingIn(limit, asking: nil) { () throws(SDKError) in
      let flow = try await GrantFlow(self, grant, options)
      return { () throws(SDKError) in try await flow.run() }
    }
  }

  /// Refuses to take a password, before anyone has typed it, unless the profile allows it.
  package func requirePasswordGrant() throws(SDKError) {
    guard !profile.allowsPasswordGrant else { return }
    throw SDKError(
      .policy, "could not log in: the profile '\(profile.name)' does not allow passwords",
      subject: profile.name.description,
      remedy: .setProfile(key: "passwordGrant", value: "true"))
  }

  private func requireSigningKey() throws(SDKError) {
    guard try requiredRegistration().key == nil else { return }
    throw SDKError(
      .invalidConfiguration,
      "could not log in: the client has no key of its own to sign an assertion with",
      subject: profile.name.description,
      remedy: .register(.init(.replacing, authenticationMethod: "private_key_jwt")))
  }
}
