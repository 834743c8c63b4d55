import Arguments
import Pinning
import Primitives
import SDKCore

enum PinList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List the pins of the profile",
    description: """
      Prints one pin per line; {pins} explains the patterns of hosts.
      """,
    examples: [("sdkctl pin list", "List the pins")],
    output: PinSet.rows.list)

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let sets = try context.pinSets().sets
    if sets.isEmpty { context.note("no host is pinned") }
    context.print(sets, PinSet.rows)
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
}

extension PinSet {
  static let rows = Rows<PinSet>(
    .column(
      "pattern", "HOST",
      "the hosts: a name, `*.NAME` or `**.NAME`, with a port if it is for that only"
    ) {
      ShownHost($0.pattern)
    },
    .member("host", "the name in the pattern") { $0.host },
    .member("port", "its port") { $0.pattern.port.map(Int64.init) },
    .member("subdomains", "`none`, `direct` or `all`") { $0.pattern.subdomains.name },
    .member("includeSubdomains", "whether there are any") { $0.includesSubdomains },
    .member("proxy", "whether it is a proxy") { $0.pattern.isProxy },
    .member("policy", "`enforce` or `report`, if not that of the profile") { $0.policy?.rawValue },
    .member("comment", "a comment") { $0.comment },
    .list("keys", "the pins", PinnedKey.rows) { $0.keys },
    .column("expires", "PINS END", "when the pins end") { $0.expires.map { End($0) } })
}

extension PinnedKey {
  static let rows = Rows<PinnedKey>(
    .column("pin", "PIN", "the pin") { $0.pin },
    .column("role", "ROLE", "`leaf`, `intermediate`, `root` or `backup`") { $0.role.rawValue },
    .column("label", "LABEL", "what it is called") { $0.label },
    .member("comment", "a comment") { $0.comment },
    .member("origin", "where it comes from") { $0.origin?.description },
    .member("added", "when it was pinned") { $0.added },
    .member("expires", "when its certificate ends") { $0.notAfter },
    .member("keyType", "the kind of key") { $0.keyType })
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
