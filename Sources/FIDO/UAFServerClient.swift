import HTTP
import JSON
import OpenSSL
import Pinning
import Primitives
import SDKCore
import UAF

/// Requests to a FIDO UAF server, as nevisFIDO has them.
struct UAFServerClient: Sendable {
  let environment: SessionEnvironment
  let settings: FIDOSettings

  /// Asks for the request of an operation.
  ///
  /// - Throws: ``SDKError`` for any status but 1200.
  func request(
    _ operation: UAFOperation, _ context: JSON, with credential: Credential? = nil
  ) async throws(SDKError) -> ServedRequest {
    let url = try settings.url(operation.requestPath)
    let remedy: Remedy? = operation == .deregistration ? nil : .registerFIDO
    let response = try await send(
      .post, settings.message(operation, context), to: url, with: credential, registration: remedy)
    let message = try attempt { try ReturnUAFRequest(parsing: response.body) }
    let host = response.url.host
    if let error = SDKError(message.status, from: host, registration: remedy) { throw error }
    guard let request = message.request else {
      throw SDKError(.malformedResponse, cause: "the response of \(host) has no request")
    }
    return ServedRequest(text: request, channelBinding: ChannelBinding(of: response))
  }

  /// Sends the response to a request: a message of the authenticator.
  ///
  /// Returns the verdict, whatever it is, with the HTTP response.
  func send(
    _ message: String, of operation: UAFOperation
  ) async throws(SDKError) -> (verdict: ServerResponse, response: HTTPResponse) {
    let url = try settings.url(operation.responsePath)
    let response = try await send(
      .post, (SendUAFResponse(message).encoded, Self.mediaType), to: url)
    return (try attempt { try ServerResponse(parsing: response.body) }, response)
  }

  /// A body with its media type, without parameters.
  typealias Body = (text: String, type: String)

  /// Sends a request, whose response must be a success; `type` is the media type of the response, and `registration`
  /// what helps if the server does not know the key.
  func send(
    _ method: HTTPMethod, _ body: Body?, accepting type: String = mediaType, to url: HTTPURL,
    with credential: Credential? = nil, registration: Remedy? = .registerFIDO
  ) async throws(SDKError) -> HTTPResponse {
    var request = HTTPRequest(
      method, url, timeout: environment.clock.limits.bounded(settings.networkTimeout))
    if let body {
      request.body = .bytes(Array(body.text.utf8))
      request.fields.append(HTTPField(known: "Content-Type", "\(body.type);charset=UTF-8"))
    }
    request.fields.append(HTTPField(known: "Accept", type))
    request.describesCertificates = true
    let prepared = request
    let response = try await attempt {
      var request = prepared
      try credential?.authorize(&request)
      return try await environment.transport.send(request, limit: Self.limit)
    }
    guard response.isSuccess else { throw refusal(response, registration) }
    return response
  }

  /// The error of an HTTP error, which may have a status of UAF.
  private func refusal(_ response: HTTPResponse, _ registration: Remedy?) -> SDKError {
    let host = response.url.host
    if let verdict = try? ServerResponse(parsing: response.body),
      let error = SDKError(
        verdict.status, from: host, saying: verdict.description, registration: registration)
    {
      return error
    }
    let cause = "\(host) returned \(response.status)"
    switch response.status {
    case 401:
      return SDKError(.notAuthenticated, cause: "\(cause): it requires a login", subject: host)
    case 422:
      return SDKError(
        .refused, cause: "\(cause): the name is in use, or the dispatcher is not known",
        subject: host)
    default: return SDKError(response, subject: host)
    }
  }

  static func json(_ document: JSON) -> Body { (document.serialized(), jsonType) }

  static let mediaType = "application/fido+uaf"
  static let jsonType = "application/json"
  private static let limit = 1 << 20
}

extension UAFOperation {
  fileprivate var requestPath: Key<String> {
    switch self {
    case .registration: FIDOKeys.registrationRequestPath
    case .authentication: FIDOKeys.authenticationRequestPath
    case .deregistration: FIDOKeys.deregistrationRequestPath
    }
  }

  /// A deregistration has no response; its path is not used.
  fileprivate var responsePath: Key<String> {
    self == .registration ? FIDOKeys.registrationResponsePath : FIDOKeys.authenticationResponsePath
  }
}

