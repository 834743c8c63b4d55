public import Primitives

/// The pin sets of a profile, one for each pattern.
public struct PinSets: Sendable, Equatable {
  private var byPattern: [PinPattern: PinSet]
  /// The names that no pattern reaches across.
  private let publicSuffixes: PublicSuffixes

  /// Collects sets; of several for one pattern the last stays.
  public init(
    _ sets: some Sequence<PinSet> = [], publicSuffixes: PublicSuffixes = .topLevel
  ) {
    byPattern = Dictionary(sets.map { ($0.pattern, $0) }, uniquingKeysWith: { $1 })
    self.publicSuffixes = publicSuffixes
  }

  /// The sets, sorted by host.
  public var sets: [PinSet] { byPattern.values.sorted { $0.pattern < $1.pattern } }

  /// The set of exactly that pattern, expired or not.
  public subscript(pattern: PinPattern) -> PinSet? { byPattern[pattern] }

  /// The set that a person means by a text, expired or not.
  ///
  /// A plain host also means the set of the host and all names below it, if it has no other.
  public subscript(text: String) -> PinSet? { PinPattern(text).flatMap { byPattern[meant($0)] } }

  /// The pattern of the set that a person means, or the pattern itself if there is none.
  public func meant(_ pattern: PinPattern) -> PinPattern {
    guard pattern.subdomains == .none, byPattern[pattern] == nil,
      let wide = pattern.with(subdomains: .all), byPattern[wide] != nil
    else { return pattern }
    return wide
  }

  /// Whether both have the same sets, with whatever list of public suffixes.
  public static func == (left: PinSets, right: PinSets) -> Bool {
    left.byPattern == right.byPattern
  }

  /// What a connection to a server must satisfy.
  ///
  /// The nearest set decides: that of the host itself, then that of its direct subdomains, then
  /// that of all names, from the host upward; for the same names that of the port. An expired set
  /// still decides: it does not let a wider one, or none, take its place. No pattern reaches across
  /// a public suffix.
  public func requirement(
    for host: String, port: UInt16, isProxy: Bool = false, at now: Timestamp
  ) -> PinRequirement {
    PinRequirement(of: set(for: host, port: port, isProxy: isProxy), at: now)
  }

  /// The set that decides about connections to a server, expired or not.
  public func set(for host: String, port: UInt16, isProxy: Bool = false) -> PinSet? {
    HostName.normalized(host).flatMap { nearest(to: $0, port: port, isProxy: isProxy) }
  }

  /// Puts a set in place of that of its pattern.
  public mutating func add(_ set: PinSet) { byPattern[set.pattern] = set }

  /// The sets with this one instead of the set of its pattern.
  public func adding(_ set: PinSet) -> PinSets {
    var copy = self
    copy.add(set)
    return copy
  }

  /// The sets with these keys added to those of a pattern; a key replaces an older one with the
  /// same pin.
  public func adding(_ keys: [PinnedKey], to pattern: PinPattern) -> PinSets {
    let pattern = meant(pattern)
    return adding((byPattern[pattern] ?? PinSet(pattern, keys: [])).adding(keys))
  }

  /// The sets with these keys added to those of the host.
  ///
  /// - Returns: `nil` if the text is not a pattern.
  public func adding(_ keys: [PinnedKey], to text: String) -> PinSets? {
    PinPattern(text).map { adding(keys, to: $0) }
  }

  /// The sets without that of exactly that pattern.
  public func removing(_ pattern: PinPattern) -> PinSets {
    var copy = self
    copy.byPattern[pattern] = nil
    return copy
  }

  /// The sets without that of exactly that host or pattern.
  public func removing(_ text: String) -> PinSets {
    PinPattern(text).map { removing($0) } ?? self
  }

  /// The sets without some pins of exactly that pattern; a set without pins is removed.
  public func removing(_ pins: Set<Pin>, from pattern: PinPattern) -> PinSets {
    guard let present = byPattern[pattern] else { return self }
    let rest = present.removing(pins)
    return rest.keys.isEmpty ? removing(present.pattern) : adding(rest)
  }

  /// The sets without some pins of exactly that host or pattern.
  public func removing(_ pins: Set<Pin>, from text: String) -> PinSets {
    PinPattern(text).map { removing(pins, from: $0) } ?? self
  }

  /// The nearest set that applies to a name at a port; without a port, one that applies to every port.
  func nearest(to host: String, port: UInt16?, isProxy: Bool) -> PinSet? {
    func set(_ name: String, _ subdomains: PinPattern.Subdomains) -> PinSet? {
      for port in port == nil ? [nil] : [port, nil] {
        let pattern = PinPattern(
          host: name, subdomains: subdomains, port: port, isProxy: isProxy)
        if let set = pattern.flatMap({ byPattern[$0] }) { return set }
      }
      return nil
    }
    if let exact = set(host, .none) ?? set(host, .all) { return exact }
    guard !HostName.isAddress(host) else { return nil }
    var parent = host[...]
    var depth = 0
    while let dot = parent.firstIndex(of: ".") {
      parent = parent[parent.index(after: dot)...]
      depth += 1
      let name = String(parent)
      if let found = (depth == 1 ? set(name, .direct) : nil) ?? set(name, .all) {
        return publicSuffixes.separates(host, from: name) ? nil : found
      }
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

  /// What the set of a server requires at that time; `nil` if there is none.
  package init(of set: PinSet?, at now: Timestamp) {
    self = set.map { $0.isExpired(at: now) ? .expired($0) : .pinned($0) } ?? .none
  }

  /// The policy of the set, or the other one if the set has none.
  public func policy(orElse other: PinPolicy) -> PinPolicy {
    switch self {
    case .pinned(let set), .expired(let set): set.policy ?? other
    case .none: other
    }
  }
}
