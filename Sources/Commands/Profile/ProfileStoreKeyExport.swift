import Arguments
import JSON
import SDKCore

/// `sdkctl profile store key export` -- write the newest key of the shared store.
enum ProfileStoreKeyExport: Command {
  static let page = CommandInfo(
    name: "store key export", summary: "Write the newest key of the shared store",
    description: """
      Writes the key that this machine got last, for another machine: `sdkctl profile store key export \
      --output work.key`. The file is for you only. It replaces no file.
      """,
    examples: [("sdkctl profile store key export --output work.key", "Write the key")],
    exitCodes: [3], seeAlso: ["profile store move", "profile store show"])

  struct Arguments: CommandArguments {
    var output: String?
  }

  static let options: [Option<Arguments>] = [
    .value("output", short: "o", "FILE", \.output, "Write to this file, mode 0600").completing(
      .file)
  ]

  static func run(_ arguments: Arguments, in context: Context) throws {
    let key = try context.store().storeKey(of: try context.profileName())
    try KeyTarget.writeStoreKey(
      key, to: arguments.output, command: "profile store key export", context)
  }
}
