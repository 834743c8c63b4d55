import HTTP
import JSON
import Primitives
import SDKCore
import WebForms

/// The requests of one login: a browser without scripts, with the cookies of this login only.
struct FormPages {
  private let environment: SessionEnvironment
  private let settings: FormSettings
  private(set) var jar: CookieJar
  /// The last response, and the address at which the login has arrived.
  private(set) var page: Page?

  /// The last page of a login, and the redirects to it.
  struct Page {
    let response: HTTPResponse
    /// The address of the response, or of the other host to which its redirect leads.
    let url: HTTPURL
    /// The responses since the last request of the login itself, redirects first.
    let hops: [HTTPResponse]

    var json: JSON? {
      guard response.isJSON else { return nil }
      return try? JSON(parsing: response.body, maximumDepth: 32)
    }

    var forms: [HTMLForm] {
      guard json == nil else { return [] }
      return HTMLForm.all(
        in: response.body, charset: PageEncoding.charset(of: response.fields["Content-Type"]))
    }
  }

  init(_ environment: SessionEnvironment, _ settings: FormSettings, cookies: [Cookie] = []) {
    self.environment = environment
    self.settings = settings
    jar = CookieJar(cookies)
  }

  mutating func get(_ url: HTTPURL) async throws(SDKError) {
    try await send(HTTPRequest(.get, url))
  }

  /// Sends a form of the page at `page`.
  mutating func post(
    _ body: FormBody, to url: HTTPURL, from page: HTTPURL
  ) async throws(SDKError) {
    var request = body.request(to: url, boundary: try MultipartBody.boundary())
    // Frameworks accept a form only from their own pages.
    request.fields.append(HTTPField(known: "Origin", page.origin))
    request.fields.append(
      HTTPField(
        known: "Referer",
        page.sharesOrigin(with: url) ? page.withoutQuery.description : page.origin + "/"))
    try await send(request)
  }

  private mutating func send(_ request: HTTPRequest) async throws(SDKError) {
    var hop = request
    var hops: [HTTPResponse] = []
    while hops.count <= Self.maximumHops {
      guard settings.allows(hop.url) else { throw forbidden(hop.url) }
      let response = try await exchange(hop)
      jar.store(from: response, at: environment.now())
      hops.append(response)
      guard response.isRedirect else {
        page = Page(response: response, url: response.url, hops: hops)
        return
      }
      guard let next = response.redirectTarget else {
        throw SDKError(.malformedResponse, cause: "a redirect of the login leads to no usable URL")
      }
      // The login has ended: it sends no request to a host that is not in form.hosts, and arriving
      // there may be its success.
      guard settings.allows(next), next.scheme == .https || hop.url.scheme == .http else {
        page = Page(response: response, url: next, hops: hops)
        return
      }
      hop = Self.request(after: response, to: hop, next)
    }
    throw SDKError(
      .refused, cause: "the login has more than \(Self.maximumHops) redirects",
      subject: hop.url.host)
  }

  private func exchange(_ request: HTTPRequest) async throws(SDKError) -> HTTPResponse {
    var request = request
    request.timeout = environment.clock.limits.exchange
    // Without application/json: some portals then respond with JSON in place of a page.
    request.fields.append(HTTPField(known: "Accept", "text/html,application/xhtml+xml,*/*;q=0.8"))
    if let cookies = jar.cookies.header(for: request.url, at: environment.now()) {
      request.fields.append(HTTPField(known: "Cookie", cookies))
    }
    return try await attempt {
      try await environment.transport.send(request, limit: Self.maximumPage)
    }
  }

  /// The request after a redirect; as in browsers, a POST becomes a GET, except after 307 and 308.
  private static func request(
    after response: HTTPResponse, to request: HTTPRequest, _ next: HTTPURL
  ) -> HTTPRequest {
    guard [307, 308].contains(response.status) else { return HTTPRequest(.get, next) }
    var repeated = HTTPRequest(request.method, next, body: request.body)
    if let type = request.fields["Content-Type"] {
      repeated.fields.append(HTTPField(known: "Content-Type", type))
    }
    return repeated
  }

  func forbidden(_ url: HTTPURL) -> SDKError {
    SDKError(
      .policy, cause: "the login leads to \(url.origin), which is not in form.hosts",
      subject: url.origin)
  }

  private static let maximumHops = 10
  private static let maximumPage = 1 << 20
}

/// The end of a session of cookies at the provider: the page of `form.logoutURL`.
struct FormLogout {
  let environment: SessionEnvironment
  let session: SessionCookies

  /// Gets the page, and sends its form if it asks for a confirmation.
  func run(at url: HTTPURL) async throws(SDKError) {
    let settings = try FormSettings(environment.profile)
    var pages = FormPages(environment, settings, cookies: session.cookies)
    try await pages.get(url)
    guard let page = pages.page else { return }
    if page.response.status == 405, page.url == url {
      try await pages.post(FormBody(parameters: [:]), to: url, from: url)
    } else if let (step, target) = page.confirmation(of: url, settings) {
      try await pages.post(step.body([:]), to: target, from: page.response.url)
    }
    guard let response = pages.page?.response, response.status >= 400 else { return }
    throw SDKError(response, subject: url.host)
  }
}

extension FormPages.Page {
  /// The form that confirms a logout, and where it is sent: it has no visible field, and its button
  /// posts it to the logout URL.
  fileprivate func confirmation(
    of url: HTTPURL, _ settings: FormSettings
  ) -> (FormStep, HTTPURL)? {
    guard response.status < 400 else { return nil }
    for form in forms where !form.fields.contains(where: \.isVisible) {
      if let step = FormStep([form], settings, hasSentUser: true), step.isPost,
        let target = try? step.target(on: response.url), target.sharesOrigin(with: url),
        target.path == url.path
      {
        return (step, target)
      }
    }
    return nil
  }
}
