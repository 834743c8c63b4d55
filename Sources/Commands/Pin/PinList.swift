import Arguments
import JSON
import Pinning
import Primitives
import SDKCore

/// `sdkctl pin list` -- list the pins of the profile.
enum PinList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List the pins of the profile",
    description: "Prints one pin per line: host, pin, role and label, separated by tabs.",
    examples: [("sdkctl pin list", "List the pins")], exitCodes: [3],
    json: """
      An array of hosts: `host`, `includeSubdomains`, `expires` and `keys`, an array of objects \
      with `pin`, `role`, `label` and `added`.
      """)

  struct Arguments: Sendable {}

  static let defaults = Arguments()

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    try context.printPins(try context.pinSets().sets)
  }
}

extension Context {
  /// The pins of the profile that is meant; neither the profile nor the network is used.
  func pinSets() throws(Failure) -> PinSets {
    let name = try profileName()
    let store = try store()
    return try translating(name) { () throws(SDKError) in
      if !store.contains(name) { _ = try store.profile(name) }
      return try PinStore(store.location, name).load()
    }
  }

  func printPins(_ sets: [PinSet]) throws(Failure) {
    if globals.json {
      print(.array(sets.map(\.json)))
      return
    }
    for set in sets {
      let host = set.includesSubdomains ? "*.\(set.host)" : set.host
      let end = set.expires.map { "\t\(Age.text(of: $0, at: now()))" } ?? ""
      for key in set.keys {
        print("\(host)\t\(key.pin)\t\(key.role.rawValue)\t\(key.label ?? "-")\(end)")
      }
    }
  }
}

extension PinSet {
  var json: JSON {
    [
      "host": .string(host), "includeSubdomains": .bool(includesSubdomains),
      "expires": expires.map { .string($0.description) } ?? .null,
      "keys": .array(
        keys.map { key in
          [
            "pin": .string(key.pin.description), "role": .string(key.role.rawValue),
            "label": key.label.map { .string($0) } ?? .null,
            "added": key.added.map { .string($0.description) } ?? .null,
          ]
        }),
    ]
  }
}
