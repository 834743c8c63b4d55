public import Primitives

/// What is pinned for one host, or for the names below it.
public struct PinSet: Sendable, Hashable {
  /// The servers that the set applies to.
  public let pattern: PinPattern
  /// The first second at which the set is no longer valid.
  public var expires: Timestamp?
  /// What happens if no key matches; `nil` for the policy of the profile.
  public var policy: PinPolicy?
  /// What the operator of the profile wants to say about the set.
  public var comment: String?
  /// The keys, of which any is enough; each pin appears once.
  public private(set) var keys: [PinnedKey]

  /// Describes the pins of some servers.
  public init(
    _ pattern: PinPattern, expires: Timestamp? = nil, policy: PinPolicy? = nil,
    comment: String? = nil, keys: [PinnedKey]
  ) {
    self.pattern = pattern
    self.expires = expires
    self.policy = policy
    self.comment = comment
    var seen: Set<Pin> = []
    self.keys = keys.filter { seen.insert($0.pin).inserted }
  }

  /// Describes the pins of a host.
  ///
  /// - Returns: `nil` if the host is not a host name or an address.
  public init?(
    host: String, includesSubdomains: Bool = false, expires: Timestamp? = nil, keys: [PinnedKey]
  ) {
    guard let pattern = PinPattern(host: host, subdomains: includesSubdomains ? .all : .none) else {
      return nil
    }
    self.init(pattern, expires: expires, keys: keys)
  }

  /// The host of the pattern.
  public var host: String { pattern.host }

  /// The maximum number of keys in a set of a document: more than any server needs, and few enough to compare
  /// each with each.
  package static let maximumCount = 1000

  /// Whether the host and all names below it are pinned.
  public var includesSubdomains: Bool { pattern.subdomains == .all }

  /// Whether the set has expired.
  public func isExpired(at now: Timestamp) -> Bool { expires.map { now >= $0 } ?? false }

  /// Whether another key is pinned that can take over if one is lost.
  ///
  /// Two keys are the minimum that TrustKit and Android's lint require: a backup key, or a key of an
  /// authority beside that of the server.
  public var hasBackup: Bool { keys.count >= 2 }

  /// Whether the set applies to a normalised host, at some port.
  public func covers(_ host: String) -> Bool { pattern.coversName(host) }

  /// The set with keys in addition; a key replaces an older one with the same pin.
  public func adding(_ added: [PinnedKey]) -> PinSet {
    let pins = Set(added.map(\.pin))
    return with(keys: keys.filter { !pins.contains($0.pin) } + added)
  }

  /// The set without some pins.
  public func removing(_ pins: Set<Pin>) -> PinSet {
    with(keys: keys.filter { !pins.contains($0.pin) })
  }

  /// The same set for other servers, or with other keys.
  public func with(pattern: PinPattern? = nil, keys: [PinnedKey]? = nil) -> PinSet {
    PinSet(
      pattern ?? self.pattern, expires: expires, policy: policy, comment: comment,
      keys: keys ?? self.keys)
  }
}
