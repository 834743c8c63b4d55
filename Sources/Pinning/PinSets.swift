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

  /// The set that decides about connections to a server, expired or not.
  ///
  /// The nearest set decides: that of the host itself, then that of its direct subdomains, then
  /// that of all names, from the host upward; for the same names that of the port. An expired set
  /// still decides: it does not let a wider one, or none, take its place. No pattern reaches across
  /// a public suffix.
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

  /// The set that decides about the servers of a pattern.
  ///
  /// - Returns: the set of the pattern, or the nearest wider one; `nil` if there is none.
  public func set(deciding pattern: PinPattern) -> PinSet? {
    if let set = self[pattern] { return set }
    let name = pattern.subdomains == .direct ? "*.\(pattern.host)" : pattern.host
    return nearest(to: name, port: pattern.port, isProxy: pattern.isProxy)
  }
}

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

  /// The settings that protect less than those that applied before.
  ///
  /// - Parameters:
  ///   - before: the set that decided about these servers; `nil` if none did.
  ///   - policy: the policy of servers without a set, and of sets without their own.
  /// - Returns: the settings; empty if none protects less.
  public func weakenings(since before: PinSet?, policy: PinPolicy) -> [PinWeakening] {
    PinWeakening.allCases.filter { weakening in
      switch weakening {
      case .policy: (before?.policy ?? policy) == .enforce && (self.policy ?? policy) == .report
      case .expires:
        before?.expires.map { end in expires.map { $0 > end } ?? true } ?? false
      }
    }
  }
}

/// A setting of a pin set that protects its servers less than before.
public enum PinWeakening: String, Sendable, Hashable, CaseIterable {
  /// Mismatches are only reported.
  case policy
  /// The pins hold longer, or for ever.
  case expires
}
