import Arguments
import JSON
import SDKCore

enum LoginRespond: Command {
  static let page = CommandInfo(
    name: "respond", summary: "Complete a login that waits for a URL scheme",
    description: """
      Passes the final address of a browser to the `sdkctl login --scheme` that waits for it, and \
      reports the result. The login can be of any profile of this user. The desktop runs this \
      command for the schemes that {login install-handler} has registered.

      If you run it yourself, give `-` and the address on standard input, because other users can \
      see arguments. The desktop can only use an argument; the code in it works once, and only \
      for the waiting process (PKCE).

      An address with the wrong state, or with another path, is reported, and the login continues \
      to wait.
      """,
    examples: [
      ("sdkctl login respond 'com.example.app:/callback?code=c&state=s'", "Run by the desktop"),
      ("wl-paste | sdkctl login respond -", "Complete a login yourself"),
    ],
    exitCodes: [4, 11], seeAlso: ["login", "login install-handler"],
    output: rows.document)

  private static let rows = Rows<Void>(.member("accepted", "true") { _ in true })

  struct Arguments: CommandArguments {
    var url = ""
  }

  static let operands: [Operand<Arguments>] = [
    .one("URL", \.url, "The final address of the browser, or -").input()
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let address = arguments.url == "-" ? try read(context) : arguments.url
    let location = try context.store().location
    let delivery = try await PendingLogins(location).deliver(address)
    switch delivery {
    case .accepted:
      context.report((), rows, "the login continues in the process that started it")
    case .refused(let reason):
      throw Failure(.untrusted, "could not complete the login: \(reason); it waits on")
    case .unexpected:
      throw Failure(
        .notWaiting, "could not complete the login: none waits for this address",
        hints: ["sdkctl login --scheme"])
    }
  }

  private static func read(_ context: Context) throws -> String {
    let bytes = try context.read("-", "the address", limit: 1 << 16)
    return String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
  }
}
