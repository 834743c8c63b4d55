import Arguments
import SDKCore

enum ProfileUnseal: Command {
  static let page = CommandInfo(
    name: "unseal", summary: "Store sealed secrets unencrypted again",
    description: """
      Asks for the passcode, stores all that {profile seal} has sealed unencrypted, and forgets the passcode: \
      `sdkctl profile unseal`. From then on it can be used without a person. If the command is \
      interrupted, run it again: the passcode opens what is still sealed.

      If you have forgotten the passcode, run {logout}, which erases sealed tokens, and log in again. A \
      sealed client is replaced by {register}, which cannot delete the former one at the server.
      """,
    examples: [("sdkctl profile unseal", "Type the passcode, and seal nothing any more")],
    exitCodes: [4, 9, 10, 11, 14], seeAlso: ["profile seal"], output: SealedPart.rows.document,
    needs: .terminal)

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let entry = try context.givenPasscode()
    let session = try context.session { $0.sealPasscode = entry }
    let hasPasscode = try session.seal.hasPasscode()
    let parts = try session.seal.sealedParts()
    try await session.seal.unseal()
    let words = parts.isEmpty ? "what was left" : parts.map(\.rawValue).joined(separator: ", ")
    try context.printSeal(
      of: session, hasPasscode ? "unsealed \(words) of" : "nothing is sealed in")
  }
}
