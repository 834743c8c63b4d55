import OAuth
import Primitives

/// Decides whether an address is the response to an authorization request.
struct ExpectedResponse: Sendable {
  enum Source: Sendable {
    /// A browser: a request with the right URI and state decides, with success or with an error.
    case browser
    /// A person, who may leave out what is hidden in an address bar, or cut something off.
    case person
  }

  let request: AuthorizationRequest
  let source: Source
  var userID = UserID.standard
  let action: String

  func read(_ address: String) throws(ResponseFlaw) -> AuthorizationResponse {
    guard let response = try response(address) else { throw ResponseFlaw("it is badly encoded") }
    let flaw = response.flaw(for: request)
    guard response.matches(request) else {
      throw ResponseFlaw(flaw ?? "its state differs", concernsState: true)
    }
    if source == .person, let flaw { throw ResponseFlaw(flaw) }
    return response
  }

  func error(_ flaw: ResponseFlaw, _ cause: String) -> SDKError {
    SDKError(
      .untrusted, "\(action): \(cause)", resource: flaw.concernsState ? .invalidState : nil)
  }

  private func response(_ address: String) throws(ResponseFlaw) -> AuthorizationResponse? {
    let carried = source == .person
    let text = carried ? address.filter { !$0.isWhitespace } : address
    if let parameters = RedirectURI(request.redirectURI)?.parameters(in: text) {
      return AuthorizationResponse(encoded: parameters)
    }
    if carried, !text.prefix(while: { $0 != "?" }).containsText("://") {
      return AuthorizationResponse(pasted: text)
    }
    throw ResponseFlaw("it leads elsewhere than the redirect URI, \(request.redirectURI)")
  }
}

/// Why an address is not the response to a request.
struct ResponseFlaw: Error, Sendable, Hashable {
  let text: String
  /// Whether it may be the response to another request, or forged.
  let concernsState: Bool

  init(_ text: String, concernsState: Bool = false) {
    self.text = text
    self.concernsState = concernsState
  }
}
