import JOSE
import JSON
import POSIX
public import Primitives

/// The credential that a login returns and a request sends.
public indirect enum AuthorizationProvider: Sendable, Hashable {
  /// An access token that anyone who has it can use (RFC 6750).
  case bearer(TokenSet)
  /// An access token that is bound to a key of this installation (RFC 9449).
  case dpop(TokenSet)
  /// A JWT that a login other than OAuth returned.
  case jwt(TokenSet)
  /// The cookies of a session.
  case cookies(SessionCookies)

  /// The provider of tokens, by what they are.
  public init(_ tokens: TokenSet) {
    self = tokens.isBound ? .dpop(tokens) : tokens.isSessionJWT ? .jwt(tokens) : .bearer(tokens)
  }

  /// The provider of a JWT that a login returned, now unless a time is given; it expires as its claim `exp` says.
  ///
  /// - Throws: ``SDKError/Code/malformedResponse`` if the text is not a JWT.
  public init(jwt text: String, obtained: Timestamp? = nil) throws(SDKError) {
    guard (try? JWT(text)) != nil else {
      throw SDKError(.malformedResponse, cause: "the token of the login is not a JWT")
    }
    self.init(sessionToken: text, obtained: obtained ?? SystemClock.now())
  }

  /// The provider of a token that a login returned; if it is a JWT, it expires as its claim `exp` says.
  init(sessionToken text: String, of user: String? = nil, obtained: Timestamp) {
    var tokens = TokenSet(
      accessToken: text, expires: (try? JWT(text))?.claims["exp"]?.time, scope: nil,
      refreshToken: nil,
      obtained: obtained)
    tokens.isSessionJWT = true
    tokens.user = user
    self = .jwt(tokens)
  }

  /// The tokens; `nil` for cookies.
  public var tokens: TokenSet? {
    switch self {
    case .bearer(let tokens), .dpop(let tokens), .jwt(let tokens): tokens
    case .cookies: nil
    }
  }

  /// The kind, as files and reports name it: `bearer`, `dpop`, `jwt` or `cookies`.
  public var name: String {
    switch self {
    case .bearer: "bearer"
    case .dpop: "dpop"
    case .jwt: "jwt"
    case .cookies: "cookies"
    }
  }

  /// When it expires; `nil` if that is not known.
  public var expires: Timestamp? {
    switch self {
    case .bearer(let tokens), .dpop(let tokens), .jwt(let tokens): tokens.expires
    case .cookies(let session): session.expires
    }
  }

  var isOutsideOAuth: Bool {
    switch self {
    case .jwt, .cookies: true
    case .bearer, .dpop: false
    }
  }
}
