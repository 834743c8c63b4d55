import Primitives
import SDKCore

/// What files and directories the store has, by their paths.
struct StoreLayout: Sendable {
  /// A part of the store, with its own directory.
  enum Area: Sendable, Hashable, CaseIterable {
    case config, state, cache
  }

  /// What a path is.
  enum Entry: Sendable, Hashable {
    case directory
    /// A JSON document with a version.
    case document(StoreDocument.Secrecy)
    /// What a server has told; without it one more request is sent.
    case cached
    /// Another file for its owner's eyes only, such as a key.
    case secret
    /// An empty file that processes lock.
    case lock
    /// What another program has there: the sockets of a process that waits, or a directory that is not looked into.
    case other
  }

  /// What may be at a path below an area, a member of `names` for each level; none for what is foreign.
  static func entries(_ names: [String], in area: Area) -> [Entry] {
    var found: [Entry] = []
    for (pattern, entry) in patterns[area] ?? [] {
      if pattern.count == names.count, zip(pattern, names).allSatisfy(matches) {
        found.append(entry)
      } else if pattern.count > names.count, zip(pattern, names).allSatisfy(matches) {
        found.append(.directory)
      }
    }
    return found
  }

  /// `*` stands for any name, and for the start of one.
  private static func matches(_ pattern: Substring, _ name: String) -> Bool {
    guard pattern.first == "*" else { return pattern == name }
    return name.hasSuffix(String(pattern.dropFirst())) && !name.hasPrefix(".")
  }

  private static let patterns: [Area: [(pattern: [Substring], entry: Entry)]] = [
    .config: split([
      ("config.json", .document(.shared)), ("profiles/*/profile.json", .document(.shared)),
      ("profiles/*/pins.json", .document(.shared)),
    ]),
    .state: split(
      [
        ("profiles.lock", .lock), ("pending/*", .other), ("sandbox", .other),
        ("profiles/*/registration.json", .document(.secret)),
        ("profiles/*/place.json", .document(.secret)),
        ("profiles/*/store-key.json", .document(.secret)),
        ("profiles/*/users.json", .document(.secret)),
        ("profiles/*/pin-history.json", .document(.secret)),
        ("profiles/*/payload.json", .document(.shared)),
        ("profiles/*/pin-updates.json", .document(.secret)),
        ("profiles/*/dispatch-targets.json", .document(.secret)),
        ("profiles/*/identities/*/identity.json", .document(.secret)),
        ("profiles/*/identities/*/request.json", .document(.secret)),
        ("profiles/*/identities/*/client.pem", .secret),
        ("profiles/*/authenticators/*.json", .document(.secret)),
        ("profiles/*/shared/*/*.json", .document(.secret)),
        ("profiles/*/shared/*/credentials/*.json", .document(.secret)),
        ("profiles/*/shared/*/users/*/*.json", .document(.secret)),
        ("profiles/*/shared/*/users/*/credentials/*.json", .document(.secret)),
        ("profiles/*/backup-keys/*", .secret), ("profiles/*/locks/*.lock", .lock),
      ] + ofUser("profiles/*/") + ofUser("profiles/*/users/*/")),
    .cache: split([("*/*.json", .cached)]),
  ]

  private static func ofUser(_ prefix: String) -> [(String, Entry)] {
    ["seal.json", "dpop.json", "credentials/*.json", "credentials/derived/*.json"]
      .map {
        (prefix + $0, .document(.secret))
      }
  }

  private static func split(
    _ rows: [(String, Entry)]
  ) -> [(pattern: [Substring], entry: Entry)] {
    rows.map { (pattern: $0.0.split(separator: "/"), entry: $0.1) }
  }
}
