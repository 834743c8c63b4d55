package import HTTP
package import JSON
import Primitives

/// How a credential is encoded; no metadata says what a server expects.
package enum CredentialForm: String, Sendable, CaseIterable {
  /// Client id and secret of a Basic credential are form-encoded (RFC 6749 section 2.3.1).
  case formEncoded = "form"
  /// Client id and secret of a Basic credential are not encoded.
  case raw
  /// The audience of an assertion is the issuer.
  case issuer
  /// The audience of an assertion is the URL of the request.
  case endpoint
  /// The audience of an assertion is the token endpoint, at another endpoint.
  case tokenEndpoint
  /// The secret is in the body at an endpoint that takes no Basic credential, although it announces both.
  case body
}

extension ClientAuthentication {
  /// The forms to try at an endpoint, in order; at least one.
  ///
  /// The form that the server accepted before comes first. An assertion names the issuer
  /// (RFC 9126 section 2), then the endpoint, which some servers require.
  func forms(at url: HTTPURL) -> [CredentialForm] {
    let all = allForms(at: url)
    let known = acceptedForms?.value(of: formKey) ?? acceptedForms?.value(of: clientID)
    guard let known, all.contains(known) || known == .body && takesSecretInBody else { return all }
    return [known] + all.filter { $0 != known }
  }

  /// Under which name the accepted form is kept: what an endpoint of its own takes is its own.
  private var formKey: String { takesSecretInBody ? "\(clientID) revocation" : clientID }

  private func allForms(at url: HTTPURL) -> [CredentialForm] {
    if method == .basic {
      if let encodesBasic { return [encodesBasic ? .formEncoded : .raw] }
      return isChangedByEncoding ? [.formEncoded, .raw] : [.formEncoded]
    }
    guard method.isAssertion else { return [.formEncoded] }
    var seen: Set<String> = []
    return [CredentialForm.issuer, .endpoint, .tokenEndpoint].filter { form in
      audience(form, at: url).map { seen.insert($0).inserted } ?? false
    }
  }

  /// Whether client id or secret differ from their form-encoded text.
  private var isChangedByEncoding: Bool {
    [clientID, secret].contains { FormParameters.encode($0) != $0 }
  }

  /// The possible cause after every form was refused.
  private var refusal: RefusedClient {
    if method == .basic, encodesBasic == true, isChangedByEncoding { return .encoded }
    return isGiven ? .given : .registered
  }

  /// The audience of an assertion; `nil` if the server does not name it.
  func audience(_ form: CredentialForm, at url: HTTPURL) -> String? {
    switch form {
    case .issuer: issuer
    case .tokenEndpoint: tokenEndpoint
    case .endpoint, .formEncoded, .raw, .body: url.description
    }
  }

  /// Sends a form as the client, with one form of its credential after the other until the
  /// server accepts the client.
  func sending<Value>(
    _ parameters: FormParameters, to url: HTTPURL,
    _ send: (HTTPRequest) async throws(OAuthError) -> Value
  ) async throws(OAuthError) -> Value {
    var forms = forms(at: url)[...]
    let first = forms.removeFirst()
    var form = first
    while true {
      do {
        let value = try await send(try authenticate(url, parameters, as: form))
        if form != first { acceptedForms?.store(form, of: form == .body ? formKey : clientID) }
        return value
      } catch {
        if error.server?.error == "unauthorized_client" {
          throw error.naming(
            parameters["grant_type"], reason: .refusedClient(isGiven ? .given : .registered))
        }
        if error.missesSecret, takesSecretInBody, form != .body {
          form = .body
          forms = []
          continue
        }
        guard error.refusesClient else { throw error }
        guard let next = forms.popFirst() else {
          if let registered = asRegistered {
            return try await registered.sending(parameters, to: url, send)
          }
          var error = error
          error.reason = .refusedClient(refusal)
          throw error
        }
        form = next
      }
    }
  }
}

extension OAuthError {
  /// The refusal of a grant to a client, with the name of the grant; a request for codes has none.
  fileprivate func naming(_ grant: String?, reason: Reason) -> OAuthError {
    let cause = grant.map { ": this client may not use the grant '\($0)'" } ?? ""
    return OAuthError(
      code, message + cause, server: server, transport: transport, reason: reason)
  }

  /// Whether the server reads the secret in the body only, and found none there.
  fileprivate var missesSecret: Bool {
    guard let server, server.error == "invalid_request" else { return false }
    return server.description?.containsText("client_secret") ?? false
  }

  /// Whether the server refused the client, not its request.
  ///
  /// Glewlwyd uses only the status 403 for that.
  fileprivate var refusesClient: Bool {
    guard code == .refused, let server else { return false }
    return server.error == "invalid_client"
      || ([401, 403].contains(server.status) && server.error.isEmpty)
  }
}

extension ServerClient {
  package func object(
    _ parameters: FormParameters, to url: HTTPURL, as client: ClientAuthentication
  ) async throws(OAuthError) -> JSONObject {
    try await client.sending(parameters, to: url) { (request) async throws(OAuthError) in
      try await object(request)
    }
  }

  @discardableResult
  package func success(
    _ parameters: FormParameters, to url: HTTPURL, as client: ClientAuthentication
  ) async throws(OAuthError) -> HTTPResponse {
    try await client.sending(parameters, to: url) { (request) async throws(OAuthError) in
      try await success(request)
    }
  }
}

/// Values from servers, by name, kept between uses.
///
/// A value that is lost costs one more request, so failures are not reported.
package protocol ServerCache<Value>: Sendable {
  associatedtype Value: Sendable

  /// The value of that name; `nil` if there is none that can be used.
  func value(of name: String) -> Value?

  /// Keeps a value, in place of an older one.
  func store(_ value: Value, of name: String)
}
