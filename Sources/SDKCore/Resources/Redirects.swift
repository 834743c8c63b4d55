import HTTP
import OAuth
import Primitives

/// Follows redirects, one hop at a time (RFC 9110 section 15.4).
///
/// The transport checks every hop, pins included. The token is sent to the first origin only, with a
/// new proof on each hop. A redirect from https to http is an error.
final class Redirects: Sendable {
  private let transport: any Transport
  /// The attempts that may follow a refusal of the token; such a refusal is not delivered.
  private let budget: RetryBudget
  /// Whether the profile allows sending the body to the host of a URL.
  private let mayCarryBody: @Sendable (HTTPURL) -> Bool
  /// The login page: a redirect to it is a refusal of the credential; `nil` if no page is.
  private let loginPage: HTTPURL?
  /// A text that only the login page contains, if servers send it in place of a resource; `nil` if not.
  private let loginPageText: [UInt8]?

  init(
    over transport: any Transport, _ budget: RetryBudget,
    mayCarryBody: @escaping @Sendable (HTTPURL) -> Bool, loginPage: HTTPURL?,
    loginPageText: [UInt8]?
  ) {
    self.transport = transport
    self.budget = budget
    self.mayCarryBody = mayCarryBody
    self.loginPage = loginPage
    self.loginPageText = loginPageText
  }

  /// The response of the last hop.
  struct Result: Sendable {
    let response: HTTPResponse
    /// Whether the last hop had the credential: no hop before it was to another origin.
    let carriedToken: Bool
    /// Whether a hop was sent again with the nonce that the server asked for.
    let repeated: Bool
    /// Whether the response is the login page, or a redirect to it.
    var leadsToLogin = false
  }

