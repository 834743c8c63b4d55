public import HTTP
import JSON
import OAuth
import Primitives
import Trace

/// A request as it would be sent, without its credentials.
public struct RequestPreview: Sendable {
  /// Method, URL, fields and body.
  public let request: HTTPRequest
  /// How the credential would be sent: `Bearer`, `DPoP` or `Cookie`; `nil` for none.
  public let tokenType: String?
  /// The value of the field `User-Agent`.
  public let userAgent: String
}

extension ResourceService {
  /// Makes the request that would be sent, and checks it; uses no network.
  ///
  /// - Throws: ``SDKError``, as a request that is sent does before a connection is made.
  public func preview(
    _ request: ResourceRequest, as access: Access
  ) async throws(SDKError) -> RequestPreview {
    let checked = try await checked(request, as: access)
    let stored =
      if let slot = access.slot { try await tokens.slots.provider(in: slot) } else {
        AuthorizationProvider?.none
      }
    let type =
      switch stored {
      case .cookies: "Cookie"
      case .dpop: DPoP.tokenType
      case .bearer, .jwt, nil: "Bearer"
      }
    return RequestPreview(
      request: checked, tokenType: access.slot == nil ? nil : type,
      userAgent: userAgent)
  }

  /// The URL of a request without its parameters; `nil` if it is not valid.
  public func url(of request: ResourceRequest) -> HTTPURL? {
    try? request.resolved(against: profile.resourceURL)
  }
}

extension RequestPreview {
  /// The value of a field, redacted if its name says that it is a secret.
  public func shownValue(of field: HTTPField) -> String {
    TraceSecrets().isSecret(field: field.name)
      ? TraceSecrets.mark : ExchangeText(secrets: TraceSecrets()).redacted(field.value)
  }

  /// The URL, with the secrets of its query redacted.
  public var shownURL: String { ExchangeText(secrets: TraceSecrets()).url(request.url) }

  /// The names of the secret parameters of the URL and of a form or JSON object in the body.
  public var secretParameters: [String] {
    let secrets = TraceSecrets()
    var names = FormParameters(encoded: request.url.query ?? "")?.map(\.name) ?? []
    if case .bytes(let body) = request.body {
      names += (try? JSON(parsing: body))?.object?.map(\.key) ?? []
      names += FormParameters(encoded: String(decoding: body, as: UTF8.self))?.map(\.name) ?? []
    }
    return names.filter { secrets.isSecret(parameter: $0) }
  }

  /// The fields whose values are not shown.
  public var secretFields: [HTTPField] {
    request.fields.filter { TraceSecrets().isSecret(field: $0.name) }
  }

  /// The body as text with its secrets redacted; the length of a stream or a page, in brackets.
  public var bodyText: String? {
    switch request.body {
    case .none: return nil
    case .stream(_, let length):
      return length.map { "[\($0) bytes]" } ?? "[a body of unknown length]"
    case .bytes(let bytes):
      let lines = ExchangeText(secrets: TraceSecrets()).body(
        TracedBody(bytes), request.fields["Content-Type"])
      return lines.dropFirst().joined(separator: "\n")
    }
  }
}
