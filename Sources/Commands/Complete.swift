import Arguments
import POSIX
import Pinning
import Primitives
import SDKCore

enum Complete: Command {
  static let page = CommandInfo(
    name: "__complete", summary: "Print completions of a command line",
    description: """
      For completion scripts. The words are those behind the program's name, the unfinished one \
      last. Values that cannot be read are left out.
      """,
    examples: [("sdkctl __complete -- pin ''", "Print what may follow `pin`")], isHidden: true)

  struct Arguments: CommandArguments {
    var words: [String] = []
  }

  static let operands: [Operand<Arguments>] = [
    .any("WORD", \.words, "The command line so far").allowingEmpty()
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    var offer = commandTable.catalog.offer(arguments.words)
    let typed = commandTable.read(Array(arguments.words.dropLast())).globals
    switch offer.source {
    case .values("profile-keys"): offer.add(keys { [$0.name] })
    case .values("profile-settings"): offer.add(keys(settings(of:)))
    default: offer.add((try? values(offer, context.with(profile: typed.profile))) ?? [])
    }
    context.output.write(offer.text)
  }

  private static func values(_ offer: Offer, _ context: Context) throws -> [String] {
    switch offer.source {
    case .externals: extensions(context)
    case .values("help"): helpWords(after: offer.operands)
    case .values("fields"): commandTable.catalog.fields(of: offer.path)
    case .values(let kind): try values(kind, context)
    default: []
    }
  }

  private static func values(_ kind: String, _ context: Context) throws -> [String] {
    switch kind {
    case "profiles":
      let store = try context.store()
      return try store.names().map(\.description)
    case "users":
      let store = try context.store()
      return try store.users(of: try context.profileName()).map(\.description)
    case "config-keys": return try ConfigEntry.all(try context.store()).map(\.key.text)
    case "pinned-hosts": return try pinnedHosts(context)
    case "identities", "all-identities":
      let name = try context.profileName()
      let store = IdentityStore(try context.store(), name, now: { context.now() })
      let requested = kind == "identities" ? [] : try store.requestedNames()
      return Set(try store.names() + requested).sorted().map(\.description)
    default: return []
    }
  }

  /// Commands and topics; behind a command, its subcommands.
  private static func helpWords(after words: [String]) -> [String] {
    let catalog = commandTable.catalog
    guard let name = words.first else { return catalog.subjects }
    return catalog.entry(name)?.words(after: Array(words.dropFirst())).map(\.word) ?? []
  }

  /// The words of each key, with its heading and summary.
  private static func keys(
    _ words: (ProfileKey) -> [String]
  ) -> [(value: String, summary: String)] {
    SettingTable.ofProgram.sections.flatMap { section in
      section.keys.flatMap { key in
        words(key).map { (value: $0, summary: "\(section.title): \(key.summary)") }
      }
    }
  }

  /// `KEY=` of a key, or `KEY=VALUE` if it has a fixed set of values.
  private static func settings(of key: ProfileKey) -> [String] {
    key.words.isEmpty ? ["\(key.name)="] : key.words.map { "\(key.name)=\($0)" }
  }

  private static func pinnedHosts(_ context: Context) throws -> [String] {
    let name = try context.profileName()
    let pins = PinStore(try context.store().location, name)
    return try pins.load().sets.map(\.pattern.description)
  }
}

extension CommandCatalog {
  /// The members of the JSON that a command prints.
  fileprivate func fields(of path: [String]) -> [String] {
    guard let entry = path.first.flatMap(entry) else { return [] }
    let page = entry.subcommands.first { $0.path == path }?.page ?? entry.page
    return page.output?.names ?? []
  }
}
