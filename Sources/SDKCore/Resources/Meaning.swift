import HTTP
import OAuth
import Primitives

enum Meaning {
  /// It is for the caller.
  case deliver
  /// The server asks for a client certificate, or refuses the one that it was shown.
  case identity(ClientCertificateRefusal)
  /// The server requires a proof with the nonce of this response (RFC 9449 section 9).
  case nonce
  /// The server does not accept the credential: by its status, or by the page of the login.
  case refused(byLoginPage: Bool)
  /// The server requires another login of the user (RFC 9470).
  case login(StepUp)
  /// The server names another URL (RFC 9110 section 15.4).
  case redirect
  /// The server cannot answer now.
  case later
}

extension Meaning {
  struct Context {
    /// The responses that refuse the client certificate; `nil` if nobody handles refusals.
    var certificateRule: ObservedRequest.CertificateRule?
    /// Whether the request had a credential; another origin gets none.
    var hasCredential = false
    var isBound = false
    var nonce: String?
    /// The page of the login, and a text that only this page has; `nil` if no page is looked for.
    var loginPage: HTTPURL?
    var loginPageText: [UInt8]?
    /// Whether a URL is of the profile's hosts; `nil` if the request was made without a credential.
    var isOwn: (@Sendable (HTTPURL) -> Bool)?
  }

  /// The meaning of a response; `nil` if more of the body must be seen, unless what has arrived `isEnough`.
  static func of(
    _ response: HTTPResponse, isEnough: Bool, to request: HTTPRequest, in context: Context
  ) -> Meaning? {
    if let rule = context.certificateRule, rule.concerns(response) {
      guard isEnough else { return nil }
      if let refusal = rule.refusal(in: response) { return .identity(refusal) }
    }
    if context.hasCredential, response.refusesToken { return refusal(response, context) }
    if response.isRedirect {
      if let page = context.loginPage, response.redirectTarget?.isPage(page) == true {
        return .refused(byLoginPage: true)
      }
      guard request.followsRedirects else { return .deliver }
      if let isOwn = context.isOwn, let target = response.redirectTarget,
        target.isAuthorizationRequest, !isOwn(target)
      {
        return .refused(byLoginPage: true)
      }
      return .redirect
    }
    if let text = context.loginPageText, response.isPage {
      guard isEnough else { return nil }
      if response.body.prefix(HeldResponse.limit).contains(text) {
        return .refused(byLoginPage: true)
      }
    }
    return response.asksForLater ? .later : .deliver
  }

  private static func refusal(_ response: HTTPResponse, _ context: Context) -> Meaning {
    if context.isBound {
      // A second proof with the same nonce would be refused as well.
      if response.names("use_dpop_nonce", scheme: DPoP.tokenType) {
        return DPoP.isAsked(again: response, after: context.nonce) ? .nonce : .deliver
      }
      if response.names("invalid_dpop_proof", scheme: DPoP.tokenType) { return .deliver }
    }
    return StepUp(response).map { .login($0) } ?? .refused(byLoginPage: false)
  }
}

extension ObservedRequest.CertificateRule {
  func concerns(_ response: HTTPResponse) -> Bool {
    [400, 495, 496].contains(response.status) || refusalStatuses.contains(response.status)
  }

  fileprivate func refusal(in response: HTTPResponse) -> ClientCertificateRefusal? {
    guard response.certificateRefusal != nil || refusalStatuses.contains(response.status) else {
      return nil
    }
    return ClientCertificateRefusal(
      .status(response.status), issuers: response.certificateRequest?.issuers ?? [])
  }
}

extension HTTPResponse {
  /// Whether the server refuses the token: 401, or the 419 of OneWelcome (Onegini) servers.
  var refusesToken: Bool { status == 401 || status == 419 }

  fileprivate var isPage: Bool {
    isSuccess && ["text/html", "application/xhtml+xml"].contains(mediaType ?? "")
  }
}

extension HTTPURL {
  /// Whether a browser that opens it would begin a login (RFC 6749 section 4.1.1, RFC 9126 section 4).
  fileprivate var isAuthorizationRequest: Bool {
    guard let parameters = query.flatMap({ FormParameters(encoded: $0) }) else { return false }
    let names = Set(parameters.map(\.name))
    return names.contains("client_id")
      && !names.isDisjoint(with: ["response_type", "request_uri"])
  }

  func isPage(_ other: HTTPURL) -> Bool {
    sharesOrigin(with: other) && sameIdentifier(path, other.path)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func contains(_ text: [UInt8]) -> Bool {
    guard let beginning = text.first else { return true }
    var rest = self
    while let first = rest.firstIndex(of: beginning) {
      rest = rest[first...]
      if rest.starts(with: text) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
