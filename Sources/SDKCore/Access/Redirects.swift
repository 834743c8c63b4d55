import HTTP

/// Follows redirects, one hop at a time (RFC 9110 section 15.4).
///
/// Every hop passes the transport's checks anew, pins included. The token goes to
/// the first origin only; from https nothing leads to http.
struct Redirects: Sendable {
  let transport: any Transport
  /// Whether the body of a 401 is kept from the receiver, because the request may be sent again.
  let holdsBack401: Bool

  func send(
    _ request: HTTPRequest, token: String?, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    var hop = request
    for _ in 0...Self.limit {
      var sent = hop
      if let token, hop.url.sharesOrigin(with: request.url) {
        sent.fields.append(HTTPField(known: "Authorization", "Bearer \(token)"))
      }
      let response = try await transport.send(sent, receiving: gated(body))
      guard let next = try next(after: response, to: hop) else { return response }
      hop = next
    }
    throw TransportError(
      .malformed, "more than \(Self.limit) redirects", host: request.url.host)
  }

  /// The request of the next hop; `nil` when the response is no redirect.
  private func next(
    after response: HTTPResponse, to request: HTTPRequest
  ) throws(TransportError) -> HTTPRequest? {
    guard Self.isRedirect(response), let location = response.fields["Location"] else { return nil }
    let url: HTTPURL
    do {
      url = try request.url.resolving(location)
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
      for name in ["Cookie", "Proxy-Authorization", "Host", "Origin"] { next.fields.remove(name) }
    }
    let isRewritten =
      response.status == 303 || (request.method == .post && [301, 302].contains(response.status))
    if isRewritten, request.method != .head {
      next.method = .get
      next.body = .none
      for name in ["Content-Type", "Content-Encoding"] { next.fields.remove(name) }
    } else if case .stream(let source, _) = request.body, !source.rewind() {
      throw TransportError(
        .input, "the redirect asks for the body again, but it cannot be read twice",
        host: request.url.host)
    }
    return next
  }

  private func gated(_ body: HTTPBodyReceiver) -> HTTPBodyReceiver {
    guard case .sink(let sink) = body else { return body }
    return .sink(Gate(sink, holdsBack401: holdsBack401))
  }

  static func isRedirect(_ response: HTTPResponse) -> Bool {
    [301, 302, 303, 307, 308].contains(response.status) && response.fields.contains("Location")
  }

  /// How many redirects a request may meet.
  private static let limit = 10
}
