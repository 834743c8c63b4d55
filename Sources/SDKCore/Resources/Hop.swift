import HTTP
import OAuth
import Primitives

/// A request on its way: where it is now, and what goes with it.
struct Hop: Sendable {
  let first: HTTPRequest
  private(set) var request: HTTPRequest
  let transport: any Transport
  /// What the slot of the access had; `nil` for an access without a slot.
  var provider: AuthorizationProvider?
  /// What is sent of it; nothing once a redirect has led to another origin.
  private(set) var credential: Credential?
  /// Gets another credential if a server refuses this one; `nil` if nobody does.
  var renewer: (any RequestObserver)?
  private(set) var isAtOrigin = true
  private var earlier = EarlierHops()

  /// Makes a request at its first URL; `request` also has the certificate of the credential.
  init(
    _ first: HTTPRequest, _ request: HTTPRequest, over transport: any Transport,
    with credential: Credential?
  ) {
    self.first = first
    self.request = request
    self.transport = transport
    self.credential = credential
  }

  func addMetrics(to response: inout HTTPResponse) {
    earlier.add(to: &response, request, first: first)
  }

  mutating func pass(_ metrics: TransferMetrics?) {
    if let metrics { earlier.append(metrics) }
  }

  var action: String { "could not fetch \(first.url.origin)\(first.url.path)" }

  mutating func follow(
    _ response: HTTPResponse, mayCarryBody: (HTTPURL) -> Bool
  ) throws(TransportError) {
    guard let location = response.fields.first("Location") else { return }
    let url: HTTPURL
    do {
      url = try request.url.resolving(location.uriReference)
    } catch {
      throw TransportError(
        .refused, "the redirect leads to no usable URL: \(error)", host: request.url.host)
    }
    let isElsewhere = !url.sharesOrigin(with: request.url)
    var next = try moved(to: url, by: "the redirect")
    let isRewritten =
      response.status == 303 || (request.method == .post && [301, 302].contains(response.status))
    if isRewritten, request.method != .head {
      next.method = .get
      next.body = .none
      for name in Self.bodyFields { next.fields.remove(name) }
    } else if isElsewhere, next.hasBody, !mayCarryBody(url) {
      throw TransportError(
        .refused,
        "the redirect would take the body to \(url.origin), which is not in allowedHosts",
        host: request.url.host)
    } else if !request.body.rewind() {
      throw TransportError(
        .requestBodyFailed, "the redirect asks for the body again, but it cannot be read twice",
        host: request.url.host)
    }
    guard earlier.redirects < Self.limit else {
      throw TransportError(
        .malformed, "more than \(Self.limit) redirects", host: first.url.host)
    }
    go(next)
    earlier.redirects += 1
  }

  /// Goes to the URL of a page that an earlier response named, under the rules of a redirect.
  mutating func turn(to page: HTTPURL) throws(TransportError) {
    go(try moved(to: page, by: "the link to the next page"))
  }

  private mutating func go(_ next: HTTPRequest) {
    if !next.url.sharesOrigin(with: request.url) { (credential, isAtOrigin) = (nil, false) }
    request = next
  }

  /// The request at another URL: what may be a credential does not go to another origin.
  private func moved(to url: HTTPURL, by cause: String) throws(TransportError) -> HTTPRequest {
    guard request.url.scheme == .http || url.scheme == .https else {
      throw TransportError(.refused, "\(cause) leads from https to http", host: request.url.host)
    }
    var next = request
    next.url = url
    guard !url.sharesOrigin(with: request.url) else { return next }
    next.clientCertificate = nil
    for field in request.fields where !Self.sharedFields.contains(field.name.asciiLowercased) {
      next.fields.remove(field.name)
    }
    return next
  }

  /// The fields that other origins get too; any other field may be a credential.
  private static let sharedFields: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control",
    "content-encoding", "content-language", "content-type", "if-match", "if-modified-since",
    "if-none-match", "if-range", "if-unmodified-since", "range",
  ]

  private static let bodyFields = [
    "Content-Type", "Content-Encoding", "Content-Language", "Content-Location",
  ]

  private static let limit = 10
}

extension HTTPRequest {
  fileprivate var hasBody: Bool {
    if case .none = body { false } else { true }
  }
}

extension HTTPBody {
  /// Moves a stream back to its start; `false` if it can be read only once.
  package func rewind() -> Bool {
    switch self {
    case .none, .bytes: true
    case .stream(let source, _): source.rewind()
    }
  }

  package var mayRewind: Bool {
    switch self {
    case .none, .bytes: true
    case .stream(let source, _): source.mayRewind
    }
  }
}

/// The metrics of the hops before the last one, which are added to those of the last response.
struct EarlierHops {
  var redirects = 0
  private var time = Duration.zero
  private var headerSize = 0
  private var requestSize = 0
  private var connections = 0

  mutating func append(_ metrics: TransferMetrics) {
    time += metrics.total
    headerSize += metrics.headerSize
    requestSize += metrics.requestSize
    connections += metrics.connections
  }

  /// Adds the metrics of earlier hops to those of a response to `hop`; the first hop was `first`.
  func add(to response: inout HTTPResponse, _ hop: HTTPRequest, first: HTTPRequest) {
    var metrics = response.metrics
    metrics.redirects = redirects
    metrics.redirect = time
    metrics.headerSize += headerSize
    metrics.requestSize += requestSize
    metrics.connections += connections
    metrics.redirectedMethod = hop.method == first.method ? nil : hop.method
    response.metrics = metrics
  }
}
