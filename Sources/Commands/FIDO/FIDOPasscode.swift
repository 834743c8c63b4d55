import Arguments
import FIDO
import JSON
import SDKCore
import UAF

enum FIDOPasscode: Command {
  static let page = CommandInfo(
    name: "passcode", summary: "Change the passcode of the FIDO UAF keys",
    description: """
      Asks for the passcode of the software authenticator and for a new one, and encrypts its keys under \
      the new one: `sdkctl fido passcode`. A wrong passcode counts as an attempt. The settings \
      `fido.passcode*` say which passcodes may be chosen; see {fido}.
      """,
    examples: [
      ("sdkctl fido passcode", "Type the old and the new passcode"),
      (
        "sdkctl fido passcode --passcode-file old --new-passcode-file new",
        "Read both from files"
      ),
    ],
    exitCodes: [4, 9, 10, 14], seeAlso: ["fido", "fido register", "profile passcode"],
    output: ProfileName.rows.document, needs: .terminal)

  struct Arguments: CommandArguments {
    var aaid: AAID?
    var newPasscodeFile: String?
  }

  static let options: [Option<Arguments>] = [
    .aaid(\.aaid), .newPasscode(\.newPasscodeFile),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.authenticatorSession()
    try await session.fido.requirePasscode(at: arguments.aaid)
    let name = session.profile.name
    try await context.changePasscode(of: "the FIDO keys", name, arguments.newPasscodeFile) {
      try await session.fido.changePasscode(from: $0, to: $1, at: arguments.aaid)
    }
  }
}
