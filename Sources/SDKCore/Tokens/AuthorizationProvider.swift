public import HTTP
import JOSE
import JSON
package import OAuth
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

/// The credential of a request: cookies, or an access token with a proof if it is bound (RFC 9449).
package struct Credential: Sendable {
  private let provider: AuthorizationProvider
  /// Makes the proofs of a token that is bound to a key; `nil` for other credentials.
  let dpop: DPoP?
  private let now: @Sendable () -> Timestamp

  package init(
    _ provider: AuthorizationProvider, dpop: DPoP?, now: @escaping @Sendable () -> Timestamp
  ) {
    self.provider = provider
    self.dpop = dpop
    self.now = now
  }

  /// Adds the token, with a new proof if it is bound to a key, or the cookies that match the URL.
  package func authorize(_ request: inout HTTPRequest) throws(TransportError) {
    guard let tokens = provider.tokens else {
      if case .cookies(let session) = provider,
        let value = session.header(for: request.url, at: now())
      {
        request.fields.replace(with: HTTPField(known: "Cookie", value))
      }
      return
    }
    request.fields.append(tokens.authorization)
    guard let dpop else { return }
    do {
      try dpop.prove(&request, accessToken: tokens.accessToken)
    } catch {
      throw TransportError(.unavailable, error.message, host: request.url.host)
    }
  }
}

extension TokenSet {
  var authorization: HTTPField {
    HTTPField(known: "Authorization", "\(isBound ? DPoP.tokenType : "Bearer") \(accessToken)")
  }
}

/// The cookies that a login set: the session of the user at the provider.
///
/// They are stored as they are, sent explicitly with each request that they are for, and replaced
/// as a whole by the next login. A later `Set-Cookie` does not change them.
public struct SessionCookies: Sendable, Hashable {
  /// The cookies.
  public let cookies: [Cookie]
  /// When they were obtained.
  public let obtained: Timestamp
  /// The name with which the user logged in; `nil` if it is not known.
  public var user: String?

  /// Makes a session that was obtained at a time, or now.
  public init(_ cookies: [Cookie], obtained: Timestamp? = nil) {
    self.cookies = cookies
    self.obtained = obtained ?? SystemClock.now()
  }

  /// When the first cookie expires; `nil` if all last for the session.
  public var expires: Timestamp? { cookies.compactMap(\.expires).min() }

  /// The value of the field `Cookie` of a request; `nil` if no cookie is for that URL.
  public func header(for url: HTTPURL, at now: Timestamp) -> String? {
    cookies.header(for: url, at: now)
  }
}

extension SessionCookies: StoredValue {
  package init(_ fields: StoredFields, _ value: SessionCookies?) throws(SDKError) {
    try fields.constant("provider", "cookies")
    self.init(
      try fields.required("cookies", value?.cookies, .list(of: .object)),
      obtained: try fields.required("obtained", value?.obtained, .seconds))
    user = try fields.optional("user", value?.user, .text)
  }
}

extension Cookie: StoredValue {
  package init(_ fields: StoredFields, _ value: Cookie?) throws(SDKError) {
    let cookie = Cookie(
      name: try fields.required("name", value?.name, .text),
      value: try fields.required("value", value?.value, .text),
      domain: try fields.required("domain", value?.domain, .text),
      isHostOnly: try fields.required("hostOnly", value?.isHostOnly, .flag),
      path: try fields.required("path", value?.path, .text),
      expires: try fields.optional("expires", value?.expires, .seconds),
      isSecure: try fields.required("secure", value?.isSecure, .flag),
      isHTTPOnly: try fields.optional("httpOnly", value?.isHTTPOnly, .flag) ?? true)
    guard let cookie else { throw fields.invalid("name", "is not that of a cookie") }
    self = cookie
  }
}

extension SessionCookies: Redacted {}
