public import HTTP
import POSIX
import Synchronization

/// A running resource request, which can be suspended, resumed and cancelled.
public final class NetworkTask: Sendable {
  /// The state of a task, with the vendors' numbers.
  public enum State: Int, Sendable {
    /// The request is sent or its response received.
    case running = 0
    /// The transfer is suspended.
    case suspended = 1
    /// It was cancelled.
    case cancelled = 2
    /// It has ended, with or without an error.
    case completed = 3
  }

  /// Called once at the end: with a response or an error, or with both for an HTTP error status.
  public typealias Completion = @Sendable (ResourceResponse?, SDKError?) -> Void

  /// The identifier of the task, unique in the process.
  public let identifier: String
  /// The request that it was started with.
  public let request: ResourceRequest

  private struct Content {
    var state = State.running
    var response: ResourceResponse?
    var error: SDKError?
    var work: Task<Void, Never>?
  }

  private let content = Mutex(Content())
  private let gate = TransferGate()
  /// Held while the gate is set: of two changes at once, the last state counts.
  private let settingGate = Mutex(())
  private let end = OneShot<Bool>()
  private let completion: Completion

  private init(_ request: ResourceRequest, _ completion: @escaping Completion) {
    identifier = String(Self.count.wrappingAdd(1, ordering: .relaxed).newValue)
    self.request = request
    self.completion = completion
  }

  /// The state of the request.
  public var state: State { content.withLock { $0.state } }
  /// The response, also of an HTTP error; `nil` before the end.
  public var response: ResourceResponse? { content.withLock { $0.response } }
  /// The error; `nil` before the end and after success.
  public var error: SDKError? { content.withLock { $0.error } }

  /// Waits until the task has ended and the completion has been called.
  public func wait() async { await end.waitRegardless() }

  /// Cancels the request; without effect if it has ended.
  public func cancel() {
    let work = content.withLock { content -> Task<Void, Never>? in
      guard content.state == .running || content.state == .suspended else { return nil }
      content.state = .cancelled
      return content.work
    }
    guard let work else { return }
    work.cancel()
    updateGate()
  }

  /// Suspends the transfer; without effect unless it is running.
  public func suspend() { change(from: .running, to: .suspended) }

  /// Resumes the transfer; without effect unless it is suspended.
  public func resume() { change(from: .suspended, to: .running) }

  private func change(from old: State, to new: State) {
    let isChanged = content.withLock { content in
      guard content.state == old else { return false }
      content.state = new
      return true
    }
    if isChanged { updateGate() }
  }

  private func updateGate() {
    settingGate.withLock { _ in gate.setSuspended(state == .suspended) }
  }

  /// Starts a request; if it is not valid, calls the completion at once and returns `nil`.
  ///
  /// Whether somebody is logged in is a matter of the task, because the login may be in another place.
  static func start(
    _ request: ResourceRequest, as access: Access, in client: ClientSession,
    receiving body: HTTPBodyReceiver, _ completion: @escaping Completion
  ) -> NetworkTask? {
    let task = NetworkTask(request, completion)
    do throws(SDKError) {
      let resources = try client.session().resources
      try resources.check(request, as: access)
      task.begin { () async throws(SDKError) in
        try await resources.send(request, as: access, receiving: body, through: task.gate)
      }
      return task
    } catch {
      completion(nil, error)
      return nil
    }
  }

  private func begin(_ send: @escaping @Sendable () async throws(SDKError) -> ResourceResponse) {
    content.withLock { content in
      content.work = Task {
        do throws(SDKError) {
          let response = try await send()
          complete(response, response.error)
        } catch {
          complete(nil, error)
        }
      }
    }
  }

  private func complete(_ response: ResourceResponse?, _ error: SDKError?) {
    let (response, error) = content.withLock { content in
      if content.state == .cancelled {
        content.error = SDKError(
          .cancelled, "could not fetch '\(request.path)': the task was cancelled",
          resource: ResourceError(.transport, "Cancelled", -999))
      } else {
        content.state = .completed
        content.response = response
        content.error = error
      }
      content.work = nil
      return (content.response, content.error)
    }
    completion(response, error)
    end.set(true)
  }

  private static let count = Atomic<UInt64>(0)
}
