import Arguments
import FIDO
import JSON
import SDKCore
import UAF

/// `sdkctl profile passcode` -- change the passcode of the sealed tokens, or that of the FIDO keys.
enum ProfilePasscode: Command {
  static let page = CommandInfo(
    name: "passcode", summary: "Change the passcode of the profile",
    description: """
      Asks for the passcode of the profile and for a new one: `sdkctl profile passcode`. The SDKs for apps \
      call a passcode PIN; here a pin is always a certificate pin. It is the passcode of {profile seal} if there is one. What is sealed stays as it is. Otherwise, or with `--fido` or `--aaid`, it is the passcode of the \
      software authenticator, and its keys are encrypted under the new one. A wrong passcode counts as an \
      attempt. The settings `seal.passcode*` and `fido.passcode*` say which passcodes may be chosen; see {fido}.
      """,
    examples: [
      ("sdkctl profile passcode", "Type the old and the new passcode"),
      (
        "sdkctl profile passcode --passcode-file old --new-passcode-file new",
        "Read both from files"
      ),
    ],
    exitCodes: [4, 9, 10, 14], seeAlso: ["profile seal", "fido", "register fido"],
    json: "An object with `profile` and `changed`, `seal` or `fido`: whose passcode it is.",
    needs: .terminal)

  struct Arguments: CommandArguments {
    var aaid: AAID?
    var fido = false
    var newPasscodeFile: String?
  }

  static let options: [Option<Arguments>] = [
    .flag("fido", \.fido, "Change the passcode of the FIDO keys in any case"),
    .aaid(\.aaid),
    .secretFile("new-passcode", \.newPasscodeFile, "Read the new passcode from a file"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.authenticatorSession()
    let ofKeys =
      try arguments.fido || arguments.aaid != nil || !session.seal.hasPasscode()
    if ofKeys { try await session.fido.requirePasscode(at: arguments.aaid) }
    let what = ofKeys ? "the FIDO keys" : "the sealed secrets"
    let old = try await context.oldSecret("passcode", of: what, file: context.globals.passcodeFile)
    let new = try await context.newSecret(
      "passcode", option: "new-passcode", file: arguments.newPasscodeFile)
    if ofKeys {
      try await session.fido.changePasscode(
        from: Array(old.utf8), to: Array(new.utf8), at: arguments.aaid)
    } else {
      try await session.seal.changePasscode(from: Array(old.utf8), to: Array(new.utf8))
    }
    let name = session.profile.name
    context.report(
      ["profile": .string(name.description), "changed": .string(ofKeys ? "fido" : "seal")],
      "changed the passcode of \(what) of '\(name)'")
  }
}
