public import Primitives

/// A change of the pins of a host.
public struct PinDifference: Sendable, Hashable {
  /// The pins before; without keys if there were none.
  public let old: PinSet
  /// The pins after.
  public let new: PinSet
  /// The set that decided about the servers before, if that is another one with a wider pattern.
  public let wider: PinSet?

  /// The set that decided about the servers before; `nil` if they had no pins.
  public var before: PinSet? { old.keys.isEmpty ? wider : old }

  /// The keys that are pinned in addition, or with another role.
  public var added: [PinnedKey] {
    new.keys.filter { key in !old.keys.contains { $0.pin == key.pin && $0.role == key.role } }
  }
  /// The keys that are not pinned any more.
  public var removed: [PinnedKey] {
    old.keys.filter { key in !new.keys.contains { $0.pin == key.pin } }
  }
  /// Whether nothing changes.
  public var isEmpty: Bool { old == new }

  /// The settings that protect less than before.
  public func weakenings(under policy: PinPolicy) -> [PinWeakening] {
    new.weakenings(since: before, policy: policy)
  }

  /// Describes the change of the set of a pattern.
  public init(of pins: PinSets, to new: PinSet) {
    let own = pins[new.pattern]
    old = own ?? PinSet(new.pattern, keys: [])
    wider = own == nil ? pins.set(deciding: new.pattern) : nil
    self.new = new
  }

  /// Finds what must change so that the pinned roles match the chains.
  ///
  /// Keys of the roles are added. A pinned key of these roles that no chain has is removed when its last known
  /// certificate has ended, as ``PinRotationPlan`` says. Backup keys stay; one that is in use gets the role that it
  /// has in the chain.
  ///
  /// - Parameters:
  ///   - set: the pins of the host.
  ///   - chains: the validated chains of its servers.
  ///   - roles: the roles to pin; `nil` for those that are pinned now, or the leaf.
  ///   - observations: the keys that the servers have shown before.
  ///   - now: when the new keys are pinned.
  public init(
    of set: PinSet, to chains: [(endpoint: PinEndpoint, chain: PresentedChain)],
    roles: Set<PinRole>? = nil, observations: [PinObservation], at now: Timestamp
  ) {
    old = set
    wider = nil
    let pinned = Set(set.keys.map(\.role)).subtracting([.backup])
    let roles = roles ?? (pinned.isEmpty ? [.leaf] : pinned)
    let served = chains.flatMap { $1.pinnedKeys(of: $0, at: now) }
    var keys = set.keys.filter { key in
      key.role == .backup || !roles.contains(key.role) || served.contains { $0.pin == key.pin }
        || key.certificateEnd(in: observations).map { $0 > now } ?? true
    }
    for key in served where roles.contains(key.role) {
      keys.removeAll { $0.pin == key.pin && $0.role == .backup }
      keys.append(key)
    }
    new = set.with(keys: keys)
  }
}

extension PinSets {
  /// How other sets differ from these: one difference for each pattern, also of those that only these have.
  ///
  /// Remarks, and where keys come from, are no difference.
  ///
  /// - Parameters:
  ///   - other: the other sets.
  ///   - comparesRoles: whether another role of the same pin is a difference: few documents have roles.
  /// - Returns: the differences, in the order of the patterns.
  public func differences(to other: PinSets, comparesRoles: Bool) -> [PinDifference] {
    Set(sets.map(\.pattern)).union(other.sets.map(\.pattern)).sorted().compactMap { pattern in
      let old = self[pattern] ?? PinSet(pattern, keys: [])
      let new = other[pattern] ?? old.with(keys: [])
      let kept = old.keys.filter { key in
        new.keys.contains { $0.pin == key.pin && ($0.role == key.role || !comparesRoles) }
      }
      var set = old.with(
        keys: kept + new.keys.filter { key in !kept.contains { $0.pin == key.pin } })
      (set.expires, set.policy) = (new.expires, new.policy)
      let isSame =
        set.expires == old.expires && set.policy == old.policy
        && Set(set.keys) == Set(old.keys)
      return isSame ? nil : PinDifference(of: self, to: set)
    }
  }
}

extension PresentedChain {
  fileprivate func pinnedKeys(of endpoint: PinEndpoint, at now: Timestamp) -> [PinnedKey] {
    zip(validated, keys).map { certificate, key in
      PinnedKey(
        pin: key.pin, role: key.role, label: key.subject, added: now,
        origin: PinOrigin(.server, endpoint.description), notAfter: certificate.notAfter,
        keyType: certificate.keyType)
    }
  }
}

extension PinSets {
  /// What changes if sets are added, or put in the place of those of their patterns.
  public func differences(
    to sets: [PinSet], replaces: Bool, origin: PinOrigin, at now: Timestamp
  ) -> [PinDifference] {
    sets.map { set in
      let keys = set.keys.map { key in
        var key = key
        key.origin = key.origin ?? origin
        key.added = key.added ?? now
        return key
      }
      return PinDifference(of: self, to: merging(set.with(keys: keys), replaces: replaces))
    }.filter { !$0.isEmpty }
  }

  /// The set of a pattern with the keys and settings of another one.
  ///
  /// Keys that are there stay as they are, unless `replaces` is true; what the other set does not say stays.
  public func merging(_ set: PinSet, replaces: Bool) -> PinSet {
    guard let old = self[set.pattern] else { return set }
    let known = Set(old.keys.map(\.pin))
    let fresh = set.keys.filter { !known.contains($0.pin) }
    let wanted = Set(set.keys.map(\.pin))
    var result =
      replaces
      ? old.with(keys: old.keys.filter { wanted.contains($0.pin) } + fresh) : old.adding(fresh)
    if replaces || set.expires != nil { result.expires = set.expires }
    if replaces || set.policy != nil { result.policy = set.policy }
    if let comment = set.comment { result.comment = comment }
    return result
  }
}
