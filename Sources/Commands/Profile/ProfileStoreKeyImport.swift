import Arguments
import JSON
import SDKCore
import SharedStore

/// `sdkctl profile store key import` -- add a key of the shared store.
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
    json: "An object with `profile` and `key`: the id of the key.")

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
    guard !context.globals.json else {
      return context.print(["profile": .string(name.description), "key": .string(key)])
    }
    context.note("'\(name)' has the key \(key)")
  }
}
