import Arguments
import JSON
import SDKCore
import SharedStore

enum ProfileStoreKeyExport: Command {
  static let page = CommandInfo(
    name: "store key export", summary: "Write the newest key of a shared store, or a new one",
    description: """
      Writes the key that this machine got last, for another machine: `sdkctl profile store key export \
      --output work.key`. With `--new` it makes a key of 256 random bits, under which {profile store move} \
      encrypts what it puts into a shared store. Every machine of the fleet needs the key, and whoever has it \
      and can read the store has the login. The file is for you only. It replaces no file.
      """,
    examples: [
      ("sdkctl profile store key export --output work.key", "Write the key"),
      ("sdkctl profile store key export --new --output work.key", "Make a key"),
    ],
    seeAlso: ["profile store move", "profile store show"])

  struct Arguments: CommandArguments {
    var isNew = false
    var output: String?
  }

  static let options: [Option<Arguments>] = [
    .flag("new", \.isNew, "Make a key; it belongs to no profile yet"),
    .value("output", short: "o", "FILE", \.output, "Write to this file, mode 0600")
      .completing(.file),
  ]

  static func run(_ arguments: Arguments, in context: Context) throws {
    let key =
      try arguments.isNew
      ? ProfileStore.makeStoreKey() : context.store().storeKey(of: try context.profileName())
    let command = "profile store key export" + (arguments.isNew ? " --new" : "")
    let target = try KeyTarget(arguments.output, holdsKey: true, command: command, context)
    try target.requireNoLoss(isNew: true, canReplace: false)
    try target.write(Array(key.utf8))
  }
}
