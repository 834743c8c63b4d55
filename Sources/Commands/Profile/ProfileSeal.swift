import Arguments
import JSON
import SDKCore

enum ProfileSeal: Command {
  static let page = CommandInfo(
    name: "seal", summary: "Encrypt secrets of the profile under a passcode",
    description: """
      Encrypts the refresh token of the user, now and after each later login, so that it can be used \
      only with a passcode: `sdkctl profile seal`. The access token stays usable until it expires; then the \
      next command that needs another one asks for the passcode. `--implicit` and `--anonymous` encrypt the \
      tokens of those slots instead. A passcode is chosen once for each user, and {profile passcode} changes it.

      SECRET names what is sealed instead, and `--all` seals all of it:

      * `user`, `implicit`, `anonymous`: the refresh token of that slot;
      * `client`: the client secret, the keys of the client, and the registration access token;
      * `dpop`: the key that tokens are bound to;
      * `identity`: the keys of identities. A key that has a passphrase of its own keeps it, and one in a \
      security token stays there.

      `client` and `identity` belong to the profile: the passcode of its first user seals them. A command that \
      needs several of them asks once. Nobody is asked for the passcode to store a secret, such as a new \
      registration or a renewed identity.

      The passcode is typed, or read from the file of `--passcode-file` or SDKCTL_PASSCODE_FILE, or \
      asked for by the program that SDKCTL_ASKPASS names. The settings `seal.passcode*` say which passcodes may \
      be chosen. Each attempt is counted on disk before it is tried. From the third wrong passcode on there \
      is a wait (exit 10), and after `seal.passcodeAttempts` (5) all that is sealed is erased (exit 4, number \
      9003): tokens, registration, DPoP key and identities. The client stays at the server, and nobody can \
      delete it from here any more.

      Requests of the implicit slot need no passcode if the server exchanges tokens (RFC 8693) and gives the \
      implicit token a refresh token of its own; if `client` is sealed, they need the passcode of a confidential \
      client when the token is renewed. If `dpop` is sealed, each request with a bound token needs the passcode. \
      Cookies and the JWT of {login form} and {fido login} are not sealed: they are the session itself, and \
      end with it.
      """,
    examples: [
      ("sdkctl profile seal", "Choose a passcode, and seal the login of the user"),
      ("sdkctl profile seal client identity", "Seal the client secret and the keys of identities"),
      (
        "pass show passcode | sdkctl profile seal --all --passcode-file -",
        "Take the passcode from a password manager"
      ),
    ],
    seeAlso: ["profile unseal", "profile passcode", "login", "logout"],
    output: SealedPart.rows.document,
    needs: [.session, .terminal])

  struct Arguments: CommandArguments {
    var slot = CredentialSlot.user
    var all = false
    var secrets: [SealedPart] = []
  }

  static let options: [Option<Arguments>] =
    CredentialSlot.options(\.slot, "Seal") + [
      .flag("all", \.all, "Seal all secrets of the profile").excludes("implicit", "anonymous")
    ]

  static let operands: [Operand<Arguments>] = [
    .any("SECRET", \.secrets, "What is sealed; by default the user's refresh token")
      .completing(.choices(SealedPart.choices))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard arguments.secrets.isEmpty || arguments.slot == .user && !arguments.all else {
      throw Failure.usage("either an option or SECRET says what is sealed")
    }
    let session = try context.session()
    let named = arguments.secrets.isEmpty ? [SealedPart(arguments.slot)] : arguments.secrets
    let parts = arguments.all ? SealedPart.all(for: session.userID) : Set(named)
    let entry = try context.givenPasscode()
    try await session.seal.seal(parts, asking: entry)
    let words = SealedPart.allCases.filter(parts.contains).map(\.rawValue).joined(separator: ", ")
    try context.printSeal(of: session, "sealed \(words) of")
    if !context.globals.json { noteConsequences(parts, session, context) }
  }

  private static func noteConsequences(
    _ parts: Set<SealedPart>, _ session: ProfileSession, _ context: Context
  ) {
    let count = session.seal.policy.maximumAttempts
    context.note("after \(count) wrong passcodes, all that is sealed is erased")
    if parts.contains(.client) {
      context.note(
        "implicit and anonymous requests need the passcode too when the client proves itself")
    }
    if parts.contains(.dpop) {
      context.note("each request with a bound token needs the passcode")
    }
  }
}

extension SealedPart: ArgumentValue {
  /// What `profile seal` and `profile unseal` print.
  static let rows = Rows<(profile: ProfileName, parts: [SealedPart])>(
    .member("profile", "the profile") { $0.profile.description },
    .member("sealed", "what is sealed, as {profile seal} takes it") { $0.parts.map(\.rawValue) })

  /// All that the passcode of a user seals.
  fileprivate static func all(for user: UserID) -> Set<SealedPart> {
    Set(allCases.filter { user == .standard || !$0.isOfProfile })
  }

  static func reading(_ text: String) throws(ValueError) -> SealedPart {
    try choosing(text)
  }
}

extension Context {
  /// Reports what is sealed.
  func printSeal(of session: ProfileSession, _ action: String) throws {
    let name = session.profile.name
    report((name, try session.seal.sealedParts()), SealedPart.rows, "\(action) '\(name)'")
  }
}
