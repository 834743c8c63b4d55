import Arguments
import JSON
import Pinning
import Primitives
import SDKCore

/// `sdkctl pin list` -- list the pins of the profile.
enum PinList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List the pins of the profile",
    description: """
      Prints one pin per line: host, pin, role and label, separated by tabs; on a terminal, a \
      table. `*.api.test` means the names with one more label, `**.api.test` the host and all \
      names below it; see {pins}. On a terminal the U-labels of an international name follow its \
      A-labels.
      """,
    examples: [("sdkctl pin list", "List the pins")],
    json: """
      An array of objects: `pattern`, `host`, `port`, `subdomains` (`none`, `direct` or `all`), \
      `includeSubdomains`, `proxy`, `expires`, `policy`, `comment` and `keys`, an \
      array of objects with `pin`, `role`, `label`, `comment`, `origin`, `added`, `notAfter` and \
      `keyType`.
      """)

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let sets = try context.pinSets().sets
    if sets.isEmpty { context.note("no host is pinned") }
    context.printPins(sets)
  }
}

extension Context {
  /// The pins of the chosen profile; its settings are not read, and no connection is made.
  func pinSets() throws -> PinSets {
    let name = try profileName()
    let store = try store()
    if !store.contains(name) { _ = try store.profile(name) }
    return try PinStore(store.location, name).load()
  }

  func printPins(_ sets: [PinSet]) {
    if globals.json {
      print(.array(sets.map(\.json)))
      return
    }
    let rows = sets.flatMap { set in
      let pattern = isTerminal ? set.pattern.shown : set.pattern.description
      let name = (set.pattern.isProxy ? "proxy " : "") + pattern
      let end = set.expires.map { [TextTable.Cell($0, at: now())] } ?? []
      return set.keys.map { key in
        [
          TextTable.Cell(name), .init(key.pin), .init(key.role.rawValue),
          .init(key.label ?? "-"),
        ]
          + end
      }
    }
    print(TextTable("HOST", "PIN", "ROLE", "LABEL", "PINS END", rows: rows))
  }
}

extension PinSet {
  var json: JSON {
    [
      "pattern": .string(pattern.description), "host": .string(host),
      "port": pattern.port.map { .int(Int64($0)) } ?? .null,
      "subdomains": .string(pattern.subdomains.name),
      "includeSubdomains": .bool(includesSubdomains), "proxy": .bool(pattern.isProxy),
      "expires": date(expires), "policy": JSON(policy?.rawValue), "comment": JSON(comment),
      "keys": .array(keys.map(\.json)),
    ]
  }
}

extension PinnedKey {
  var json: JSON {
    [
      "pin": .string(pin.description), "role": .string(role.rawValue), "label": JSON(label),
      "comment": JSON(comment), "origin": JSON(origin?.description), "added": date(added),
      "notAfter": date(notAfter), "keyType": JSON(keyType),
    ]
  }
}

extension PinPattern.Subdomains {
  var name: String {
    switch self {
    case .none: "none"
    case .direct: "direct"
    case .all: "all"
    }
  }
}

private func date(_ time: Timestamp?) -> JSON { JSON(time?.description) }
