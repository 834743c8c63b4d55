public import HTTP

/// Fetches resources as the user who is logged in.
public struct UserClient: Sendable {
  let session: ProfileSession

  /// Makes a client of an opened profile.
  public init(_ session: ProfileSession) { self.session = session }

  /// Sends a request with the user's token; a 401 renews the token and tries once more.
  ///
  /// - Throws: ``SDKError``; nobody logged in is 9010.
  public func send(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver = .collect(limit: 1 << 26)
  ) async throws(SDKError) -> HTTPResponse {
    try await session.resources.send(request, as: .user, receiving: body)
  }

  /// Sends a request with the user's implicit token, which it obtains when needed.
  ///
  /// - Throws: ``SDKError``; nobody logged in is 9026.
  public func sendImplicit(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver = .collect(limit: 1 << 26)
  ) async throws(SDKError) -> HTTPResponse {
    try await session.resources.send(request, as: .implicit, receiving: body)
  }
}

/// Fetches resources as this installation, or as nobody.
public struct DeviceClient: Sendable {
  private let session: ProfileSession

  /// Makes a client of an opened profile.
  public init(_ session: ProfileSession) { self.session = session }

  /// Sends a request with this installation's own token, which it obtains when needed.
  ///
  /// - Throws: ``SDKError``; without client credentials it is 10012.
  public func send(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver = .collect(limit: 1 << 26)
  ) async throws(SDKError) -> HTTPResponse {
    try await session.resources.send(request, as: .anonymous, receiving: body)
  }

  /// Sends a request without any token, behind the same pins.
  ///
  /// - Throws: ``SDKError``.
  public func sendUnauthenticated(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver = .collect(limit: 1 << 26)
  ) async throws(SDKError) -> HTTPResponse {
    try await session.resources.send(request, as: .unauthenticated, receiving: body)
  }
}
