import Arguments
import JSON
import SDKCore
import UAF

/// `sdkctl profile change-pin` -- change the PIN of the sealed tokens, or that of the FIDO keys.
enum ProfileChangePIN: Command {
  static let page = CommandInfo(
    name: "change-pin", summary: "Change the PIN of the profile",
    description: """
      Asks for the PIN of the profile and for a new one: `sdkctl profile change-pin`. It is the PIN of \
      {profile seal} if there is one. What is sealed stays as it is. Otherwise, or with `--fido` or `--aaid`, it is the PIN of the \
      software authenticator, and its keys are encrypted under the new one. A wrong PIN counts as an \
      attempt. The settings `seal.pin*` and `fido.pin*` say which PINs may be chosen; see {fido}.
      """,
    examples: [
      ("sdkctl profile change-pin", "Type the old and the new PIN"),
      ("sdkctl profile change-pin --pin-file old --new-pin-file new", "Read both from files"),
    ],
    exitCodes: [4, 9, 10, 14], seeAlso: ["profile seal", "fido", "register fido"],
    json: "An object with `profile` and `changed`, `seal` or `fido`: whose PIN it is.",
    needs: .terminal)

  struct Arguments: CommandArguments {
    var aaid: AAID?
    var fido = false
    var pinFile: String?
    var newPINFile: String?
  }

  static let options: [Option<Arguments>] = [
    .flag("fido", \.fido, "Change the PIN of the FIDO keys in any case"),
    .aaid(\.aaid),
    .secretFile("pin", \.pinFile, "Read the PIN from a file"),
    .secretFile("new-pin", \.newPINFile, "Read the new PIN from a file"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let ofKeys =
      try arguments.fido || arguments.aaid != nil || !session.seal.hasPIN()
    if ofKeys { try await session.fido.requirePIN(at: arguments.aaid) }
    let what = ofKeys ? "the FIDO keys" : "the sealed secrets"
    let old = try await context.oldSecret("PIN", of: what, file: arguments.pinFile)
    let new = try await context.newSecret("PIN", option: "new-pin", file: arguments.newPINFile)
    if ofKeys {
      try await session.fido.changePIN(
        from: Array(old.utf8), to: Array(new.utf8), at: arguments.aaid)
    } else {
      try await session.seal.changePIN(from: Array(old.utf8), to: Array(new.utf8))
    }
    let name = session.profile.name
    context.report(
      ["profile": .string(name.description), "changed": .string(ofKeys ? "fido" : "seal")],
      "changed the PIN of \(what) of '\(name)'")
  }
}
