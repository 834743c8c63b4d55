public import HTTP
public import OAuth

/// What a login may ask of the authorization server.
public struct LoginOptions: Sendable {
  /// The scope to request; `nil` for the profile's, empty for a login without scope.
  public var scope: String?
  /// The port to listen on; `nil` for the registered one, the profile's or any.
  public var port: UInt16?
  /// `prompt`, `login_hint`, `acr_values`, `max_age`, `resource`, `idp`.
  public var parameters: FormParameters = [:]
  /// Whether the request is pushed (RFC 9126); `nil` for the profile's way.
  public var pushes: Bool?
  /// Whether the tokens are bound to a key (RFC 9449); `nil` for the profile's way.
  public var bindsTokens: Bool?
  /// Whether the request is signed (RFC 9101); `nil` for the profile's way.
  public var signs: Bool?
  /// How the browser returns the response; `nil` for the server's default, the query.
  public var responseMode: ResponseMode?
  /// How long the user has; `nil` for five minutes, or as long as a device code is valid.
  public var timeout: Duration?
  /// How often the challenge is issued if an address is not the response.
  ///
  /// It has no effect for a URL scheme: any page can send addresses there.
  public var attempts = 1
  /// What errors say could not be done.
  package var action = CodeFlow.action
  /// Called with the pause before the browser opens, after a login that failed.
  public var pausing: Pausing?

  /// Takes the seconds of a pause.
  public typealias Pausing = @Sendable (_ seconds: Int64) -> Void

  /// Makes options that leave everything to the profile and the server.
  public init() {}
}

/// Asks a user for the final address of the browser; the argument says what was wrong with the
/// previous one.
public typealias LoginPaste = @Sendable (_ complaint: String?) async throws(SDKError) -> String

/// Who logged in, and with what.
public struct LoginResult: Sendable, Hashable {
  /// The tokens, which are kept already.
  public let tokens: TokenSet
  /// The subject of the ID token; `nil` when the server sent none.
  public let subject: String?
  /// Whether another process did the login while this one waited for it.
  public let isShared: Bool

  /// Makes a result, for a program that logs in by a way of its own.
  ///
  /// - Parameters:
  ///   - tokens: the tokens, which are kept already.
  ///   - subject: the subject of the ID token; `nil` without one.
  ///   - isShared: whether another process did the login.
  public init(tokens: TokenSet, subject: String? = nil, isShared: Bool = false) {
    self.tokens = tokens
    self.subject = subject
    self.isShared = isShared
  }
}
