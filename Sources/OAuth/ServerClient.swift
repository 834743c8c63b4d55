package import HTTP
package import JSON
package import Primitives
import Synchronization

/// Sends requests to an authorization server and reads its JSON responses.
///
/// Limits the size of responses, and turns refusals and malformed
/// responses into errors.
package struct ServerClient: Sendable {
  package let transport: any Transport
  package var timeout: Duration = .seconds(30)
  /// Reads the `Date` of every response; `nil` if it is not needed.
  package var clock: ServerClock?
  /// Adds a proof of possession to each request (RFC 9449); `nil` for no proof.
  package var dpop: DPoP?
  /// Parameters of requests that are secrets, although their names do not say so.
  package var secretNames: [String] = []
  /// Takes lines of a log for people, without secrets; `nil` for none.
  package var trace: (@Sendable (String) -> Void)?
  /// Until when a request must have been sent; `nil` for no limit.
  package var sendBefore: ContinuousClock.Instant?
  /// The access token that the proofs are for; `nil` for none.
  package var boundToken: String?

  package init(
    transport: any Transport, timeout: Duration = .seconds(30), clock: ServerClock? = nil
  ) {
    self.transport = transport
    self.timeout = timeout
    self.clock = clock
  }

  /// Sends and expects a JSON object with status 2xx.
  package func object(_ request: HTTPRequest) async throws(OAuthError) -> JSONObject {
    try Self.object(try await success(request))
  }

  /// A response as a JSON object.
  ///
  /// Some servers return tokens and errors as a form. A body that is not UTF-8 is read as Latin-1: a
  /// description must not hide the error.
  static func object(_ response: HTTPResponse) throws(OAuthError) -> JSONObject {
    if response.mediaType == "application/x-www-form-urlencoded" { return try form(response) }
    let document = try json(response)
    guard let object = document.object else {
      throw OAuthError(.malformed, "the response of \(response.url.host) is not a JSON object")
    }
    return object
  }

  /// Sends and expects status 2xx.
  @discardableResult
  package func success(_ request: HTTPRequest) async throws(OAuthError) -> HTTPResponse {
    var request = request
    request.timeout = request.timeout ?? timeout
    request.sendBefore = sendBefore
    if !request.fields.contains("Accept") {
      request.fields.append(HTTPField(known: "Accept", "application/json"))
    }
    if let dpop { try dpop.prove(&request, accessToken: boundToken) }
    let response: HTTPResponse
    do {
      response = try await transport.send(request, limit: Self.limit)
    } catch {
      throw OAuthError(error)
    }
    clock?.see(response)
    dpop?.learn(from: response)
    guard response.isSuccess, !Self.isRefusal(response) else {
      throw failure(response, to: request)
    }
    return response
  }

  /// Whether a response with status 2xx is a refusal, as some servers send it: others have no such member.
  private static func isRefusal(_ response: HTTPResponse) -> Bool {
    guard let object = try? object(response) else { return false }
    return object["error"]?.string?.isEmpty == false && object["access_token"] == nil
  }

  /// Runs a request to a URL, and repeats it once if the response has another nonce for the proof
  /// (RFC 9449 sections 8 and 9).
  func proving<Value>(
    at url: HTTPURL, _ body: () async throws(OAuthError) -> Value
  ) async throws(OAuthError) -> Value {
    let nonce = dpop?.nonce(for: url)
    do {
      return try await body()
    } catch {
      guard let dpop, error.asksForNonce, !sameIdentifier(dpop.nonce(for: url), nonce) else {
        throw error
      }
      return try await body()
    }
  }

  private static func json(_ response: HTTPResponse) throws(OAuthError) -> JSON {
    do {
      // Less than the maximum depth of the store, so that stored parts can be read again.
      return try JSON(parsing: response.body.withUnsafeBytes(receivedText), maximumDepth: 32)
    } catch {
      let type = response.mediaType.map { " (\(printable($0, limit: 60)))" } ?? ""
      let cause =
        if response.body.isEmpty { "it is empty" } else if let coding = response.coding {
          "it is encoded with \(coding), although no coding was accepted"
        } else { error.description }
      throw OAuthError(
        .unavailable, "the response of \(response.url.host)\(type) is not JSON: \(cause)",
        reason: response.mediaType == "text/html" ? .page : nil)
    }
  }

  private static func form(_ response: HTTPResponse) throws(OAuthError) -> JSONObject {
    let text = response.body.withUnsafeBytes(receivedText)
    guard let form = FormParameters(encoded: text, takesLatin1: true), !form.isEmpty,
      !form.dropFirst(64).contains(where: { _ in true }),
      form.allSatisfy({ form.values(of: $0.name).count == 1 })
    else {
      throw OAuthError(
        .malformed, "the response of \(response.url.host) is not a form with different names")
    }
    return JSONObject(form.map { ($0.name, .string($0.value)) })
  }

  /// What a response means that is no success: here it is decided whether another try may help.
  private func failure(_ response: HTTPResponse, to request: HTTPRequest) -> OAuthError {
    let host = response.url.host
    if response.status >= 500 {
      return OAuthError(.unavailable, "\(host) \(response.returned)", pause: response.pause)
    }
    if (300..<400).contains(response.status) {
      return OAuthError(
        .unavailable, "\(host) returned \(response.status), but such a request follows no redirect",
        reason: .page, pause: response.pause)
    }
    if let message = response.certificateRefusal {
      return OAuthError(TransportError(.clientCertificateRequired, message, host: host))
    }
    if response.isPageOfAnother {
      return OAuthError(
        .unavailable,
        "\(host) \(response.returned) and a page: the network may ask for a login of its own",
        reason: .page)
    }
    let document: JSON?
    do throws(OAuthError) { document = .object(try Self.object(response)) } catch {
      if response.isCut { return error }
      document = nil
    }
    let number = ServerError.number(in: document)
    let echo = SecretEcho(of: request, naming: secretNames)
    guard let error = document?["error"]?.string, !error.isEmpty else {
      let reason = (document?.otherReason ?? response.challengedFor).flatMap(echo.description)
      return OAuthError(
        response.asksForLater ? .unavailable : .refused,
        "\(host) \(response.returned)" + (reason.map { " (\(printable($0, limit: 200)))" } ?? ""),
        server: ServerError(error: "", description: nil, status: response.status, number: number),
        pause: response.pause)
    }
    let server = ServerError(
      error: echo.code(error),
      description: (document?["error_description"]?.string).flatMap(echo.description),
      status: response.status, number: number)
    let mayPass = response.asksForLater || server.error == "temporarily_unavailable"
    return OAuthError(
      mayPass ? .unavailable : .refused, server.summary, server: server, pause: response.pause)
  }

  /// The maximum size of a token response, a metadata document or a key set.
  private static let limit = 1 << 20
}

