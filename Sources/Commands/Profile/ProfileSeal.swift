import Arguments
import JSON
import SDKCore

/// `sdkctl profile seal` -- encrypt the refresh tokens of a profile under a PIN.
enum ProfileSeal: Command {
  static let page = CommandInfo(
    name: "seal", summary: "Encrypt refresh tokens under a PIN",
    description: """
      Encrypts the refresh token of the user, now and after each later login, so that it can be used \
      only with a PIN: `sdkctl profile seal`. The access token stays usable until it expires; then the \
      next command that needs another one asks for the PIN. `--implicit` and `--anonymous` encrypt the \
      tokens of those slots. A PIN is chosen once for a profile, and {profile change-pin} changes it.

      The PIN is typed, or read from the file of `--passphrase-file` or SDKCTL_PASSPHRASE_FILE, or \
      asked for by the program that SDKCTL_ASKPASS names. The settings `seal.pin*` say which PINs may \
      be chosen. Each attempt is counted on disk before it is tried. From the third wrong PIN on there \
      is a wait (exit 10), and after `seal.pinAttempts` (5) the sealed tokens are erased (exit 4).

      Requests of the implicit slot need no PIN if the server exchanges tokens (RFC 8693) and gives the \
      implicit token a refresh token of its own. Cookies and the JWT of {login form} and {login fido} \
      are not sealed: they are the session itself, and end with it.
      """,
    examples: [
      ("sdkctl profile seal", "Choose a PIN, and seal the login of the user"),
      ("pass show pin | sdkctl profile seal --pin-stdin", "Take the PIN from a password manager"),
    ],
    exitCodes: [3, 4, 9, 10, 11, 14, 15],
    seeAlso: ["profile unseal", "profile change-pin", "login"], json: sealSchema,
    needs: [.network, .terminal])

  struct Arguments: CommandArguments {
    var slot = CredentialSlot.user
    var pinStdin = false
    var pinFile: String?
  }

  static let options: [Option<Arguments>] =
    CredentialSlot.options(\.slot, "Seal")
    + .secret("pin", \.pinStdin, \.pinFile, "the new PIN")

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let entry = try context.sealPIN(pinStdin: arguments.pinStdin, pinFile: arguments.pinFile)
    try await session.seal.seal([arguments.slot], asking: entry)
    try context.printSeal(of: session, "sealed the \(arguments.slot.rawValue) slot of")
  }
}

/// The JSON document of the commands that seal and unseal.
let sealSchema = """
  An object with `profile` and `sealed`, the names of the slots whose refresh tokens are sealed.
  """

extension Context {
  /// Reports which slots are sealed.
  func printSeal(of session: ProfileSession, _ action: String) throws {
    let name = session.profile.name
    guard globals.json else { return note("\(action) '\(name)'") }
    let sealed = try session.seal.sealedSlots().map(\.rawValue)
    print(["profile": .string(name.description), "sealed": .strings(sealed)])
  }
}
