package import HTTP

/// What a login may ask of the authorization server.
package struct LoginOptions: Sendable {
  package var scope: String?
  /// The port to listen on; `nil` for the registered one, the profile's or any.
  package var port: UInt16?
  /// `prompt`, `login_hint`, `acr_values`, `max_age`.
  package var parameters: FormParameters = [:]
  /// How long the person has; `nil` for five minutes.
  package var timeout: Duration?

  package init() {}
}

/// Who logged in, and with what.
package struct LoginResult: Sendable, Hashable {
  package let tokens: TokenSet
  /// The subject of the ID token; `nil` when the server sent none.
  package let subject: String?
  /// Whether another process did the login while this one waited for it.
  package let isShared: Bool
}
