import Arguments
import FIDO
import JSON
import Primitives
import SDKCore
import UAF

enum FIDORegister: Command {
  static let page = CommandInfo(
    name: "register", summary: "Register a FIDO UAF key for a user",
    description: """
      Makes a key in the software authenticator of the profile, and registers it at the FIDO server \
      (`fido.url`): `sdkctl fido register`. {fido login} then logs the user in with it. See {fido}.

      The server requires a login: the session or the token of the user is sent to it. NAME is the user \
      at the server; without it that is `fido.user`, else the user whom the session names.

      The first key chooses the passcode of the authenticator, which encrypts its keys; it is typed, or \
      read from standard input or a file. A passcode that the policy of the profile does not allow is \
      asked for again. With `--no-verification` the key has no passcode, which the profile must allow \
      (`fido.noVerification`): whoever can read the file can use the key.
      """,
    examples: [
      ("sdkctl fido register", "Register a key, and choose its passcode"),
      (
        "pass show fido | sdkctl fido register --passcode-file -",
        "Take the passcode from a password manager"
      ),
    ],
    seeAlso: ["fido login", "fido deregister", "fido passcode", "fido metadata"],
    output: KeyReport.rows.document, needs: [.session, .terminal])

  struct Arguments: CommandArguments {
    var account: String?
    var aaid: AAID?
    var verification = true
  }

  static let options: [Option<Arguments>] =
    [
      .aaid(\.aaid),
      .flag(
        "verification", \.verification, "Protect the key by a passcode (default)", negatable: true),
    ]

  static let operands: [Operand<Arguments>] = [
    .optional("NAME", \.account, "The user at the server; fido.user without it")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    try context.noteFileChoice()
    let session = try context.authenticatorSession()
    try session.fido.requireServer()
    let delegates = try context.authenticatorDelegates(session.profile)
    let key: AuthenticatorKey
    do {
      key = try await session.fido.register(
        arguments.account, at: arguments.aaid,
        verifiesUser: arguments.verification, asking: delegates)
    } catch {
      guard error.code == .wrongPasscode else { throw error }
      var failure = context.failure(error)
      failure.hints.append(
        "the FIDO keys of a profile have one passcode, and it exists already: "
          + "`\(ShellWord.sdkctl(of: session.profile.name, "fido", "passcode"))` changes it")
      throw failure
    }
    let report = KeyReport(key: key, profile: session.profile.name)
    context.report(
      report, KeyReport.rows, "registered \(report.text) for '\(session.profile.name)'")
  }
}

struct KeyReport {
  let key: AuthenticatorKey
  let profile: ProfileName

  static let rows = Rows<KeyReport>(
    .member("profile", "the profile") { $0.profile.description },
    .member("aaid", "the model of the authenticator") { $0.key.aaid.description },
    .member("keyID", "the key") { $0.key.keyID },
    .member("appID", "the application that it is for") { $0.key.appID },
    .member("username", "the user, as the server names them") { $0.key.username },
    .member("created", "when it was made") { $0.key.createdAt },
    .member("signatures", "how often it has signed") { Int64($0.key.signCounter) })

  var text: String { "the FIDO key of \(Visible.line(key.username)) (\(key.aaid))" }
}
