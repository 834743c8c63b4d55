public import Primitives

/// The pin sets of a profile, one a host.
public struct PinSets: Sendable, Hashable {
  private var byHost: [String: PinSet]

  /// Collects sets; of several for one host the last stays.
  public init(_ sets: some Sequence<PinSet> = []) {
    byHost = Dictionary(sets.map { ($0.host, $0) }, uniquingKeysWith: { $1 })
  }

  /// The sets, sorted by host.
  public var sets: [PinSet] { byHost.values.sorted { $0.host < $1.host } }

  /// The set of exactly that host, expired or not.
  public subscript(host: String) -> PinSet? {
    HostName.normalized(host).flatMap { byHost[$0] }
  }

  /// What a connection to the host must satisfy.
  ///
  /// The set of the host itself decides, else that of the nearest parent which
  /// includes its subdomains. An expired set still decides: it does not let a
  /// wider one, or none, take its place.
  public func requirement(for host: String, at now: Timestamp) -> PinRequirement {
    guard let host = HostName.normalized(host), let set = nearest(to: host) else { return .none }
    return set.isExpired(at: now) ? .expired(set) : .pinned(set)
  }

  /// The sets with this one instead of the set of its host.
  public func adding(_ set: PinSet) -> PinSets {
    var book = self
    book.byHost[set.host] = set
    return book
  }

  /// The sets with these keys added to those of the host.
  ///
  /// A key replaces an older one with the same pin.
  ///
  /// - Returns: `nil` if the host is not a host name or an address.
  public func adding(_ keys: [PinnedKey], to host: String) -> PinSets? {
    let present = self[host]
    let added = Set(keys.map(\.pin))
    let set = PinSet(
      host: host, includesSubdomains: present?.includesSubdomains ?? false,
      expires: present?.expires,
      keys: (present?.keys ?? []).filter { !added.contains($0.pin) } + keys)
    return set.map { adding($0) }
  }

  /// The sets without that of exactly this host.
  public func removing(_ host: String) -> PinSets {
    guard let host = HostName.normalized(host) else { return self }
    var book = self
    book.byHost[host] = nil
    return book
  }

  /// The sets without some pins of a host; a set without pins is removed.
  public func removing(_ pins: Set<Pin>, from host: String) -> PinSets {
    guard let present = self[host] else { return self }
    let rest = present.keys.filter { !pins.contains($0.pin) }
    guard !rest.isEmpty,
      let set = PinSet(
        host: present.host, includesSubdomains: present.includesSubdomains,
        expires: present.expires, keys: rest)
    else { return removing(host) }
    return adding(set)
  }

  private func nearest(to host: String) -> PinSet? {
    if let exact = byHost[host] { return exact }
    guard !HostName.isAddress(host) else { return nil }
    var parent = host[...]
    while let dot = parent.firstIndex(of: ".") {
      parent = parent[parent.index(after: dot)...]
      if let set = byHost[String(parent)], set.covers(host) { return set }
    }
    return nil
  }
}

/// What the pins of a host require of a connection.
public enum PinRequirement: Sendable, Hashable {
  /// The validated chain must hold a key of the set.
  case pinned(PinSet)
  /// The set has expired: nothing satisfies it.
  case expired(PinSet)
  /// Nothing is pinned.
  case none
}
