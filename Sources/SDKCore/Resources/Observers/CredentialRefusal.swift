public import HTTP

/// The refusal of a credential by a server, with 401 or the 419 of servers of the Onegini family.
public struct CredentialRefusal: Sendable {
  /// The resource request.
  public let id: ObservedRequest.ID
  /// How the request was sent.
  public let access: Access
  /// The credential of the request.
  public let provider: AuthorizationProvider
  /// The head of the response; `nil` if what is stored had expired before the request was sent.
  public let response: HTTPResponse?
}

extension RequestObserver {
  /// Leaves the refusal to others.
  public func answersRefusal(of provider: AuthorizationProvider, as access: Access) -> Bool {
    false
  }

  /// Does nothing.
  ///
  /// - Throws: nothing.
  public func reauthenticate(after refusal: CredentialRefusal) async throws(SDKError) {}
}
