import Arguments
import JSON
import SDKCore
import SharedStore

enum ProfileStoreKeyImport: Command {
  static let page = CommandInfo(
    name: "store key import", summary: "Add a key of the shared store",
    description: """
      Adds a key to those that this machine has for the profile: `sdkctl profile store key import new.key`. \
      What is encrypted under it can be read from then on; {profile store key rotate} on one machine makes it \
      the key of everything. Import a new key on every machine first.
      """,
    examples: [("sdkctl profile store key import new.key", "Add a key")],
    seeAlso: ["profile store move", "profile store show"],
    output: rows.document)

  private static let rows = Rows<(profile: ProfileName, key: String)>(
    .member("profile", "the profile") { $0.profile.description },
    .member("key", "the id of the key") { $0.key })

  struct Arguments: CommandArguments {
    var file = ""
  }

  static let operands: [Operand<Arguments>] = [
    .one("FILE", \.file, "The key file").completing(.file).input()
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let name = try context.profileName()
    let what = "key of the shared store"
    let text = try SecretFile.line(
      in: try context.secretBytes(what, orInput: "-", file: arguments.file), what)
    let key = try await context.store().addStoreKey(text, of: name)
    context.report((name, key), rows, "'\(name)' has the key \(key)")
  }
}
