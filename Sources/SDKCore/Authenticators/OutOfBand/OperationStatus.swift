import HTTP
public import JSON
import Primitives

/// How far an out-of-band operation is, as its server says.
public struct OperationStatus: Sendable, Hashable {
  /// A step of an operation.
  public enum Progress: String, Sendable, Hashable {
    /// The token was not redeemed yet.
    case created = "tokenCreated"
    /// A device registers a key.
    case registering = "clientRegistering"
    /// A device authenticates the user.
    case authenticating = "clientAuthenticating"
    /// The operation has succeeded.
    case succeeded
    /// The operation has failed.
    case failed
    /// The server does not know the operation, or not any more.
    case unknown

    /// Whether the step is the last one.
    public var isFinal: Bool { [.succeeded, .failed, .unknown].contains(self) }
  }

  /// The step.
  public let progress: Progress
  /// The whole response.
  public let document: JSON
}

extension FIDOService {
  /// Asks the server how far an out-of-band operation is.
  ///
  /// - Parameter session: the identifier that the server returned when the token was made.
  /// - Returns: the status.
  /// - Throws: ``SDKError`` if the server refuses.
  public func status(of session: String) async throws(SDKError) -> OperationStatus {
    try await attempt(Self.statusAction) {
      let client = try sessions.client()
      let response = try await client.send(
        .post, UAFServerClient.json(["sessionId": .string(session)]),
        accepting: UAFServerClient.jsonType, to: try client.settings.url(\.fidoStatusPath))
      guard let document = try? JSON(parsing: response.body),
        let progress = document["status"]?.string.flatMap(
          OperationStatus.Progress.init(identifier:))
      else {
        let host = response.url.host
        throw SDKError(
          .malformedResponse, cause: "the response of \(host) has no known status", subject: host)
      }
      return OperationStatus(progress: progress, document: document)
    }
  }

  /// Asks until an out-of-band operation has ended, every two seconds, for as long as a person has for
  /// an answer (`fido.userInteractionTimeout`).
  ///
  /// - Parameters:
  ///   - session: the identifier that the server returned when the token was made.
  ///   - report: gets each status.
  /// - Returns: the last status.
  /// - Throws: ``SDKError``: `network` if it has not ended in time.
  public func waitForEnd(
    of session: String, report: @Sendable (OperationStatus) -> Void = { _ in }
  ) async throws(SDKError) -> OperationStatus {
    let seconds = profile.fidoInteractionTimeout
    let end = now() + seconds
    // The number of questions is bounded too: a clock can be set back.
    for _ in 0...(seconds / Self.statusInterval) {
      let status = try await status(of: session)
      report(status)
      if status.progress.isFinal { return status }
      guard now() < end else { break }
      try await attempt(Self.statusAction) {
        try await environment.clock.pause(.seconds(Self.statusInterval))
      }
    }
    throw SDKError(
      .network, "\(Self.statusAction): it has not ended within \(seconds) seconds")
  }

  private static let statusAction = "could not wait for the end of the operation"
  private static let statusInterval: Int64 = 2
}
