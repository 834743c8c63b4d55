internal import Primitives

/// A validated chain without any pinned key.
public struct PinMismatch: Sendable, Hashable {
  /// The host that was asked.
  public let host: String
  /// The keys of the validated path, leaf first.
  public let chain: [ChainKey]
  /// The keys that were expected.
  public let pinned: [PinnedKey]

  /// Describes a mismatch.
  public init(host: String, chain: [ChainKey], pinned: [PinnedKey]) {
    self.host = host
    self.chain = chain
    self.pinned = pinned
  }

  /// What was pinned by mistake, although it is another hash of a certificate of the chain.
  public var mistakes: [PinMistake] {
    chain.flatMap { $0.mistakes(among: pinned.map(\.pin)) }
  }

  /// Both lists, for people; remote text in them is safe to show.
  public var lines: [String] {
    ["chain of \(host):"] + listed(chain.map { ($0.pin, $0.subject) })
      + ["pinned for \(host):"]
      + listed(pinned.map { ($0.pin, $0.label ?? $0.role.rawValue) }) + mistakes.map(\.text)
  }

  private func listed(_ keys: [(pin: Pin, text: String)]) -> [String] {
    keys.isEmpty ? ["  none"] : keys.map { "  \($0.pin) \(VisibleText.of($0.text, .bytes))" }
  }
}

/// What happens when a host is not pinned or a chain does not match.
public enum PinPolicy: String, Sendable, Hashable, CaseIterable {
  /// The transfer is refused.
  case enforce
  /// The transfer continues, and the mismatch is reported.
  case report
}