extension HTTPResponse {
  /// Whether a proxy or the page of a network's login refuses: no endpoint of these protocols returns a page.
  fileprivate var isPageOfAnother: Bool { status == 403 && mediaType == "text/html" }

  /// The coding of the body; `nil` for none.
  fileprivate var coding: String? {
    guard let coding = fields["Content-Encoding"]?.asciiLowercased, coding != "identity" else {
      return nil
    }
    return VisibleText.quoted(coding)
  }

  /// What `WWW-Authenticate` says about a token (RFC 6750 section 3), as the userinfo endpoint does.
  fileprivate var challengedFor: String? {
    challenges.lazy.flatMap { [$0["error_description"], $0["error"]] }
      .first { $0?.isEmpty == false } ?? nil
  }

  /// Whether a body that is no object began as one, so that its end is missing.
  fileprivate var isCut: Bool { isJSON && body.first { !$0.isSpace } == UInt8(ascii: "{") }
}

extension JSON {
  /// What a refusal without an error code of OAuth says: Okta, Facebook, RFC 9457 and others.
  fileprivate var otherReason: String? {
    let places = [
      self["error_description"], self["errorSummary"], self["error"]?["message"], self["message"],
      self["detail"], self["title"],
    ]
    return places.compactMap { $0?.string }.first { !$0.isEmpty }
  }
}

extension OAuthError {
  /// A resource says so in a header field; only its status is known here.
  fileprivate var asksForNonce: Bool {
    guard let server else { return false }
    return server.error == "use_dpop_nonce" || (server.status == 401 && server.error.isEmpty)
  }
}

/// Compares this machine's clock with the `Date` of a server's responses (RFC 9110 section 6.6.1).
///
/// It decides nothing: it only explains, once, why tokens are refused.
package final class ServerClock: Sendable {
  private struct State {
    var behind: Int64?
    var isTold = false
  }

  private let now: @Sendable () -> Timestamp
  private let tell: (@Sendable (Int64) -> Void)?
  private let state = Mutex(State())

  /// `tell` is called once with the seconds that this machine is behind; negative if it is ahead.
  package init(
    now: @escaping @Sendable () -> Timestamp, tell: (@Sendable (Int64) -> Void)? = nil
  ) {
    self.now = now
    self.tell = tell
  }

  /// By how many seconds this machine is behind, negative if it is ahead; `nil` while the clocks agree.
  package var behind: Int64? { state.withLock { $0.behind } }

  /// Reads the time of a response; a difference is reported if the server refused something.
  package func see(_ response: HTTPResponse) {
    guard let date = response.fields["Date"].flatMap(HTTPDate.read) else { return }
    let difference = date.seconds(since: now())
    state.withLock {
      $0.behind = difference.magnitude > Self.tolerance.magnitude ? difference : nil
    }
    if Self.refusals.contains(response.status) { tellOnce() }
  }

  /// Reports a difference of the clocks, if that was not done yet.
  package func tellOnce() {
    let news = state.withLock { state -> Int64? in
      guard !state.isTold, let behind = state.behind else { return nil }
      state.isTold = true
      return behind
    }
    if let news { tell?(news) }
  }

  /// The errors of a server for what seems to be expired or not yet valid.
  private static let refusals: Set<Int> = [400, 401, 403]

  /// The difference in seconds that checks of tokens accept.
  private static let tolerance: Int64 = 60
}
