import Arguments
import JSON
import SDKCore
import SharedStore

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
    output: rows.document, needs: .network)

  private static let rows = Rows<(profile: ProfileName, key: String, changed: Int)>(
    .member("profile", "the profile") { $0.profile.description },
    .member("key", "the id of the key") { $0.key },
    .member("changed", "the number of documents that had another one") { Int64($0.changed) })

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let name = try context.profileName()
    let (key, changed) = try await context.store().rotateStoreKey(of: name)
    context.report(
      (name, key, changed), rows,
      "encrypted \(changed) documents of '\(name)' with the key \(key)")
  }
}
