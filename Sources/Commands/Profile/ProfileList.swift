import Arguments
import JSON
import Primitives
import SDKCore

/// `sdkctl profile list` -- list the profiles.
enum ProfileList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List the profiles",
    description: """
      Prints the name of each profile, one per line. On a terminal it also marks the current \
      profile and prints the issuers. With `--state` it also prints the login of each profile, \
      which it reads from the store; it uses no network.
      """,
    examples: [
      ("sdkctl profile list", "List the profiles"),
      ("sdkctl profile list --state", "List who is logged in, and until when"),
    ], seeAlso: ["status", "token list"],
    json: """
      An array of objects with `name`, `current` (boolean), `issuer`, `resourceURL` and `site` \
      (whether it is a profile of the site); with `--state` also `registered` (boolean), `user` (the ID of the current one) and `slots`: by \
      slot an object with `expires` (or null), `expired` and `refreshable`.
      """)

  struct Arguments: CommandArguments {
    var state = false
  }

  static let options: [Option<Arguments>] = [
    .flag("state", \.state, "Print the login of each profile too")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let store = try context.store()
    let (names, current) = (try store.names(), try store.current())
    if arguments.state { return try await list(names, current, in: context) }
    if !context.globals.json, !context.isTerminal {
      for name in names { context.print(name.description) }
      return
    }
    var rows: [JSON] = []
    var lines: [[TextTable.Cell]] = []
    for name in names {
      // One broken profile must not hide the others.
      let profile = try? store.profile(name)
      let issuer = profile?["issuer"] ?? .null
      if context.globals.json {
        rows.append([
          "name": .string(name.description), "current": .bool(name == current),
          "issuer": issuer, "resourceURL": profile?["resourceURL"] ?? .null,
          "site": .bool(store.isOfSite(name)),
        ])
      } else {
        let text =
          profile == nil ? TextTable.Cell("cannot be read", .bad) : .init(issuer.string ?? "")
        lines.append([name == current ? "*" : " ", .init(name.description), text])
      }
    }
    if context.globals.json {
      context.print(.array(rows))
    } else {
      context.print(TextTable("", "PROFILE", "ISSUER", rows: lines))
    }
  }

  /// Prints each profile with its login: a line with tabs, or an object.
  private static func list(
    _ names: [ProfileName], _ current: ProfileName?, in context: Context
  ) async throws {
    let now = context.now()
    var rows: [JSON] = []
    var lines: [[TextTable.Cell]] = []
    for name in names {
      let login: StoredLogin
      do {
        login = try await context.store().login(of: name)
      } catch {
        // One broken profile must not hide the others.
        context.warn(context.failure(error).message)
        continue
      }
      if context.globals.json {
        rows.append(login.json(isCurrent: name == current, at: now))
      } else {
        lines.append([
          .init(name.description), name == current ? "current" : "-",
          login.isRegistered ? "registered" : "not registered", .init(login.words(at: now)),
        ])
      }
    }
    if context.globals.json {
      context.print(.array(rows))
    } else {
      context.print(TextTable("PROFILE", "CURRENT", "CLIENT", "LOGIN", rows: lines))
    }
  }
}

extension StoredLogin {
  fileprivate func words(at now: Timestamp) -> String {
    (user == .standard ? "" : "\(user): ") + slots.words(at: now)
  }

  fileprivate func json(isCurrent: Bool, at now: Timestamp) -> JSON {
    [
      "name": .string(profile.name.description), "current": .bool(isCurrent),
      "issuer": profile["issuer"] ?? .null, "resourceURL": profile["resourceURL"] ?? .null,
      "site": .bool(isOfSite), "registered": .bool(isRegistered),
      "user": .string(user.description),
      "slots": slots.states(at: now),
    ]
  }
}