/// A request of a FIDO server, with what is known of the connection on which it came.
struct ServedRequest: Sendable {
  let text: String
  let channelBinding: ChannelBinding
}

extension ChannelBinding {
  /// The binding to the certificate of the server (`tls-server-end-point`, RFC 5929 section 4).
  ///
  /// It is absent on a connection that was open before, which does not show the certificate again, and
  /// for signatures without one digest, for which RFC 5929 defines none.
  init(of response: HTTPResponse) {
    self.init()
    func value(_ name: String) -> String? {
      response.certificates.first?.first { $0.hasPrefix("\(name):") }.map {
        String($0.dropFirst(name.count + 1))
      }
    }
    guard let algorithm = value("Signature Algorithm").flatMap(Self.digest),
      let pem = value("Cert"),
      let certificate = try? Certificate.list(pem: Array(pem.utf8)).first
    else { return }
    serverEndPoint = try? Digest.hash(certificate.der, with: algorithm)
  }

  /// The digest of a signature, with SHA-256 in place of weaker ones; `nil` if there is not exactly one.
  private static func digest(ofSignature name: String) -> DigestAlgorithm? {
    let name = name.asciiLowercased
    if name.containsText("sha384") { return .sha384 }
    if name.containsText("sha512") { return .sha512 }
    return ["sha256", "sha1", "md5"].contains(where: name.containsText) ? .sha256 : nil
  }
}

/// Checks that the application of a request trusts this client's facet.
struct FacetCheck: Sendable {
  let environment: SessionEnvironment
  let settings: FIDOSettings
  let cache: TrustCache

  /// Refuses the request of an application that does not list the facet.
  func requireTrust(of header: OperationHeader) async throws(SDKError) {
    let facetID = settings.facetID
    let appID = header.application(of: facetID)
    if let only = settings.profile[FIDOKeys.appID], !sameIdentifier(only, appID) {
      throw refusal("the application '\(VisibleText.of(appID))' is not that of fido.appID")
    }
    let application = try attempt { try ApplicationID(appID, facetID: facetID) }
    guard case .listed(let url) = application else { return }
    // A list that was kept may be older than the facet.
    if let kept = kept(url), trusts(kept, header, url) { return }
    guard trusts(try await fetched(url), header, url) else {
      throw refusal("the application \(url) does not list the facet '\(facetID)' (fido.facetID)")
    }
  }

  private func trusts(_ list: TrustedFacets, _ header: OperationHeader, _ url: HTTPURL) -> Bool {
    list.trust(
      settings.facetID, in: header.version, of: url,
      isPublicSuffix: PublicSuffix.contains)
  }

  private func refusal(_ cause: String) -> SDKError {
    SDKError(UAFError(.untrustedFacetID, cause))
  }

  /// The list at a URL, which is kept for an hour.
  private func fetched(_ url: HTTPURL) async throws(SDKError) -> TrustedFacets {
    var next = url
    for _ in 0...FacetRedirect.limit {
      let request = HTTPRequest(
        .get, next, fields: [HTTPField(known: "Accept", TrustedFacets.mediaType)],
        timeout: environment.clock.limits.bounded(settings.networkTimeout))
      let response = try await attempt {
        try await environment.transport.send(request, limit: Self.limit)
      }
      let target = try attempt { try FacetRedirect.target(of: response) }
      if let target {
        next = target
        continue
      }
      let list = try attempt { try TrustedFacets(response) }
      cache.file("facets", url.description)?.write([
        "document": .string(String(decoding: response.body, as: UTF8.self)),
        "expires": .time(environment.now() + Self.freshness),
      ])
      return list
    }
    throw refusal("the list of trusted facets has more than \(FacetRedirect.limit) redirects")
  }

  private func kept(_ url: HTTPURL) -> TrustedFacets? {
    let now = environment.now()
    guard let members = cache.file("facets", url.description)?.read(),
      let expires = members["expires"]?.time, expires > now, expires <= now + Self.freshness,
      let text = members["document"]?.string
    else { return nil }
    return try? TrustedFacets(parsing: Array(text.utf8))
  }

  private static let freshness: Int64 = 3600
  private static let limit = 1 << 18
}
