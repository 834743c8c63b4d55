public import HTTP

/// One request of a batch.
public final class BatchItem: Sendable {
  /// A number that the caller chooses; the outcome has it too.
  public let number: Int
  /// The request.
  public let request: ResourceRequest
  /// The credential of the request.
  public let access: Access
  /// The receiver of the response's body.
  public let receiver: HTTPBodyReceiver

  /// Makes an item; the body is collected by default, up to 16 MiB.
  public init(
    _ number: Int, _ request: ResourceRequest, as access: Access,
    receiving receiver: HTTPBodyReceiver = .collect(limit: 1 << 24)
  ) {
    self.number = number
    self.request = request
    self.access = access
    self.receiver = receiver
  }
}

/// The result of one request of a batch.
public struct BatchOutcome: Sendable {
  /// The number of its item.
  public let number: Int
  /// The response, whatever its status, or the error.
  public let result: Result<HTTPResponse, SDKError>
  /// The time from the start of the request to the end of its response.
  public let duration: Duration
}
