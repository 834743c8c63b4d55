public import Primitives

/// What to do about the pins of one endpoint, and when.
public struct PinStep: Sendable, Hashable {
  /// What to do.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    /// Pin a key.
    case add
    /// Leave the pin.
    case keep
    /// Remove the pin.
    case remove
    /// Let the pins expire later.
    case extend
    /// Find out why the check failed.
    case repair
  }

  /// What to do.
  public let action: Action
  /// By when to add, extend or repair, until when to keep, or from when to remove; may be unknown.
  public let time: Timestamp?
  /// The key that it is about.
  public let key: PinnedKey?
  /// Why, for people.
  public let reason: String
  /// Whether the key may be one for the next rotation, which is to be pinned as a backup.
  public let mayBeBackup: Bool

  init(
    _ action: Action, _ time: Timestamp?, _ key: PinnedKey?, _ reason: String,
    mayBeBackup: Bool = false
  ) {
    self.mayBeBackup = mayBeBackup
    self.action = action
    self.time = time
    self.key = key
    self.reason = reason
  }
}

/// The rotation plan of one endpoint, from its pins, its chain and the keys that were seen before.
public struct PinRotationPlan: Sendable, Hashable {
  /// The endpoint.
  public let endpoint: PinEndpoint
  /// The steps: what must be added or extended first, then what stays, then what may go.
  public let steps: [PinStep]

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - endpoint: the endpoint.
  ///   - presented: what it shows; `nil` if it could not be reached.
  ///   - cause: why it could not be checked, for people.
  ///   - set: its pins.
  ///   - observations: the keys that were seen before.
  ///   - now: the time.
  ///   - end: what ends before this time is a step.
  public init(
    of endpoint: PinEndpoint, showing presented: PresentedChain?, cause: String? = nil,
    _ set: PinSet?, observations: [PinObservation], at now: Timestamp, until end: Timestamp
  ) {
    self.endpoint = endpoint
    guard let set, let presented, presented.verificationError == nil else {
      steps = [PinStep(.repair, now, nil, cause ?? "it could not be checked")]
      return
    }
    let plan = Maker(pinSet: set, chain: presented, observations: observations, now: now, end: end)
    steps = plan.additions + plan.kept + plan.removals
  }

  private struct Maker {
    let pinSet: PinSet
    let chain: PresentedChain
    let observations: [PinObservation]
    let now: Timestamp
    let end: Timestamp

    private var matches: [(key: PinnedKey, expires: Timestamp)] { chain.matches(with: pinSet) }

    var additions: [PinStep] {
      var steps: [PinStep] = []
      if matches.isEmpty, let leaf = chain.keys.first {
        steps.append(
          PinStep(
            .add, now, PinnedKey(pin: leaf.pin, role: .leaf, label: leaf.subject),
            "no key of the chain is pinned: requests are refused; find out why before you add this")
        )
      }
      for (key, _) in matches where key.role == .backup {
        steps.append(
          PinStep(
            .add, now, PinnedKey(pin: key.pin, role: role(of: key), label: key.label),
            "the backup key is in use: pin it with its role"))
      }
      if !pinSet.keys.contains(where: { $0.role == .backup && !isServed($0) }) {
        steps.append(
          PinStep(.add, now, nil, "there is no backup key outside the chain: make one and pin it"))
      }
      if let last = matches.map(\.expires).max(), last < end {
        steps.append(
          PinStep(
            .add, last, nil,
            "the last certificate with a pinned key ends: if the next one has a new key, pin that "
              + "key before"))
      }
      if let expires = pinSet.expires {
        steps.append(
          PinStep(.extend, expires, nil, "the pins end, and the host is refused from then on"))
      }
      return steps
    }

    var kept: [PinStep] {
      pinSet.keys.compactMap { key in
        if let match = matches.first(where: { $0.key.pin == key.pin }) {
          return PinStep(.keep, match.expires, key, "in use until its certificate ends")
        }
        guard key.role == .backup else { return nil }
        return PinStep(.keep, nil, key, "for the next rotation")
      }
    }

    var removals: [PinStep] {
      pinSet.keys.compactMap { key in
        guard key.role != .backup, !isServed(key) else { return nil }
        guard let end = key.certificateEnd(in: observations) else {
          return PinStep(
            .remove, nil, key, "never seen here: remove it when no server has it",
            mayBeBackup: true)
        }
        let last = observations.filter { $0.pin == key.pin }.map(\.last).max()
        return PinStep(
          .remove, max(end, now), key,
          (last.map { "last seen on \($0.date); " } ?? "not seen since it was pinned; ")
            + (end <= now
              ? "its certificate has ended" : "its certificate could come back until then"))
      }
    }

    private func isServed(_ key: PinnedKey) -> Bool {
      chain.keys.contains { $0.pin == key.pin }
    }

    private func role(of key: PinnedKey) -> PinRole {
      chain.keys.first { $0.pin == key.pin }?.role ?? key.role
    }
  }
}
