import Arguments
import FIDO
import JSON
import SDKCore
import UAF

enum FIDOLogin: Command {
  static let page = CommandInfo(
    name: "login", summary: "Log in with a FIDO UAF key",
    description: """
      Proves the key of {fido register} to the FIDO server, and stores the cookies or the JWT of the \
      response as the user's credential: `sdkctl fido login`. {fetch} then sends them with each \
      request. With `reauthenticate=fido` a request that is refused with 401 does the same. See {fido}.

      The passcode is typed, or read from standard input or a file (`--passcode-file`, else \
      `fido.passcodeFile`). After wrong passcodes the authenticator makes the user wait, and at last is locked: \
      then delete its keys here with {fido deregister}, and register anew.

      If the server asks to confirm a transaction, its text is shown on the terminal; an image is \
      saved and named. What you do not confirm is not signed (exit 15).
      """,
    examples: [
      ("sdkctl fido login", "Log in, and type the passcode"),
      ("sdkctl fido login alice --passcode-file FILE", "Log alice in with the passcode of a file"),
    ],
    seeAlso: ["fido", "fido register", "token", "fetch"],
    output: NewLogin.rows.document, needs: [.session, .terminal])

  struct Arguments: CommandArguments {
    var account: String?
    var aaid: AAID?
  }

  static let options: [Option<Arguments>] = [
    .aaid(\.aaid)
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("NAME", \.account, "The user at the server; else fido.user, or the only one")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.authenticatorSession()
    try session.fido.requireServer()
    let delegates = try context.authenticatorDelegates(session.profile)
    let provider = try await session.fido.logIn(
      arguments.account, at: arguments.aaid, asking: delegates)
    await SessionReport(provider: provider, session: session, name: provider.userName)
      .print(context)
    session.noteCurrentUser(context)
  }
}
