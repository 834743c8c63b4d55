package import Primitives

/// A problem of pins: they make a host unusable, now or soon, or protect less than it seems.
public struct PinProblem: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    case error, warning
  }

  /// What it is, in a word that scripts read.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case malformed
    case duplicate
    case publicSuffix = "public-suffix"
    case noBackup = "no-backup"
    case shortLivedLeaf = "short-lived-leaf"
    case expired
    case expiresSoon = "expires-soon"
    case samePins = "same-pins"
    case weakKey = "weak-key"
    case notEnforced = "not-enforced"
    case unpinned
  }

  /// How bad it is.
  public let severity: Severity
  /// What it is.
  public let kind: Kind
  /// The pattern of the set, or the path of a member that cannot be read.
  public let place: String
  /// The pin that it is about.
  public let pin: Pin?
  /// The problem in words.
  public let text: String

  /// Describes a problem.
  public init(
    _ severity: Severity, _ kind: Kind, _ place: String, _ text: String, of pin: Pin? = nil
  ) {
    self.severity = severity
    self.kind = kind
    self.place = place
    self.pin = pin
    self.text = text
  }
}

/// Checks pin sets without a connection.
package struct PinLinter: Sendable {
  private let now: Timestamp
  private let end: Timestamp
  private let policy: PinPolicy

  /// Prepares a check.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - end: what ends before this time ends soon.
  ///   - policy: the policy of sets that do not have their own.
  package init(at now: Timestamp, until end: Timestamp, policy: PinPolicy = .enforce) {
    self.now = now
    self.end = end
    self.policy = policy
  }

  /// The problems of the sets, in their order.
  package func problems(in sets: [PinSet]) -> [PinProblem] {
    sets.flatMap { problems(of: $0) } + sharedPins(of: sets)
  }

  private func problems(of set: PinSet) -> [PinProblem] {
    let place = set.pattern.description
    var problems: [PinProblem] = []
    if let expires = set.expires {
      if expires <= now {
        problems.append(
          PinProblem(
            .error, .expired, place, "the pins expired on \(expires.date): the host is refused"))
      } else if expires < end {
        problems.append(
          PinProblem(.warning, .expiresSoon, place, "the pins expire on \(expires.date)"))
      }
    }
    if !set.hasBackup {
      let isEnforced = (set.policy ?? policy) == .enforce
      problems.append(
        PinProblem(
          isEnforced ? .error : .warning, .noBackup, place,
          "there is no second key: when this one is lost or replaced, the host is refused",
          of: set.keys.first?.pin))
    }
    if set.policy == .report {
      problems.append(
        PinProblem(
          .warning, .notEnforced, place,
          "mismatches are only reported: requests with tokens go to servers without a pinned key"))
    }
    return problems + weakKeys(of: set, place) + shortLivedLeaf(of: set, place)
  }

  /// Leaf keys alone, of certificates that are replaced several times a year.
  private func shortLivedLeaf(of set: PinSet, _ place: String) -> [PinProblem] {
    guard set.keys.allSatisfy({ $0.role == .leaf || $0.role == .backup }) else { return [] }
    let leaves = set.keys.filter { key in
      guard key.role == .leaf, let end = key.notAfter, let added = key.added else { return false }
      return end.seconds(since: added) < Self.shortLife
    }
    return leaves.map { key in
      let end = key.notAfter ?? now
      return PinProblem(
        .warning, .shortLivedLeaf, place,
        "only leaf keys are pinned, and the certificate of this one \(end <= now ? "ended" : "ends") on "
          + "\(end.date), within 100 days of its pinning: pin an authority too, or make sure that "
          + "renewals keep the key", of: key.pin)
    }
  }

  private static let shortLife: Int64 = 100 * 86_400

  private func weakKeys(of set: PinSet, _ place: String) -> [PinProblem] {
    set.keys.compactMap { key in
      guard let type = key.keyType, Self.isWeak(type) else { return nil }
      return PinProblem(
        .warning, .weakKey, place, "the key is \(type): 2048 bits are the minimum", of: key.pin)
    }
  }

  private static func isWeak(_ type: String) -> Bool {
    let words = type.words
    guard words.count >= 2, ["RSA", "DSA"].contains(words[0]), let bits = Int(words[1]) else {
      return words.first == "DSA"
    }
    return bits < 2048
  }

  /// Sets with the same pins: a rotation that changes one and forgets the other breaks a host.
  ///
  /// A host and its subdomains may need two sets, where a format has no pattern for both.
  private func sharedPins(of sets: [PinSet]) -> [PinProblem] {
    var first: [Set<Pin>: PinPattern] = [:]
    return sets.compactMap { set in
      let pins = Set(set.keys.map(\.pin))
      let place = set.pattern.description
      guard let other = first[pins] else {
        first[pins] = set.pattern
        return nil
      }
      guard other.host != set.host else { return nil }
      return PinProblem(
        .warning, .samePins, place,
        "the pins are those of \(other): change both, or use one pattern for them")
    }
  }
}
