import HTTP
public import Pinning
public import Primitives

extension PinService {
  /// Fetches a document from a server whose host must be pinned as any other.
  ///
  /// - Throws: ``SDKError`` if the URL is not allowed, or the server does not return it.
  public func fetchPinSet(_ text: String) async throws(SDKError) -> [UInt8] {
    let action = "could not fetch the pin set"
    let url = try attempt(action, as: .invalidRequest) { try HTTPURL(text) }
    let response = try await attempt(action) {
      try await environment.transport.send(
        HTTPRequest(.get, url, timeout: environment.clock.limits.exchange), limit: 1 << 20)
    }
    guard response.status == 200 else {
      throw SDKError(.refused, "\(action): the server returned \(response.status)")
    }
    return response.body
  }

  /// What a signed set changes of the pins of the profile.
  ///
  /// - Throws: ``SDKError/Code/untrusted`` if a newer set of the signer was used before.
  public func differences(
    to signed: SignedPinSet, replaces: Bool, source: String
  ) throws(SDKError) -> [PinDifference] {
    try PinUpdates(environment.location, profile.name).refuseReplay(of: signed)
    let origin = PinOrigin(.update, source)
    return differences(to: signed.sets.map { $0.from(origin) }, replaces: replaces, origin: origin)
  }

  /// Writes the changes of a signed set, all or none, and remembers the set.
  ///
  /// - Throws: ``SDKError``: `untrusted` if a newer set of the signer was used meanwhile, `store` if
  ///   the pins cannot be written or were changed since the differences were found.
  public func apply(
    _ differences: [PinDifference], of signed: SignedPinSet
  ) async throws(SDKError) {
    let updates = PinUpdates(environment.location, profile.name)
    try await apply(differences, before: { () throws(SDKError) in try updates.note(signed) })
  }
}

extension PinSet {
  /// The set with this origin of all keys, whatever they say.
  fileprivate func from(_ origin: PinOrigin) -> PinSet {
    with(
      keys: keys.map { key in
        var key = key
        key.origin = origin
        return key
      })
  }
}

extension PinService {
  /// What the sets of a document change of the pins of the profile.
  public func differences(
    to sets: [PinSet], replaces: Bool, origin: PinOrigin
  ) -> [PinDifference] {
    pins.differences(to: sets, replaces: replaces, origin: origin, at: environment.now())
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
  /// Keys that are there stay as they are, unless `replaces` is true; what the other set does not
  /// say stays.
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
