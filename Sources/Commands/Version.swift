import Arguments
import JSON
import SDKCore

enum Version: Command {
  /// The version of the program.
  static let text = "0.1.0"

  static let page = CommandInfo(
    name: "version", group: .tools, summary: "Show versions",
    description: """
      Prints the version of sdkctl, and of the libcurl and OpenSSL that it loads.
      """,
    examples: [("sdkctl version", "Show what is installed")],
    output: rows.document)

  private static let rows = Rows<String?>(
    .member("sdkctl", "the version of the program") { _ in text },
    .member("network", "libcurl and its libraries") { $0 })

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let network = try? context.network.version()
    if context.globals.json { return context.print(rows.json(network)) }
    context.print("sdkctl \(text)")
    context.print(network ?? "libcurl is missing or unsuitable")
  }
}
