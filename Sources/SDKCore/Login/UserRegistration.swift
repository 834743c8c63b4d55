import HTTP

extension LoginService {
  /// Registers a user: a challenge for the browser, then the user's slot filled.
  ///
  /// A user who is registered already is replaced, and the implicit token goes. The scope
  /// is that of the options, else the profile's.
  ///
  /// - Throws: ``SDKError`` as a login; an identity provider that the profile does not know
  ///   is 10020, a login or registration that is under way on this machine 9007.
  public func registerUser(
    _ options: LoginOptions, identityProvider: String?, at place: ResponsePlace,
    present: @escaping ChallengeHandler
  ) async throws(SDKError) -> LoginResult {
    try await registerUser(options, identityProvider) { (options) throws(SDKError) in
      try route(to: place, options, present)
    }
  }

  private func registerUser(
    _ options: LoginOptions, _ identityProvider: String?,
    over route: (LoginOptions) throws(SDKError) -> any ResponseRoute
  ) async throws(SDKError) -> LoginResult {
    let options = try registering(options, identityProvider)
    let underWay = SDKError(
      .busy, "\(options.action): a login or a registration is under way already",
      resource: .actionInProgress, subject: profile.name.description)
    return try await environment.locked(.login, waiting: .zero, busy: underWay) {
      () throws(SDKError) in
      let route = try route(options)
      return try await CodeFlow(self, options, over: route)
        .run(over: route, within: limit(of: options), attempts: options.attempts)
    }
  }

  /// The same for a program that shows the challenge and gets the response itself.
  func registerUser(
    _ options: LoginOptions, identityProvider: String?, handler: @escaping ChallengeHandler
  ) async throws(SDKError) -> LoginResult {
    try await registerUser(options, identityProvider) { (options) throws(SDKError) in
      guard let redirectURI = try records.required().redirectURIs.first else {
        throw SDKError(
          .invalidConfiguration, "\(options.action): no redirect URI is registered",
          subject: profile.name.description, remedy: .registerAnew)
      }
      return HandlerRoute(redirectURI: redirectURI, source: .browser, handler: handler)
    }
  }

  private func registering(
    _ options: LoginOptions, _ identityProvider: String?
  ) throws(SDKError) -> LoginOptions {
    var options = options
    options.action = "could not register the user"
    options.parameters["idp"] = identityProvider
    if let identityProvider, let known = profile.identityProviders,
      !known.contains(identityProvider)
    {
      throw SDKError(
        .invalidRequest,
        "\(options.action): '\(profile.name)' has no identity provider '\(identityProvider)'",
        resource: .invalidIdentityProvider, subject: identityProvider)
    }
    return options
  }
}
