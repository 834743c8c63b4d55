public import HTTP
import Synchronization

/// One profile and its two clients, as in the vendors' SDKs.
public struct Client: Sendable {
  /// Fetches resources as the user who is logged in.
  public let userClient: UserClient
  /// Fetches resources as this installation, or without a token.
  public let deviceClient: DeviceClient

  /// Makes a client of an opened profile.
  public init(_ session: ProfileSession) { self.init(ClientSession(session)) }

  /// Opens a profile; without a name, the current one of the store.
  ///
  /// If the profile cannot be opened, the clients throw that error when they are used.
  public init(
    profile name: ProfileName? = nil, in store: ProfileStore,
    options: SessionOptions = SessionOptions(), transport: (any Transport)? = nil
  ) {
    self.init(
      ClientSession { () throws(SDKError) in
        let chosen = if let name { name } else { try store.current() }
        guard let name = chosen else { throw .notConfigured("no profile is current") }
        guard let transport else {
          return try ProfileSession(opening: name, in: store, options: options)
        }
        return try ProfileSession(opening: name, in: store, options: options, transport: transport)
      })
  }

  private init(_ session: ClientSession) {
    userClient = UserClient(session)
    deviceClient = DeviceClient(session)
  }

  /// The client that ``configure(_:)`` has set.
  ///
  /// Before that, its clients throw the error *not configured* (10001) when they are used.
  public static var shared: Client { configured.withLock { $0 } ?? Client(.missing) }

  /// Sets the shared client; one that was set before is replaced.
  public static func configure(_ client: Client) { configured.withLock { $0 = client } }

  /// Removes the shared client: its requests fail as before ``configure(_:)``.
  public static func reset() { configured.withLock { $0 = nil } }

  private static let configured = Mutex<Client?>(nil)
}

/// The session of a client, or the error with which opening it failed.
struct ClientSession: Sendable {
  private let result: Result<ProfileSession, SDKError>

  init(_ session: ProfileSession) { result = .success(session) }

  init(opening open: () throws(SDKError) -> ProfileSession) {
    result = Result { () throws(SDKError) in try open() }
  }

  /// The session of ``Client/shared`` before ``Client/configure(_:)``.
  static let missing = ClientSession { () throws(SDKError) in
    throw .notConfigured("Client.configure was not called")
  }

  func session() throws(SDKError) -> ProfileSession { try result.get() }

  func send(
    _ request: ResourceRequest, as access: Access, receiving body: HTTPBodyReceiver
  ) async throws(SDKError) -> ResourceResponse {
    try await session().resources.send(request, as: access, receiving: body)
  }
}

extension SDKError {
  fileprivate static func notConfigured(_ cause: String) -> SDKError {
    SDKError(.noProfile, "could not use the client: \(cause)", resource: .configurationInvalid)
  }
}

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

/// The response to a resource request: status, header fields and body as received.
public typealias ResourceResponse = HTTPResponse

extension ResourceResponse {
  /// The error of an HTTP error status, in the domain `transport` with the status as number; `nil` for a
  /// status below 400.
  public var error: SDKError? {
    guard status >= 400 else { return nil }
    return SDKError(
      .httpStatus, "could not fetch \(url.origin)\(url.path): the server returned \(status)",
      resource: .httpStatus(status), subject: url.host)
  }
}
