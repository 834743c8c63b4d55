extension ProfileSession {
  /// The user whose slots this session uses.
  public var userID: UserID { environment.user }

  /// The user whose slots are used if none is named.
  ///
  /// - Throws: ``SDKError`` if the choice cannot be read.
  public func currentUser() throws(SDKError) -> UserID {
    try environment.store.currentUser(of: profile.name)
  }

  /// The users who have logged in, and the current one, with what is stored of each; uses no network.
  ///
  /// - Throws: errors of the settings and the store.
  public func users() async throws(SDKError) -> [UserProfile] {
    try await environment.store.userProfiles(of: profile.name)
  }

  /// Takes what other machines that share the secrets of the profile have stored of the registration and a user; `nil`
  /// for all users.
  public func update(of user: UserID?) async { await environment.update(of: user) }

  /// A session of the same profile for another user.
  ///
  /// - Throws: ``SDKError`` if the profile or its pins cannot be read.
  public func session(of user: UserID) throws(SDKError) -> ProfileSession {
    user == environment.user ? self : try ProfileSession(opening.of(user), sharing: openedKeys)
  }

  /// Makes a user the current one, whose slots are used unless ``SessionOptions/userID`` names another.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if there is no such user; errors of the store.
  public func use(_ user: UserID) async throws(SDKError) {
    let store = environment.store
    guard try store.users(of: profile.name).contains(user) else {
      throw SDKError(
        .invalidRequest, "could not choose the user '\(user)': '\(profile.name)' has no such user",
        subject: user.description)
    }
    try await store.setCurrentUser(user, of: profile.name)
  }

  static func others(
    _ opening: SessionOpening, _ keys: OpenedKeys
  ) -> @Sendable (UserID) throws(SDKError) -> [LoginService] {
    { (own) throws(SDKError) in
      var logins: [LoginService] = []
      for user in [.standard] + (try opening.store.namedUsers(of: opening.name)) where user != own {
        logins.append(try ProfileSession(opening.of(user), sharing: keys).login)
      }
      return logins
    }
  }
}
