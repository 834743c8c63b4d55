import Arguments
import SDKCore
import UAF

/// `sdkctl profile change-pin` -- change the PIN of the profile's FIDO keys.
enum ProfileChangePIN: Command {
  static let page = CommandInfo(
    name: "change-pin", summary: "Change the PIN of the profile's FIDO keys",
    description: """
      Asks for the PIN of the software authenticator and for a new one, and encrypts the keys under \
      the new one: `sdkctl profile change-pin`. A wrong PIN counts as an attempt, as with {login fido}. \
      The settings `fido.pin*` say which PINs may be chosen; see {fido}.
      """,
    examples: [
      ("sdkctl profile change-pin", "Type the old and the new PIN"),
      ("sdkctl profile change-pin --pin-file old --new-pin-file new", "Read both from files"),
    ],
    exitCodes: [3, 4, 9, 10, 14, 15], seeAlso: ["fido", "register fido"], needs: .terminal)

  struct Arguments: CommandArguments {
    var aaid: AAID?
    var pinFile: String?
    var newPINFile: String?
  }

  static let options: [Option<Arguments>] = [
    .aaid(\.aaid),
    .secretFile("pin", \.pinFile, "Read the PIN from a file"),
    .secretFile("new-pin", \.newPINFile, "Read the new PIN from a file"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    try await session.fido.requirePIN(at: arguments.aaid)
    let old = try await old(arguments, context)
    let new = try await context.newSecret("PIN", option: "new-pin", file: arguments.newPINFile)
    try await session.fido.changePIN(
      from: Array(old.utf8), to: Array(new.utf8), at: arguments.aaid)
    context.note("changed the PIN of the FIDO keys of '\(session.profile.name)'")
  }

  @inline(never)
  private static func old(_ arguments: Arguments, _ context: Context) async throws -> String {
    if let pin = try context.secret("PIN", option: "pin", file: arguments.pinFile) { return pin }
    return try await context.typedSecret(
      "PIN of the FIDO keys: ", "PIN", withoutTerminal: .invalidRequest, option: "--pin-file")
  }
}
