import Arguments
import POSIX
import SDKCore

/// `sdkctl login respond` -- hand an address of a URL scheme to the login that waits for it.
enum LoginRespond: Command {
  static let page = Page(
    name: "respond", summary: "Complete a login that waits for a URL scheme",
    description: """
      Hands the address at which a browser arrived to the `sdkctl login --scheme`, of any profile \
      of this user, that waits for it, and tells what became of it. Desktops run it for addresses \
      of a scheme that {login install-handler} has registered.

      By hand, give `-` and the address on standard input, for other users can see arguments. A \
      desktop has no other way; what is seen then is a code that is good once, and only together \
      with what the waiting process alone knows (PKCE).

      An address with the wrong state, or of another place, changes nothing: the login says so \
      and waits on.
      """,
    examples: [
      ("sdkctl login respond 'com.example.app:/callback?code=c&state=s'", "What a desktop runs"),
      ("wl-paste | sdkctl login respond -", "Complete a login by hand"),
    ],
    exitCodes: [3, 4, 11], seeAlso: ["login", "login install-handler"])

  struct Arguments: Sendable {
    var url = ""
  }

  static let defaults = Arguments()

  static let operands: [Operand<Arguments>] = [
    .one("URL", \.url, "The address at which the browser arrived, or -")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    let address = arguments.url == "-" ? try read(context) : arguments.url
    let location = try context.store().location
    let delivery = try await translating(nil) { () async throws(SDKError) in
      try await PendingLogins(location).deliver(address)
    }
    switch delivery {
    case .accepted: context.note("the login goes on where it was begun")
    case .refused(let reason):
      throw Failure(
        .verification, "untrusted", "could not complete the login: \(reason); it waits on")
    case .unexpected:
      throw Failure(
        .authenticationRequired, "not_waiting",
        "could not complete the login: none waits for this address",
        hints: ["sdkctl login --scheme"])
    }
  }

  private static func read(_ context: Context) throws(Failure) -> String {
    do {
      let bytes = try context.input.readAll(limit: 1 << 16)
      return String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    } catch {
      throw Failure(.failure, "input_unreadable", "could not read the address: \(error)")
    }
  }
}
