public import HTTP

/// Fetches resources as this installation, or without a token.
public struct DeviceClient: Sendable {
  let client: ClientSession

  /// Makes a client of an opened profile.
  public init(_ session: ProfileSession) { client = ClientSession(session) }

  init(_ client: ClientSession) { self.client = client }

  /// Sends a request with this installation's own token, which it obtains when needed.
  ///
  /// An HTTP error status is not thrown: see ``ResourceResponse/error``.
  ///
  /// - Throws: ``SDKError``; without client credentials it is 10012, without configuration 10001.
  public func send(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver = .collect(limit: 1 << 26)
  ) async throws(SDKError) -> ResourceResponse {
    try await client.send(request, as: .anonymous, receiving: body)
  }

  /// Sends a request without any token, behind the same pins.
  ///
  /// - Throws: ``SDKError``; without configuration it is 10001.
  public func sendUnauthenticated(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver = .collect(limit: 1 << 26)
  ) async throws(SDKError) -> ResourceResponse {
    try await client.send(request, as: .unauthenticated, receiving: body)
  }

  /// Starts a request with this installation's own token, and returns its task.
  ///
  /// - Returns: the task; `nil` if the request cannot be sent, and the completion has been called.
  @discardableResult
  public func start(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver = .collect(limit: 1 << 26),
    completion: @escaping NetworkTask.Completion = { _, _ in }
  ) -> NetworkTask? {
    NetworkTask.start(request, as: .anonymous, in: client, receiving: body, completion)
  }

  /// Starts a request without any token, and returns its task.
  ///
  /// - Returns: the task; `nil` if the request cannot be sent, and the completion has been called.
  @discardableResult
  public func startUnauthenticated(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver = .collect(limit: 1 << 26),
    completion: @escaping NetworkTask.Completion = { _, _ in }
  ) -> NetworkTask? {
    NetworkTask.start(request, as: .unauthenticated, in: client, receiving: body, completion)
  }
}
