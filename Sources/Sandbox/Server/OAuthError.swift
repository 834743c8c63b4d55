import JSON

/// A refusal in the form of RFC 6749 section 5.2: a status, a code, and a sentence.
struct OAuthError: Error, Sendable, Equatable {
  let status: HTTPStatus
  let code: String
  let message: String
  var challenge: String?
  var dpopNonce: String?
  /// Seconds after which the client may try again.
  var retryAfter: Int?
  /// The number that the vendor's server adds.
  var number: Int?

  init(
    _ code: String, _ message: String, status: Int = 400, challenge: String? = nil,
    dpopNonce: String? = nil, retryAfter: Int? = nil, number: Int? = nil
  ) {
    self.number = number
    self.code = code
    self.message = message
    self.status = HTTPStatus(code: status)
    self.challenge = challenge
    self.dpopNonce = dpopNonce
    self.retryAfter = retryAfter
  }

  static func invalidRequest(_ message: String) -> OAuthError { .init("invalid_request", message) }
  static func invalidGrant(_ message: String) -> OAuthError { .init("invalid_grant", message) }
  static func invalidScope(_ message: String) -> OAuthError { .init("invalid_scope", message) }
  static func invalidMetadata(_ message: String) -> OAuthError {
    .init("invalid_client_metadata", message)
  }

  static func invalidClient(_ message: String) -> OAuthError {
    .init(
      "invalid_client", message, status: 401, challenge: "Basic realm=\"sandbox token server\"")
  }

  /// A refusal of a bearer token (RFC 6750 section 3).
  static func invalidToken(_ message: String, scheme: String = "Bearer") -> OAuthError {
    .init(
      "invalid_token", message, status: 401,
      challenge: "\(scheme) error=\"invalid_token\", error_description=\"\(message)\"")
  }

  var json: JSON {
    guard let number else {
      return ["error": .string(code), "error_description": .string(message)]
    }
    return [
      "error": .string(code), "error_description": .string(message), "error_code": .int(number),
    ]
  }
}

extension OAuthError {
  var headers: Fields {
    var fields: Fields = [:]
    fields[.wwwAuthenticate] = challenge
    fields[.dpopNonce] = dpopNonce
    fields[.retryAfter] = retryAfter.map(String.init)
    return fields
  }

  var answer: Response {
    var answer = Response.json(json, status: status)
    for field in headers { answer.headers[field.name] = field.value }
    return answer
  }
}
