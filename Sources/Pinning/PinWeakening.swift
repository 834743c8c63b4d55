internal import Primitives

/// A setting of a pin set that protects its servers less than before.
public enum PinWeakening: String, Sendable, Hashable, CaseIterable {
  /// Mismatches are only reported.
  case policy
  /// The pins hold longer, or for ever.
  case expires
}

extension PinSet {
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

extension PinSets {
  /// The set that decides about the servers of a pattern.
  ///
  /// - Returns: the set of the pattern, or the nearest wider one; `nil` if there is none.
  public func set(deciding pattern: PinPattern) -> PinSet? {
    if let set = self[pattern] { return set }
    let name = pattern.subdomains == .direct ? "*.\(pattern.host)" : pattern.host
    return nearest(to: name, port: pattern.port, isProxy: pattern.isProxy)
  }
}
