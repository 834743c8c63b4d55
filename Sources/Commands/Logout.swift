import Arguments
import JSON
import SDKCore

/// `sdkctl logout` -- revoke the tokens of a slot and erase them.
enum Logout: Command {
  static let page = Page(
    name: "logout", group: .access, summary: "Revoke and erase the tokens",
    description: """
      Revokes the refresh token and the access token at the server (RFC 7009) and erases them \
      here, and says what became of each step. The tokens are erased whatever the server says; if \
      it may still hold the grant, the exit status is not 0. The implicit token is revoked and \
      erased with the user's. The registration stays; {deregister} ends that too.

      Tokens that are damaged and cannot be read cannot be revoked either. `--local` erases them, \
      and a new {login} replaces them; both say so.
      """,
    examples: [
      ("sdkctl logout", "Log the user out"),
      ("sdkctl logout --local", "Forget the tokens of a server that is gone"),
    ],
    exitCodes: [3, 4, 5, 6, 7, 8, 9, 11, 14], seeAlso: ["login", "deregister", "profile remove"],
    json: """
      An object with `profile`, `slot` and `steps`, an array of objects with `step` \
      (`revoke_refresh_token`, `revoke_access_token`, `erase`), `outcome` (`done`, `skipped`, \
      `failed`), `message` (or null) and `slot` (`implicit` for the token that goes with the \
      user, else null).
      """,
    needs: [.profile, .network])

  struct Arguments: Sendable {
    var local = false
    var slot = CredentialSlot.user
  }

  static let defaults = Arguments()

  static let options: [Option<Arguments>] = [
    .flag("local", nil, \.local, "Erase only; do not ask the server"),
    .choice("slot", nil, "SLOT", \.slot, "Whose tokens: user (default), implicit or device"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    let session = try context.session()
    let slot = arguments.slot
    let steps = try await translating(session.profile.name) { () async throws(SDKError) in
      try await session.logout(slot, isLocal: arguments.local)
    }
    let report = StepReport(steps: steps, profile: session.profile.name)
    if context.globals.json {
      context.print([
        "profile": .string(session.profile.name.description), "slot": .string(slot.rawValue),
        "steps": report.json(withSlots: true),
      ])
    } else if steps.isEmpty {
      context.note("nobody was logged in to '\(session.profile.name)'")
    } else {
      report.note(context)
    }
    try report.throwFailure(
      "could not finish the logout: the server may still hold the grant", .localLogout)
  }
}
