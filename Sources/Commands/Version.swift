import Arguments
import JSON
import SDKCore

/// `sdkctl version` -- say which version this is, and what it stands on.
enum Version: Command {
  /// The version of the program.
  static let text = "0.1.0"

  static let page = CommandInfo(
    name: "version", group: .tools, summary: "Show versions",
    description: """
      Prints the version of sdkctl, and of the libcurl and OpenSSL that it loads.
      """,
    examples: [("sdkctl version", "Say what is installed")],
    json: "An object with `sdkctl` and `network` (libcurl and what it stands on, or null).")

  struct Arguments: Sendable {}

  static let defaults = Arguments()

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    let network = try? context.network.version()
    if context.globals.json {
      context.print(["sdkctl": .string(text), "network": network.map { .string($0) } ?? .null])
      return
    }
    context.print("sdkctl \(text)")
    context.print(network ?? "libcurl is missing or unsuitable")
  }
}
