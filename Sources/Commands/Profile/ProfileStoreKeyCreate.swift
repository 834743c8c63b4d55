import Arguments
import JSON
import SDKCore

/// `sdkctl profile store key create` -- make a key for a shared store.
enum ProfileStoreKeyCreate: Command {
  static let page = CommandInfo(
    name: "store key create", summary: "Make a key for a shared store",
    description: """
      Makes a key of 256 random bits, under which {profile store move} encrypts what it puts into a shared \
      store: `sdkctl profile store key create --output work.key`. The file is for you only. Every machine \
      of the fleet needs it, and whoever has it and can read the store has the login. It replaces no file.
      """,
    examples: [("sdkctl profile store key create --output work.key", "Make a key")],
    exitCodes: [3], seeAlso: ["profile store move", "profile store show"])

  struct Arguments: CommandArguments {
    var output: String?
  }

  static let options: [Option<Arguments>] = [
    .value("output", short: "o", "FILE", \.output, "Write to this file, mode 0600").completing(
      .file)
  ]

  static func run(_ arguments: Arguments, in context: Context) throws {
    try KeyTarget.writeStoreKey(
      try ProfileStore.makeStoreKey(), to: arguments.output, command: "profile store key create",
      context)
  }
}
