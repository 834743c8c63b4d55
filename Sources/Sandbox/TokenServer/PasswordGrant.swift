extension TokenRequest {
  /// The password grant (RFC 6749 section 4.3), for clients that registered it.
  func redeemPassword() throws -> Response {
    let name = try required("username")
    let password = try required("password")
    let user = try sandbox.change { world in
      if let seconds = world.tries.wait(for: name, now: exchange.now) {
        throw OAuthError(
          "invalid_grant", "too many wrong passwords; wait \(seconds) seconds", status: 429,
          retryAfter: seconds)
      }
      guard let user = world.users.signIn(name, password) else {
        world.tries.note(wrongPasswordOf: name, now: exchange.now)
        throw OAuthError.invalidGrant("that user name and password do not fit together")
      }
      world.tries.forget(name)
      return user
    }
    return try issue(for: user, amr: ["pwd"], withRefreshToken: true)
  }
}