  func send(
    _ request: HTTPRequest, _ credential: Credential?, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> Result {
    var state = State(
      hop: request, credential: credential, budget: budget,
      looksForLogin: loginPage.map { !request.url.isPage($0) } ?? false)
    while true {
      state.nonce = state.credential?.dpop?.nonce(for: state.hop.url)
      var (response, isLogin) = try await exchange(state, body)
      if let result = try result(after: &response, isLogin, first: request, &state) {
        return result
      }
    }
  }

  /// The hop that is sent, and what follows from those before it.
  private struct State: Sendable {
    var hop: HTTPRequest
    /// The redirects of another origin must not decide where the token is sent: it is dropped there.
    var credential: Credential?
    var budget: RetryBudget
    /// The nonce of the hop's proof.
    var nonce: String?
    var earlier = EarlierHops()
    let looksForLogin: Bool
  }

  /// The result if the response is the last one; otherwise prepares the next hop.
  @inline(never)  // See ResourcePipeline.
  private func result(
    after response: inout HTTPResponse, _ isLogin: Bool, first: HTTPRequest, _ state: inout State
  ) throws(TransportError) -> Result? {
    let metrics = response.metrics
    state.earlier.add(to: &response, state.hop, first: first)
    state.credential?.dpop?.learn(from: response)
    if isLogin {
      return Result(response: response, carriedToken: true, repeated: false, leadsToLogin: true)
    }
    if let credential = state.credential,
      state.budget.repeats(after: response, to: credential, nonce: state.nonce)
    {
      state.budget.repeatsForNonce = false
      try rewind(state.hop)
      state.earlier.append(metrics)
      return nil
    }
    if state.looksForLogin, leadsToLogin(response, from: state.hop) {
      return Result(response: response, carriedToken: true, repeated: false, leadsToLogin: true)
    }
    guard let next = try next(after: response, to: state.hop) else {
      return Result(
        response: response, carriedToken: state.credential != nil,
        repeated: state.budget.repeatsForNonce != budget.repeatsForNonce)
    }
    guard state.earlier.redirects < Self.limit else {
      throw TransportError(
        .malformed, "more than \(Self.limit) redirects", host: first.url.host)
    }
    if !next.url.sharesOrigin(with: state.hop.url) { state.credential = nil }
    state.hop = next
    state.earlier.redirects += 1
    state.earlier.append(metrics)
    return nil
  }

  /// Sends one hop; returns the response, and whether it is the login page.
  @inline(never)  // See ResourcePipeline.
  private func exchange(
    _ state: State, _ body: HTTPBodyReceiver
  ) async throws(TransportError) -> (HTTPResponse, isLogin: Bool) {
    var request = state.hop
    try state.credential?.authorize(&request)
    guard case .sink(let sink) = body else {
      let response = try await transport.send(request, receiving: body)
      let mark = state.looksForLogin ? loginPageText : nil
      return (response, mark.map { LoginPageFilter.isPage(response, mark: $0) } ?? false)
    }
    return try await exchange(request, state, to: sink)
  }

  /// Sends one hop; passes the response on as it arrives, unless it is not the last one.
  @inline(never)  // See ResourcePipeline.
  private func exchange(
    _ request: HTTPRequest, _ state: State, to sink: any HTTPBodySink
  ) async throws(TransportError) -> (HTTPResponse, isLogin: Bool) {
    let mark = state.looksForLogin ? loginPageText : nil
    let pages = mark.map { LoginPageFilter(sink, mark: $0) }
    let filter = ResponseFilter(pages ?? sink) { response in
      if response.isRedirect, request.followsRedirects { return true }
      if state.looksForLogin, self.leadsToLogin(response, from: request) { return true }
      return state.credential.map {
        state.budget.holdsBack(response, to: $0, nonce: state.nonce)
      } ?? false
    }
    let response: HTTPResponse
    do {
      response = try await transport.send(request, receiving: .sink(filter))
    } catch {
      if let page = pages?.page { return (page, true) }
      guard let held = filter.abandoned else { throw error }
      return (held, false)
    }
    if pages?.page != nil { return (response, true) }
    guard pages?.finish() != false else {
      throw TransportError(
        .responseBodyRefused, "the response's body could not be delivered", host: request.url.host)
    }
    return (response, false)
  }

  /// Whether a response redirects to the page of the login.
  private func leadsToLogin(_ response: HTTPResponse, from request: HTTPRequest) -> Bool {
    guard let loginPage, response.isRedirect,
      let location = response.fields.first("Location"),
      let url = try? request.url.resolving(location.uriReference)
    else { return false }
    return url.isPage(loginPage)
  }

  /// The request of the next hop; `nil` if the response is not a redirect.
  private func next(
    after response: HTTPResponse, to request: HTTPRequest
  ) throws(TransportError) -> HTTPRequest? {
    guard response.isRedirect, request.followsRedirects,
      let location = response.fields.first("Location")
    else { return nil }
    let url: HTTPURL
    do {
      url = try request.url.resolving(location.uriReference)
    } catch {
      throw TransportError(
        .refused, "the redirect leads to no usable URL: \(error)", host: request.url.host)
    }
    guard request.url.scheme == .http || url.scheme == .https else {
      throw TransportError(
        .refused, "the redirect leads from https to http", host: request.url.host)
    }
    var next = request
    next.url = url
    if !url.sharesOrigin(with: request.url) {
      next.clientCertificate = nil
      for field in request.fields where !Self.sharedFields.contains(field.name.asciiLowercased) {
        next.fields.remove(field.name)
      }
    }
    let isRewritten =
      response.status == 303 || (request.method == .post && [301, 302].contains(response.status))
    if isRewritten, request.method != .head {
      next.method = .get
      next.body = .none
      for name in Self.bodyFields { next.fields.remove(name) }
    } else {
      try requireMayCarryBody(next, from: request)
      try rewind(request)
    }
    return next
  }

  /// Refuses to send the body to another origin that the profile does not allow.
  private func requireMayCarryBody(
    _ next: HTTPRequest, from request: HTTPRequest
  ) throws(TransportError) {
    if case .none = next.body { return }
    guard !next.url.sharesOrigin(with: request.url), !mayCarryBody(next.url) else { return }
    throw TransportError(
      .refused,
      "the redirect would take the body to \(next.url.origin), which is not in allowedHosts",
      host: request.url.host)
  }

  private func rewind(_ request: HTTPRequest) throws(TransportError) {
    guard request.body.rewind() else {
      throw TransportError(
        .requestBodyFailed, "the redirect asks for the body again, but it cannot be read twice",
        host: request.url.host)
    }
  }

  /// The fields that other origins get too; any other field may be a credential.
  private static let sharedFields: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control",
    "content-encoding", "content-language", "content-type", "if-match", "if-modified-since",
    "if-none-match", "if-range", "if-unmodified-since", "range",
  ]

  /// The fields that describe a body.
  private static let bodyFields = [
    "Content-Type", "Content-Encoding", "Content-Language", "Content-Location",
  ]

  /// How many redirects of a request are followed.
  private static let limit = 10
}

extension HTTPURL {
  /// Whether it is the URL of a page, with any query.
  fileprivate func isPage(_ other: HTTPURL) -> Bool {
    sharesOrigin(with: other) && sameIdentifier(path, other.path)
  }
}
