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

/// A validated chain without any pinned key.
public struct PinMismatch: Sendable, Hashable {
  /// The host that was asked.
  public let host: String
  /// The keys of the validated path, leaf first.
  public let chain: [ChainKey]
  /// The keys that were expected.
  public let pinned: [PinnedKey]

  /// Describes a mismatch.
  public init(host: String, chain: [ChainKey], pinned: [PinnedKey]) {
    self.host = host
    self.chain = chain
    self.pinned = pinned
  }

  /// What was pinned by mistake, although it is another hash of a certificate of the chain.
  public var mistakes: [PinMistake] {
    chain.flatMap { $0.mistakes(among: pinned.map(\.pin)) }
  }

  /// Both lists, for people; remote text in them is safe to show.
  public var lines: [String] {
    ["chain of \(host):"] + listed(chain.map { ($0.pin, $0.subject) })
      + ["pinned for \(host):"]
      + listed(pinned.map { ($0.pin, $0.label ?? $0.role.rawValue) }) + mistakes.map(\.text)
  }

  private func listed(_ keys: [(pin: Pin, text: String)]) -> [String] {
    keys.isEmpty ? ["  none"] : keys.map { "  \($0.pin) \(VisibleText.of($0.text, .bytes))" }
  }
}

/// What happens when a host is not pinned or a chain does not match.
public enum PinPolicy: String, Sendable, Hashable, CaseIterable {
  /// The transfer is refused.
  case enforce
  /// The transfer continues, and the mismatch is reported.
  case report
}

/// A server that showed no pinned key, with everything that a report of it says.
public struct PinFailure: Sendable, Hashable {
  /// What the pins say about the server; not a match.
  public let verdict: PinVerdict
  /// The host that was asked.
  public let host: String
  /// The port of the host.
  public let port: UInt16
  /// The certificates of the validated path as DER, leaf first; none before a handshake.
  public let certificates: [[UInt8]]
  /// Whether the connection was refused.
  public let isEnforced: Bool

  /// Describes a failure.
  public init(
    _ verdict: PinVerdict, host: String, port: UInt16, certificates: [[UInt8]] = [],
    isEnforced: Bool
  ) {
    self.verdict = verdict
    self.host = host
    self.port = port
    self.certificates = certificates
    self.isEnforced = isEnforced
  }
}
