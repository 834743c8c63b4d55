import Arguments
import FIDO
import JSON
import Primitives
import SDKCore

enum TokenList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List the tokens of all profiles",
    description: """
      Prints where tokens are, how they are protected and when they end: `sdkctl token list`. With `--profile` only \
      that profile is listed, with `--user-id` only that user. No token is printed, and the network is not used.

      A token of the environment (SDKCTL_TOKEN, BEARER_TOKEN, BEARER_TOKEN_FILE) stands first, without a \
      profile, because every profile uses it in place of the stored token of its user. \
      Its end is read from the token if it is a JWT. The keys of FIDO (see {fido}) stand behind the slots.
      """,
    examples: [
      ("sdkctl token list", "List the tokens of all profiles"),
      (
        "sdkctl token list --json | jq '.[] | select(.expires == null)'",
        "Find tokens that do not expire"
      ),
    ],
    seeAlso: ["token", "profile show"],
    output: rows.list)

  private static let rows = Rows<TokenRow>(
    [
      .column("profile", "PROFILE", "the profile; null of a token of the environment") {
        $0.profile?.description
      },
      .column("userID", "USER ID", "the user; null of that, and of a FIDO key") {
        $0.user?.description
      },
    ] + SlotState.rows.of { $0.state } + [
      .object("authenticator", "of a FIDO key the object of {fido register}", KeyReport.rows) {
        row in
        row.key.flatMap { key in row.profile.map { KeyReport(key: key, profile: $0) } }
      }
    ])

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    var rows: [TokenRow] = []
    if let token = try EnvironmentToken.find(context.environment) {
      rows.append(TokenRow(state: SlotState(token, at: context.now())))
    }
    for name in try profiles(context) {
      do {
        let session = try context.with(profile: name.description).session()
        let users = try await session.users().filter {
          try context.userID() == nil || $0.id == session.userID
        }
        rows += users.flatMap { user in
          user.slots.map {
            TokenRow(profile: name, user: user.id, state: SlotState($0, at: context.now()))
          }
        }
        rows += session.fido.inventory().flatMap { TokenRow.rows($0, of: name, at: context.now()) }
      } catch  where context.globals.profile == nil {
        // One broken profile must not hide the others.
        context.warning(context.failure(error).message)
      }
    }
    if rows.isEmpty { context.note("there is no token") }
    context.print(rows, Self.rows)
  }

  private static func profiles(_ context: Context) throws -> [ProfileName] {
    if context.globals.profile != nil { return [try context.profileName()] }
    let store = try context.store()
    return try store.names()
  }
}

/// One credential in the list.
private struct TokenRow {
  var profile: ProfileName?
  var user: UserID?
  let state: SlotState
  var key: AuthenticatorKey?

  /// The keys of an authenticator, or its file if it cannot be used.
  static func rows(
    _ stored: StoredAuthenticator, of profile: ProfileName, at now: Timestamp
  ) -> [TokenRow] {
    var state = SlotState("fido", at: now)
    (state.file, state.error) = (stored.file, stored.error)
    if stored.passcode != .notEnrolled { state.protection = "mode 0600, passcode" }
    if stored.error?.code == .storePermissions { state.protection = "none" }
    let keys: [AuthenticatorKey?] = stored.error == nil ? stored.keys : [nil]
    return keys.map { key in
      var state = state
      state.userName = key?.username
      return TokenRow(profile: profile, state: state, key: key)
    }
  }
}

extension SlotState {
  fileprivate init(_ token: EnvironmentToken, at now: Timestamp) {
    self.init(CredentialSlot.user.rawValue, at: now)
    (source, file) = (token.variable, token.file)
    protection = token.file == nil ? "environment" : "none"
    expires = claims(of: token.token)?["exp"]?.time
  }
}
