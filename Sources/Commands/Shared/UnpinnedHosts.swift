import HTTP
import SDKCore
import Synchronization

/// The hosts without a pinned key that the policy `report` has let pass in a run.
final class UnpinnedHosts: Sendable {
  private let hosts = Mutex<[String]>([])

  func note(_ host: String) {
    hosts.withLock { hosts in if !hosts.contains(host) { hosts.append(host) } }
  }

  /// The failure of `--strict-pins` if a host was noted, else the other one; one of pins stays.
  func failure(_ profile: ProfileName, insteadOf other: Failure? = nil) -> Failure? {
    guard other?.exit != .pin, let host = hosts.withLock({ $0.first }) else { return other }
    return .unpinned(host, profile, insteadOf: other)
  }
}

extension Failure {
  /// A request was sent, but the server has not shown a pinned key.
  static func unpinned(
    _ host: String, _ profile: ProfileName, insteadOf other: Failure? = nil
  ) -> Failure {
    var failure = Failure(
      .pinsNotEnforced,
      "could not protect the request with pins: \(host) has not shown a pinned key, and the policy "
        + "is to report", hints: [Remedy.checkPins(host: host).commandLine(for: profile)])
    if let other { failure.details = [other.message] + other.details }
    return failure
  }
}
