import POSIX
import Synchronization

/// Lets one task at a time decide which identity a host gets; the others wait for its decision.
final class IdentityDecisions: Sendable {
  /// The identity that a host gets from now on.
  struct Decision: Sendable {
    let identity: Identity?
    /// Whether it was obtained just now, so that a refusal is final.
    let isFresh: Bool
    /// Why there is none, although the host has some.
    var objection: SDKError?
  }

  /// What a task does that needs an identity.
  enum Role: Sendable {
    /// It decides, and then calls ``end(_:_:)``.
    case leader
    /// Another task has decided.
    case follower(Result<Decision, SDKError>)
  }

  /// The decisions that are being made, by host.
  private let open = Mutex<[String: OneShot<Result<Decision, SDKError>>]>([:])

  /// Takes the lead for a host, or waits for who has it.
  ///
  /// - Throws: ``SDKError/Code/cancelled``.
  func join(_ host: String) async throws(SDKError) -> Role {
    let decision: OneShot<Result<Decision, SDKError>>? = open.withLock { open in
      if let decision = open[host] { return decision }
      open[host] = OneShot()
      return nil
    }
    guard let decision else { return .leader }
    guard let result = await decision.wait(), !Task.isCancelled else { throw Self.cancelled }
    return .follower(result)
  }

  /// Ends the lead and passes the result on to all that wait.
  func end(_ host: String, _ result: Result<Decision, SDKError>) {
    open.withLock { $0.removeValue(forKey: host) }?.set(result)
  }

  static let cancelled = SDKError(.cancelled, cause: "cancelled")
}
