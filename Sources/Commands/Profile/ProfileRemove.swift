import Arguments
import FIDO
import JSON
import Primitives
import SDKCore

enum ProfileRemove: Command {
  static let page = CommandInfo(
    name: "remove", summary: "Remove a profile and everything in it",
    description: """
      Removes a profile, its pins, its registration and its tokens from this machine. A profile \
      that cannot be read is removed too. The server is not informed: what it still accepts \
      afterwards is listed. To end it there, run {deregister} or {logout} first.
      """,
    examples: [
      ("sdkctl profile remove lab --yes", "Remove a profile"),
      ("sdkctl -p lab deregister && sdkctl profile remove lab", "Also delete it at the server"),
    ], exitCodes: [14],
    seeAlso: ["logout", "deregister"],
    output: Remains.rows.document, needs: .terminal)

  struct Arguments: CommandArguments {
    var name: String?
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .yes(\.yes, "Remove without asking")
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("NAME", \.name, "The profile; or --profile").completing(.dynamic("profiles"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let store = try context.store()
    let name = try context.requiredProfile(arguments.name)
    let remains = await Remains(name, context)
    if arguments.yes || context.isInteractive {
      context.show(remains.lines, isAgreed: arguments.yes)
    }
    try await context.confirm(
      "Remove the profile '\(name)' with its registration and tokens?", isAgreed: arguments.yes)
    let damage = try await store.remove(name)
    if let damage {
      context.note("removed '\(name)', whose settings were damaged: \(damage.message)")
    }
    context.report(remains, Remains.rows)
  }
}

/// What servers still accept after a profile was removed from this machine only.
struct Remains {
  let profile: ProfileName
  private var kept: [Kept] = []

  private struct Kept {
    let what: String
    let name: String
    var until: Timestamp?

    var line: String {
      let words =
        switch what {
        case "tokens": "the tokens of the slot \(name)"
        case "registration": "the client \(name)"
        case "identity": "the certificate \(name)"
        default: "the FIDO key of \(name)"
        }
      return "still valid at the server: \(words)" + (until.map { ", until \($0)" } ?? "")
    }

    static let rows = Rows<Kept>(
      .member("what", "`registration`, `tokens`, `identity` or `fido`") { $0.what },
      .member("name", "the client, the slot with `of ID` for a user, the identity or the user") {
        $0.name
      },
      .member("until", "when it ends") { $0.until })
  }

  static let rows = Rows<Remains>(
    .member("profile", "the profile") { $0.profile.description },
    .list("staysValid", "what the server still accepts", Kept.rows) { $0.kept })

  /// Reads what can be read: a damaged profile is removed too.
  init(_ name: ProfileName, _ context: Context) async {
    profile = name
    guard let session = try? context.with(profile: name.description).session() else { return }
    if let registration = try? await session.registration.usable() {
      kept.append(Kept(what: "registration", name: registration.clientID))
    }
    for user in (try? await session.users()) ?? [] {
      let owner = user.id == .standard ? "" : " of \(user.id)"
      for stored in user.slots {
        guard let provider = stored.provider, provider.isAccepted(at: context.now()) else {
          continue
        }
        kept.append(
          Kept(
            what: "tokens", name: stored.slot.rawValue + owner,
            until: provider.tokens?.isRefreshable == true ? nil : provider.expires))
      }
    }
    let store = session.identities.store()
    for name in (try? store.names()) ?? [] {
      guard let identity = try? store.identity(named: name) else { continue }
      let end = identity.chain.notAfter
      if end > context.now() {
        kept.append(Kept(what: "identity", name: name.description, until: end))
      }
    }
    for key in session.fido.inventory().flatMap(\.keys) {
      kept.append(Kept(what: "fido", name: key.username))
    }
  }

  var lines: [String] { kept.map(\.line) }
}

extension AuthorizationProvider {
  /// Whether a server may still accept it, or renew it.
  fileprivate func isAccepted(at now: Timestamp) -> Bool {
    tokens?.isRefreshable == true || expires.map { $0 > now } ?? true
  }
}
