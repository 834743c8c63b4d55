import Arguments
import JSON
import SDKCore

/// `sdkctl profile list` -- list the profiles.
enum ProfileList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List the profiles",
    description: """
      Prints the name of each profile, one per line. On a terminal it also marks the current \
      profile and prints the issuers.
      """,
    examples: [("sdkctl profile list", "List the profiles")], exitCodes: [3],
    json: "An array of objects with `name`, `current` (boolean), `issuer` and `resourceURL`.")

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let store = try context.store()
    let (names, current) = (try store.names(), try store.current())
    if !context.globals.json, !context.isTerminal {
      for name in names { context.print(name.description) }
      return
    }
    var rows: [JSON] = []
    for name in names {
      // One broken profile must not hide the others.
      let profile = try? store.profile(name)
      let issuer = profile?["issuer"] ?? .null
      if context.globals.json {
        rows.append([
          "name": .string(name.description), "current": .bool(name == current),
          "issuer": issuer, "resourceURL": profile?["resourceURL"] ?? .null,
        ])
      } else {
        let text = profile == nil ? "(cannot be read)" : issuer.string ?? ""
        context.print("\(name == current ? "*" : " ") \(name)  \(text)")
      }
    }
    if context.globals.json { context.print(.array(rows)) }
  }
}
