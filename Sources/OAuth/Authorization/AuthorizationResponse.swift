import HTTP
import JOSE
import JSON
import OpenSSL
package import Primitives

/// The response at the redirect URI (RFC 6749 section 4.1.2, RFC 9207).
package struct AuthorizationResponse: Sendable {
  private let parameters: FormParameters

  /// The maximum size of an encoded response: a form may have a long token, a query is shorter.
  static let maximumByteCount = 65_536

  /// Reads an encoded query or form; `nil` if it is neither.
  package init?(encoded text: String) {
    // A description in another encoding must not hide that this is the response.
    guard text.utf8.count <= Self.maximumByteCount,
      let parameters = FormParameters(encoded: text, takesLatin1: true)
    else { return nil }
    self.parameters = parameters
  }

  /// Reads what a person pasted: the address that the browser was sent to, or its query alone.
  package init?(pasted text: String) {
    let address = text.prefix { $0 != "#" }
    let query = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).last
    self.init(encoded: String((query ?? "").filter { !$0.isWhitespace }))
  }

  /// Why a person should paste again; `nil` for a response that decides the login.
  package func flaw(for request: AuthorizationRequest) -> String? {
    let parameters = content(for: request)
    if parameters.isEmpty { return "the address contains no response" }
    if parameters["state"] == nil {
      return "it has no state, so it cannot be matched with this login"
        + (parameters.error.map { Self.claim(of: $0, parameters["error_description"]) } ?? "")
    }
    if !matches(request) { return "it belongs to another login (its state differs)" }
    if parameters.error == nil, parameters["code"]?.isEmpty ?? true {
      return "it has neither code nor error; it seems to be cut off"
    }
    return nil
  }

  /// The error of a response without `state`, as some servers send it; it belongs to no login.
  var statelessError: String? { parameters["state"] == nil ? parameters.error : nil }

  /// Whether this is the response to that request: only its `state` decides.
  package func matches(_ request: AuthorizationRequest) -> Bool {
    let states = content(for: request).values(of: "state")
    return states.count == 1 && ConstantTime.equal(states[0], request.state)
  }

  /// Verifies a response that is a token; a plain one has nothing to verify.
  package func verify(
    for request: AuthorizationRequest, from server: ServerMetadata, at now: Timestamp,
    with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) {
    guard request.expectsToken else { return }
    guard let token = ResponseToken(parameters, request.encryption) else {
      throw OAuthError(
        .untrusted, "the authorization response is not a token, though one was requested")
    }
    try await token.verify(for: request, from: server, at: now, with: keys)
  }

  /// The code of a response that passes all checks.
  ///
  /// A response that is a token must have been verified.
  ///
  /// - Throws: ``OAuthError``: `denied` for `access_denied`, `refused` for another
  ///   error, `untrusted` for a wrong state or issuer, `malformed` otherwise.
  package func code(
    for request: AuthorizationRequest, from server: ServerMetadata
  ) throws(OAuthError) -> String {
    let parameters = content(for: request)
    guard matches(request) else {
      throw OAuthError(.untrusted, "the response belongs to another login (state differs)")
    }
    for name in ["code", "error", "iss"] where parameters.values(of: name).count > 1 {
      throw OAuthError(.malformed, "the authorization response repeats '\(name)'")
    }
    if let issuer = parameters["iss"] {
      guard sameIdentifier(issuer, server.issuer.text) else {
        throw OAuthError(
          .untrusted, "the response comes from another issuer, '\(printable(issuer, limit: 200))'")
      }
    } else if server.sendsIssuer {
      throw OAuthError(
        .untrusted,
        "the response names no issuer, but this server always does"
          + (parameters.error.map { Self.claim(of: $0, parameters["error_description"]) } ?? ""))
    }
    if let error = parameters.error {
      throw refusal(error, parameters["error_description"])
    }
    guard let code = parameters["code"], !code.isEmpty else {
      throw OAuthError(.malformed, "the authorization response has neither code nor error")
    }
    return code
  }

  /// The parameters of the response; if a token was requested, only those of the token.
  private func content(for request: AuthorizationRequest) -> FormParameters {
    guard request.expectsToken else { return parameters }
    return ResponseToken(parameters, request.encryption)?.parameters ?? [:]
  }

  /// The error of a response that is not trusted, as a clause of a message.
  private static func claim(of error: String, _ description: String?) -> String {
    "; it claims the error \(ServerError(error: error, description: description).summary)"
  }

  private func refusal(_ error: String, _ description: String?) -> OAuthError {
    let server = ServerError(error: error, description: description)
    let code: OAuthError.Code =
      switch error {
      case "access_denied": .denied
      case "temporarily_unavailable": .unavailable
      default: .refused
      }
    return OAuthError(code, server.summary, server: server)
  }
}

extension FormParameters {
  /// The code of an error; a parameter without a value is one that is not there (RFC 6749 section 3.1).
  fileprivate var error: String? { self["error"].flatMap { $0.isEmpty ? nil : $0 } }
}

/// How the browser sends the authorization response.
public enum ResponseMode: String, Sendable, CaseIterable {
  /// In the query of the redirect URI; the default of the code flow.
  case query
  /// In a form that the browser posts (OAuth 2.0 Form Post Response Mode).
  case formPost = "form_post"
  /// In the query, as a signed token (JWT Secured Authorization Response Mode, JARM).
  case queryToken = "query.jwt"
  /// In a form, as a signed token.
  case formPostToken = "form_post.jwt"

  package var isToken: Bool { self == .queryToken || self == .formPostToken }

  /// Whether the browser posts it.
  package var isForm: Bool { self == .formPost || self == .formPostToken }
}

/// An authorization response as a token (JWT Secured Authorization Response Mode, JARM).
struct ResponseToken: Sendable {
  private let response: SignedResponse

  /// Reads the `response` parameter; `nil` if it is not a token or repeated.
  init?(_ parameters: FormParameters, _ encryption: ResponseEncryption) {
    let values = parameters.values(of: "response")
    guard values.count == 1, let opened = try? encryption.decrypted(values[0], .authorization),
      let response = try? SignedResponse(opened, ResponseEncryption.Kind.authorization.noun)
    else { return nil }
    self.response = response
  }

  /// The parameters of the response, which must not be trusted before ``verify(for:from:at:with:)``
  /// returns; the `iss` of the token is that of RFC 9207.
  var parameters: FormParameters {
    var parameters: FormParameters = [:]
    for name in ["code", "state", "iss", "error", "error_description"] {
      if let value = response.token.string(name) { parameters.append(name, value) }
    }
    return parameters
  }

  /// Checks the signature, audience, issuer and expiration of the response (section 2.4).
  func verify(
    for request: AuthorizationRequest, from server: ServerMetadata, at now: Timestamp,
    with keys: () throws(OAuthError) -> KeySet
  ) async throws(OAuthError) {
    try await response.verify(
      TokenExpectations(server, for: request.clientID, at: now),
      allowed: request.encryption.signatures(of: .authorization, from: server), with: keys)
  }
}
