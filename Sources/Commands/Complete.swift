import Arguments
import Pinning
import SDKCore

/// `sdkctl __complete` -- print what a shell may offer for a value, one a line, without network.
enum Complete: Command {
  static let page = CommandInfo(
    name: "__complete", summary: "Print completions of a kind",
    description: "For completion scripts. Prints nothing if the values cannot be read.",
    examples: [("sdkctl __complete profiles", "Print profile names")], isHidden: true)

  struct Arguments: Sendable {
    var kind = ""
    var words: [String] = []
  }

  static let defaults = Arguments()

  static let operands: [Operand<Arguments>] = [
    .one("KIND", \.kind, "What to print"), .any("WORD", \.words, "The command line so far"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    for value in (try? values(arguments, context)) ?? [] { context.print(value) }
  }

  private static func values(
    _ arguments: Arguments, _ context: Context
  ) throws(Failure) -> [String] {
    switch arguments.kind {
    case "profiles":
      let store = try context.store()
      return try translating(nil) { () throws(SDKError) in try store.names().map(\.description) }
    case "pinned-hosts":
      return try pinnedHosts(context.with(profile: profile(in: arguments.words)))
    case "identities":
      let named = context.with(profile: profile(in: arguments.words))
      let name = try named.profileName()
      let store = IdentityStore(try named.store(), name, now: { named.instant })
      return try translating(name) { () throws(SDKError) in try store.names().map(\.description) }
    case "profile-keys": return ProfileKey.all.map(\.name)
    case "profile-settings": return profileSettings
    case "help":
      let catalog = commandTable.catalog
      return catalog.visibleEntries.map(\.page.name) + catalog.topics.map(\.name)
    default: return []
    }
  }

  /// `KEY=` of each key, or `KEY=VALUE` if it has a fixed set of values.
  private static var profileSettings: [String] {
    ProfileKey.all.flatMap { key in
      key.words.isEmpty ? ["\(key.name)="] : key.words.map { "\(key.name)=\($0)" }
    }
  }

  private static func pinnedHosts(_ context: Context) throws(Failure) -> [String] {
    let name = try context.profileName()
    let pins = PinStore(try context.store().location, name)
    return try translating(name) { () throws(SDKError) in
      try pins.load().sets.map(\.pattern.description)
    }
  }

  /// The profile that the unfinished command line already names.
  private static func profile(in words: [String]) -> String? {
    for (index, word) in words.enumerated() {
      if word == "-p" || word == "--profile" { return words.dropFirst(index + 1).first }
      if word.hasPrefix("--profile=") { return String(word.dropFirst("--profile=".count)) }
    }
    return nil
  }
}
