package import HTTP
import OpenSSL
package import Pinning
import Primitives

/// The pins of one server, and what happens if its chain does not match.
struct PinRule: Sendable {
  let host: String
  let port: UInt16
  /// The pins; `nil` if nothing is pinned.
  let set: PinSet?
  /// Whether a server without a pinned key is refused.
  let isEnforced: Bool
  /// When the request began: pins that expire later hold for it.
  let time: Timestamp
  private let report: (@Sendable (PinFailure) -> Void)?

  init(
    _ host: String, _ port: UInt16, isProxy: Bool = false, in configuration: TransportConfiguration
  ) {
    self.host = host
    self.port = port
    set = configuration.pins.set(for: host, port: port, isProxy: isProxy)
    isEnforced = (set?.policy ?? configuration.pinPolicy) == .enforce
    time = configuration.now()
    report = configuration.pinReport
  }

  /// Whether there are pins, and they have not expired.
  var isUsable: Bool { self.set?.isExpired(at: time) == false }

  /// What the pins say about a validated path, leaf first.
  func verdict(of path: [Certificate]) -> PinVerdict {
    set?.verdict(of: ChainKey.path(path), host: host, at: time) ?? .notPinned
  }

  /// Reports a verdict that is not a match.
  func report(_ verdict: PinVerdict, of path: [Certificate] = []) {
    report?(
      PinFailure(
        verdict, host: host, port: port, certificates: path.map(\.der), isEnforced: isEnforced))
  }
}

extension PinVerdict {
  /// The verdict for the metrics of a transfer.
  package var outcome: PinOutcome {
    switch self {
    case .matched: .matched
    case .mismatch: .mismatched
    case .expired, .notPinned: .unpinned
    }
  }
}
