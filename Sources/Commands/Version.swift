import Arguments
import JSON
import SDKCore

/// `sdkctl version` -- show the versions of the program and its libraries.
enum Version: Command {
  /// The version of the program.
  static let text = "0.1.0"

  static let page = CommandInfo(
    name: "version", group: .tools, summary: "Show versions",
    description: """
      Prints the version of sdkctl, and of the libcurl and OpenSSL that it loads.
      """,
    examples: [("sdkctl version", "Show what is installed")],
    json: "An object with `sdkctl` and `network` (libcurl and its libraries, or null).")

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let network = try? context.network.version()
    if context.globals.json {
      context.print(["sdkctl": .string(text), "network": JSON(network)])
      return
    }
    context.print("sdkctl \(text)")
    context.print(network ?? "libcurl is missing or unsuitable")
  }
}
