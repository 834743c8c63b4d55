import Arguments
import FIDO
import JSON
import SDKCore
import UAF

enum FIDODeregister: Command {
  static let page = CommandInfo(
    name: "deregister", summary: "Delete the FIDO UAF keys of a user",
    description: """
      Asks the FIDO server to delete the keys of a user, and deletes those that it names here: \
      `sdkctl fido deregister`. The login of the user stays; {logout} ends it.

      The server requires a login with a key: run {fido login} before. NAME is the user at the \
      server; without it that is `fido.user`, else the only user who has a key here.

      `--local` deletes the keys here without asking the server. Use it if the server is gone, or if \
      the authenticator is locked after wrong passcodes. With the last key the passcode is forgotten.
      """,
    examples: [
      ("sdkctl fido deregister", "Delete the keys"),
      ("sdkctl fido deregister --local --yes", "Delete the keys of a locked authenticator"),
    ],
    seeAlso: ["fido", "fido register", "deregister"],
    output: KeyReport.rows.list, needs: [.session, .terminal])

  struct Arguments: CommandArguments {
    var account: String?
    var aaid: AAID?
    var local = false
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .aaid(\.aaid), .flag("local", \.local, "Delete the keys here; do not ask the server"),
    .yes(\.yes, "Delete without asking"),
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("NAME", \.account, "The user at the server; fido.user without it")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    if !arguments.local { try session.fido.requireServer() }
    let name = session.profile.name
    try await context.confirm("Delete the FIDO keys of '\(name)'?", isAgreed: arguments.yes)
    let keys =
      arguments.local
      ? try await session.fido.forget(arguments.account, at: arguments.aaid)
      : try await session.fido.deregister(arguments.account, at: arguments.aaid)
    let reports = keys.map { KeyReport(key: $0, profile: name) }
    if context.globals.json { return context.print(reports, KeyReport.rows) }
    for report in reports { context.note("deleted \(report.text) of '\(name)'") }
  }
}
