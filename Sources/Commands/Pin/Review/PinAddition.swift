import Pinning
import Primitives
import SDKCore

/// Keys that are to be pinned, and what their sets become besides.
struct PinAddition: Sendable {
  /// The keys of each pattern, in the order of the command line.
  private(set) var keys: [(pattern: PinPattern, keys: [PinnedKey])] = []
  var includesSubdomains = false
  var expires: Timestamp?
  var policy: PinPolicy?
  var comment: String?

  static let rows = Rows<(set: PinSet, key: PinnedKey)>(
    .member("host", "the pattern") { $0.set.pattern.description },
    .member("pin", "the pin") { $0.key.pin }, .member("role", "its role") { $0.key.role.rawValue },
    .member("label", "what it is called") { $0.key.label })

  mutating func add(_ added: [PinnedKey], to pattern: PinPattern) {
    let added = added.map { key in
      var key = key
      key.comment = comment
      return key
    }
    if let index = keys.firstIndex(where: { $0.pattern == pattern }) {
      keys[index].keys += added
    } else {
      keys.append((pattern, added))
    }
  }

  /// The pattern of the set that keys of this pattern join.
  func target(of pattern: PinPattern, in sets: PinSets) -> PinPattern {
    guard includesSubdomains, pattern.subdomains == .none else { return sets.meant(pattern) }
    return pattern.with(subdomains: .all) ?? pattern
  }

  func applied(to sets: PinSets) -> PinSets {
    keys.reduce(sets) { sets, entry in
      let target = target(of: entry.pattern, in: sets)
      // A set that gets the subdomains too stays one set.
      let narrow = sets[entry.pattern]
      var set =
        sets[target] ?? narrow?.with(pattern: target) ?? PinSet(target, keys: [])
      if let narrow, narrow.pattern != target { set = set.adding(narrow.keys) }
      set = set.adding(entry.keys)
      if let expires { set.expires = expires }
      if let policy { set.policy = policy }
      return (narrow.map { sets.removing($0.pattern) } ?? sets).adding(set)
    }
  }

  /// The sets that the keys join, as they will be.
  func results(in sets: PinSets) -> [PinSet] {
    let sets = applied(to: sets)
    return keys.compactMap { sets[target(of: $0.pattern, in: sets)] }
  }
}
