import Arguments
import JSON
import SDKCore
import SharedStore

/// `sdkctl profile store key rotate` -- encrypt the shared store under the newest key.
enum ProfileStoreKeyRotate: Command {
  static let page = CommandInfo(
    name: "store key rotate", summary: "Encrypt the shared store under the newest key",
    description: """
      Encrypts everything that the shared store has of the profile under the key that this machine got last: \
      `sdkctl profile store key rotate`. Machines that have that key continue; others can no \
      longer read the store. An interrupted rotation is finished by the same command.
      """,
    examples: [("sdkctl profile store key rotate", "Use the newest key")],
    exitCodes: [9, 11, 14], seeAlso: ["profile store move", "profile store show"],
    json: """
      An object with `profile`, `key`: the id of the key, and `changed`: the number of documents that had \
      another one.
      """, needs: .network)

  typealias Arguments = NoArguments

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let name = try context.profileName()
    let (key, changed) = try await context.store().rotateStoreKey(of: name)
    guard !context.globals.json else {
      return context.print([
        "profile": .string(name.description), "key": .string(key), "changed": .int(Int64(changed)),
      ])
    }
    context.note(
      "encrypted \(changed) documents of '\(name)' with the key \(key)")
  }
}
