import Arguments
import JSON
import SDKCore

/// `sdkctl version` -- say which version this is, and what it stands on.
enum Version: Command {
  /// The version of the program.
  static let text = "0.1.0"

  static let page = Page(
    name: "version", group: .tools, summary: "Show versions",
    description: """
      Prints the version of sdkctl, and of the libcurl and OpenSSL that it loads.
      """,
    examples: [("sdkctl version", "Say what is installed")],
    json: "An object with `sdkctl`, `libcurl` and `openssl`, each a string or null.")

  struct Arguments: Sendable {}

  static let defaults = Arguments()

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    let curl = NetworkLibrary.version()
    if context.globals.json {
      context.print([
        "sdkctl": .string(text), "libcurl": curl.map { .string($0.libcurl) } ?? .null,
        "openssl": curl.map { .string($0.tls) } ?? .null,
      ])
      return
    }
    context.print("sdkctl \(text)")
    if let curl {
      context.print("libcurl \(curl.libcurl)")
      context.print(curl.tls)
    } else {
      context.note("libcurl is missing or unsuitable; 'sdkctl fetch' will say why")
    }
  }
}
