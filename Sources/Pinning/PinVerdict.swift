package import OpenSSL
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
    set(for: host, port: port)?.verdict(of: path, host: host, at: now) ?? .notPinned
  }
}

extension PinSet {
  /// Compares a validated path with the pins.
  ///
  /// - Parameters:
  ///   - path: the keys of the validated path, leaf first.
  ///   - host: the host that was asked, if it is below that of the set.
  ///   - now: the time.
  /// - Returns: the pinned key that the path holds, the nearest to the leaf; or both lists if there is
  ///   none. A set without keys matches nothing.
  public func verdict(
    of path: [ChainKey], host: String? = nil, at now: Timestamp
  ) -> PinVerdict {
    if isExpired(at: now) { return .expired(self) }
    for link in path {
      if let key = keys.first(where: { $0.pin == link.pin }) { return .matched(key, self) }
    }
    return .mismatch(PinMismatch(host: host ?? self.host, chain: path, pinned: keys), self)
  }
}

extension ChainKey {
  /// The keys of a validated path.
  ///
  /// - Parameter certificates: the path in DER, leaf first.
  /// - Returns: `nil` if one of them is not a certificate.
  public static func path(der certificates: [[UInt8]]) -> [ChainKey]? {
    (try? certificates.map { try Certificate(der: $0) }).map { path($0) }
  }

  /// The keys of a validated path, leaf first.
  package static func path(_ certificates: [Certificate]) -> [ChainKey] {
    certificates.enumerated().map { position, certificate in
      ChainKey(
        subject: certificate.subject, pin: Pin(of: certificate),
        role: PinRole(position: position, of: certificates.count),
        fingerprint: certificate.sha256)
    }
  }
}

extension PinRole {
  /// The role of a place in a validated path.
  public init(position: Int, of count: Int) {
    self = position == 0 ? .leaf : position == count - 1 ? .root : .intermediate
  }
}
