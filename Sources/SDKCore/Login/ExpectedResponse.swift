import OAuth
import Primitives

/// What makes an address the answer to one authorization request.
struct ExpectedResponse: Sendable {
  /// Who brings the address.
  enum Source: Sendable {
    /// A browser: what has the right place and state decides, be it good or bad.
    case browser
    /// A person, who may leave out what is hidden in an address bar, or cut something off.
    case person
  }

  let request: AuthorizationRequest
  let source: Source
  /// What the flow cannot do if it fails.
  let action: String

  /// Reads an address.
  ///
  /// - Throws: ``ResponseFlaw`` when it is no answer to this request.
  func read(_ address: String) throws(ResponseFlaw) -> AuthorizationResponse {
    guard let response = try response(address) else { throw ResponseFlaw("it is badly encoded") }
    let flaw = response.flaw(for: request)
    guard response.matches(request) else {
      throw ResponseFlaw(flaw ?? "its state differs", concernsState: true)
    }
    if source == .person, let flaw { throw ResponseFlaw(flaw) }
    return response
  }

  /// The error that a flaw is; a wrong state has a number of its own.
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

/// Why an address is no answer.
struct ResponseFlaw: Error, Sendable, Hashable {
  let text: String
  /// Whether it may be the answer to another request, or a forged one.
  let concernsState: Bool

  init(_ text: String, concernsState: Bool = false) {
    self.text = text
    self.concernsState = concernsState
  }
}
