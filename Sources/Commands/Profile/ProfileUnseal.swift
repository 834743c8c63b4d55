import Arguments
import SDKCore

/// `sdkctl profile unseal` -- store secrets unencrypted again.
enum ProfileUnseal: Command {
  static let page = CommandInfo(
    name: "unseal", summary: "Store sealed secrets unencrypted again",
    description: """
      Asks for the PIN, stores all that {profile seal} has sealed unencrypted, and forgets the PIN: \
      `sdkctl profile unseal`. From then on it can be used without a person. If the command is \
      interrupted, run it again: the PIN opens what is still sealed.

      Who has forgotten the PIN logs out with {logout}, which erases sealed tokens, and logs in anew. A \
      sealed client is replaced by {register}, which cannot delete the former one at the server.
      """,
    examples: [("sdkctl profile unseal", "Type the PIN, and seal nothing any more")],
    exitCodes: [4, 9, 10, 11, 14], seeAlso: ["profile seal"], json: sealSchema,
    needs: .terminal)

  struct Arguments: CommandArguments {
    var pinFile: String?
  }

  static let options: [Option<Arguments>] =
    [.secret("pin", \.pinFile, "the PIN")]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let entry = try context.sealPIN(pinFile: arguments.pinFile)
    let session = try context.session { $0.sealPIN = entry }
    try await session.seal.unseal()
    try context.printSeal(of: session, "nothing is sealed in")
  }
}
