import HTTP
import OAuth
import Primitives

/// How a challenge gets to a user, and how the response arrives.
protocol ResponseRoute: Sendable {
  var redirectURI: String { get }
  var source: ExpectedResponse.Source { get }

  /// Whether others can send addresses too: an address that is not the response then does not end the login.
  var isOpenToStrangers: Bool { get }

  /// What a browser that is started here opens in place of a URL.
  func launchURL(to url: HTTPURL) -> HTTPURL

  /// Shows the challenge and passes the response to it; cancelled if it is no longer needed.
  func carry(_ challenge: BrowserChallenge) async

  /// Tells the browser how the flow ended after a response; `nil` is success.
  func finish(_ error: SDKError?) async

  func close()
}

extension ResponseRoute {
  var source: ExpectedResponse.Source { .browser }
  var isOpenToStrangers: Bool { false }
  func launchURL(to url: HTTPURL) -> HTTPURL { url }
  func finish(_ error: SDKError?) async {}
  func close() {}
}

/// Where the response to a challenge arrives.
public enum ResponseTarget: Sendable {
  /// At a loopback address on which this process listens (RFC 8252 section 7.3).
  case loopback
  /// At a private-use URI scheme, whose handler finds this process (RFC 8252 section 7.1).
  case scheme
}

extension Registration {
  /// Where its responses arrive: at a scheme only if there is no other place.
  var responseTarget: ResponseTarget {
    let hasLoopback = redirectURIs.contains { (try? HTTPURL($0))?.isLoopback ?? false }
    return !hasLoopback && schemeRedirectURI != nil ? .scheme : .loopback
  }

  /// The https address to which all its responses go; `nil` if there is a place for them here.
  var claimedRedirectURI: String? {
    let kinds = redirectURIs.map { RedirectURI($0)?.kind }
    return kinds.allSatisfy { $0 == .claimed } ? redirectURIs.first : nil
  }
}

struct HandlerRoute: ResponseRoute {
  let redirectURI: String
  let source: ExpectedResponse.Source
  let handler: ChallengeHandler

  func carry(_ challenge: BrowserChallenge) async { await challenge.show(by: handler) }
}

extension LoginService {
  func route(
    to place: ResponseTarget?, _ options: LoginOptions, _ present: @escaping ChallengeHandler
  ) async throws(SDKError) -> any ResponseRoute {
    let chosen = if let place { place } else { try await usualPlace(of: options) }
    switch chosen {
    case .loopback: return try await LoopbackRoute(self, options, present)
    case .scheme:
      try requireQuery(options)
      return try await SchemeRoute(self, options, present)
    }
  }

  /// Refuses a response mode whose response only a listener can receive.
  private func requireQuery(_ options: LoginOptions) throws(SDKError) {
    guard let mode = profile.responseMode, mode.isForm else { return }
    throw SDKError(
      .invalidConfiguration,
      "\(options.action): the browser posts the response (responseMode=\(mode.rawValue)), which only a "
        + "listener of this machine can receive",
      subject: profile.name.description, remedy: .setProfile(key: "responseMode", value: "query"))
  }

  private func usualPlace(of options: LoginOptions) async throws(SDKError) -> ResponseTarget {
    if options.port != nil || profile.responseMode?.isForm == true { return .loopback }
    guard let registration = try await records.current() else { return .loopback }
    if let uri = registration.claimedRedirectURI {
      throw SDKError(
        .invalidConfiguration,
        "\(options.action): the response goes to '\(uri)', which does not lead to this program",
        subject: profile.name.description, remedy: .manualLogin)
    }
    return registration.responseTarget
  }

  func handledRoute(
    _ options: LoginOptions, _ handler: @escaping ChallengeHandler
  ) async throws(SDKError) -> HandlerRoute {
    try requireQuery(options)
    guard let redirectURI = try await records.required().redirectURIs.first else {
      throw SDKError(
        .invalidConfiguration, "\(options.action): no redirect URI is registered",
        subject: profile.name.description, remedy: .registerAnew)
    }
    return HandlerRoute(redirectURI: redirectURI, source: .browser, handler: handler)
  }

  /// A user who pastes the address from a browser, which may be on another machine.
  func pastedRoute(
    _ options: LoginOptions, _ present: @escaping ChallengeHandler, _ paste: @escaping LoginPaste
  ) async throws(SDKError) -> HandlerRoute {
    try requireQuery(options)
    // Where a client without a registered address sends the browser (RFC 8252 section 7.3).
    let usual = "http://127.0.0.1:\(profile.redirectPort ?? 61_000)/callback"
    let redirectURI = try await records.required().redirectURIs.first ?? usual
    return HandlerRoute(redirectURI: redirectURI, source: .person) { challenge in
      if challenge.flaw == nil { await present(challenge) }
      do throws(SDKError) {
        challenge.respond(with: try await paste(challenge.flaw))
      } catch {
        challenge.fail(error)
      }
    }
  }
}

struct ExpectedResponse: Sendable {
  enum Source: Sendable {
    /// A browser: a request with the right URI and state decides, with success or with an error.
    case browser
    /// A person, who may leave out what is hidden in an address bar, or cut something off.
    case person
  }

  let request: AuthorizationRequest
  let source: Source
  var userID = UserID.standard
  let action: String

  func read(_ address: String) throws(ResponseFlaw) -> AuthorizationResponse {
    guard let response = try response(address) else { throw ResponseFlaw("it is badly encoded") }
    let flaw = response.flaw(for: request)
    guard response.matches(request) else {
      throw ResponseFlaw(flaw ?? "its state differs", concernsState: true)
    }
    if source == .person, let flaw { throw ResponseFlaw(flaw) }
    return response
  }

  func error(_ flaw: ResponseFlaw, _ cause: String) -> SDKError {
    SDKError(
      .untrusted, "\(action): \(cause)", resource: flaw.concernsState ? .invalidState : nil)
  }

  private func response(_ address: String) throws(ResponseFlaw) -> AuthorizationResponse? {
    let carried = source == .person
    let text = carried ? address.filter { !$0.isWhitespace } : address
    if let parameters = RedirectURI(request.redirectURI)?.parameters(in: text) {
      return AuthorizationResponse(encoded: parameters)
    }
    if carried, !text.prefix(while: { $0 != "?" }).containsText("://") {
      return AuthorizationResponse(pasted: text)
    }
    throw ResponseFlaw("it leads elsewhere than the redirect URI, \(request.redirectURI)")
  }
}

struct ResponseFlaw: Error, Sendable, Hashable {
  let text: String
  /// Whether it may be the response to another request, or forged.
  let concernsState: Bool

  init(_ text: String, concernsState: Bool = false) {
    self.text = text
    self.concernsState = concernsState
  }
}
