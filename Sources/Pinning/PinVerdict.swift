internal import OpenSSL
public import Primitives

/// Whether a server showed a pinned key.
public enum PinVerdict: Sendable, Hashable {
  /// A key of the path is pinned.
  case matched(PinnedKey, PinSet)
  /// No key of the path is pinned.
  case mismatch(PinMismatch, PinSet)
  /// The set has expired.
  case expired(PinSet)
  /// Nothing is pinned for the server.
  case notPinned
}

extension PinSets {
  /// Compares the validated path of a server with the pins.
  ///
  /// The caller must have validated the path and the name of the host: pins are an additional check.
  ///
  /// - Parameters:
  ///   - path: the keys of the validated path, leaf first.
  ///   - host: the host that was asked.
  ///   - port: its port.
  ///   - now: the time.
  /// - Returns: what the pins say about the path.
  public func verdict(
    of path: [ChainKey], host: String, port: UInt16 = 443, at now: Timestamp
  ) -> PinVerdict {
    switch requirement(for: host, port: port, at: now) {
    case .none: return .notPinned
    case .expired(let set): return .expired(set)
    case .pinned(let set):
      switch set.evaluate(chain: path, host: host) {
      case .success(let key): return .matched(key, set)
      case .failure(let mismatch): return .mismatch(mismatch, set)
      }
    }
  }
}

extension ChainKey {
  /// The keys of a validated path.
  ///
  /// - Parameter certificates: the path in DER, leaf first.
  /// - Returns: `nil` if one of them is not a certificate.
  public static func path(der certificates: [[UInt8]]) -> [ChainKey]? {
    var keys: [ChainKey] = []
    for (position, der) in certificates.enumerated() {
      guard let certificate = try? Certificate(der: der) else { return nil }
      keys.append(
        ChainKey(
          subject: certificate.subject, pin: Pin(of: certificate),
          role: PinRole(position: position, of: certificates.count)))
    }
    return keys
  }
}

extension PinRole {
  /// The role of a place in a validated path.
  public init(position: Int, of count: Int) {
    self = position == 0 ? .leaf : position == count - 1 ? .root : .intermediate
  }
}
