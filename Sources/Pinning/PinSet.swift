public import Primitives

/// What is pinned for one host.
public struct PinSet: Sendable, Hashable {
  /// The host, as ``HostName/normalized(_:)`` returns it.
  public let host: String
  /// Whether the names below the host are pinned too; never so for an IP address.
  public let includesSubdomains: Bool
  /// The first second at which the set is no longer valid.
  public let expires: Timestamp?
  /// The keys, of which any is enough; each pin appears once.
  public let keys: [PinnedKey]

  /// Describes the pins of a host.
  ///
  /// - Returns: `nil` if the host is not a host name or an address.
  public init?(
    host: String, includesSubdomains: Bool = false, expires: Timestamp? = nil, keys: [PinnedKey]
  ) {
    guard let host = HostName.normalized(host) else { return nil }
    self.host = host
    self.includesSubdomains = includesSubdomains && !HostName.isAddress(host)
    self.expires = expires
    var seen: Set<Pin> = []
    self.keys = keys.filter { seen.insert($0.pin).inserted }
  }

  /// Whether the set has expired.
  public func isExpired(at now: Timestamp) -> Bool { expires.map { now >= $0 } ?? false }

  /// Whether the set applies to a normalised host.
  public func covers(_ host: String) -> Bool {
    host == self.host
      || includesSubdomains && !HostName.isAddress(host) && host.hasSuffix("." + self.host)
  }

  /// Compares a validated chain with the pins.
  ///
  /// - Parameters:
  ///   - chain: the keys of the validated path, leaf first.
  ///   - host: the host that was asked, where it is below that of the set.
  /// - Returns: the pinned key that the chain holds, the nearest to the leaf; or
  ///   both lists when there is none. A set without keys matches nothing.
  public func evaluate(
    chain: [ChainKey], host: String? = nil
  ) -> Result<PinnedKey, PinMismatch> {
    for link in chain {
      if let key = keys.first(where: { $0.pin == link.pin }) { return .success(key) }
    }
    return .failure(PinMismatch(host: host ?? self.host, chain: chain, pinned: keys))
  }
}
