import Arguments
import SDKCore

/// `sdkctl profile unseal` -- store refresh tokens unencrypted again.
enum ProfileUnseal: Command {
  static let page = CommandInfo(
    name: "unseal", summary: "Store refresh tokens unencrypted again",
    description: """
      Asks for the PIN, stores all refresh tokens of the profile unencrypted, and forgets the PIN: \
      `sdkctl profile unseal`. From then on they can be used without a person.

      Who has forgotten the PIN logs out with {logout}, which erases what is sealed, and logs in anew.
      """,
    examples: [("sdkctl profile unseal", "Type the PIN, and seal nothing any more")],
    exitCodes: [3, 4, 9, 10, 11, 14, 15], seeAlso: ["profile seal"], json: sealSchema,
    needs: .terminal)

  struct Arguments: CommandArguments {
    var pinStdin = false
    var pinFile: String?
  }

  static let options: [Option<Arguments>] =
    .secret("pin", \.pinStdin, \.pinFile, "the PIN")

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let entry = try context.sealPIN(pinStdin: arguments.pinStdin, pinFile: arguments.pinFile)
    let session = try context.session { $0.sealPIN = entry }
    try await session.seal.unseal()
    try context.printSeal(of: session, "nothing is sealed in")
  }
}
