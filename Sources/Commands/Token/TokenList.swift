import Arguments
import FIDO
import JSON
import Primitives
import SDKCore

/// `sdkctl token list` -- list the tokens of all profiles.
enum TokenList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List the tokens of all profiles",
    description: """
      Prints where tokens are, how they are protected and when they expire: `sdkctl token list`. \
      Each line has the profile, the slot, the expiry, the place and the protection, separated by \
      tabs (on a terminal, a table); the last column says whether the token can be refreshed. With `--profile` only that \
      profile is listed. No token is printed, and the network is not used.

      The tokens of all users of a profile are listed, or with `--user-id` those of one; behind the \
      profile stands `:` and the ID of a user who is not `default`.

      A token of the environment (SDKCTL_TOKEN, BEARER_TOKEN, BEARER_TOKEN_FILE) stands first, with \
      `*` as the profile, because every profile uses it in place of the stored token of its user. \
      Its expiry is read from the token if it is a JWT.

      A FIDO key (see {fido}) has `fido` in place of the slot, and its user and its authenticator in \
      the last column.
      """,
    examples: [
      ("sdkctl token list", "List the tokens of all profiles"),
      (
        "sdkctl token list --json | jq '.[] | select(.expires == null)'",
        "Find tokens that do not expire"
      ),
    ],
    seeAlso: ["token", "profile show"],
    json: """
      An array of objects with `profile` (null for a token of the environment), `user` (the ID; null for that, and for a FIDO key), `slot` (`fido` for a \
      FIDO key), `source` \
      (`store` or the variable), `file` (or null), `protection` (`mode 0600` or `environment` or \
      `none`), `expires` (or null), `expired` (boolean), `scope` (or null), `tokenType`, \
      `refreshable` (boolean), `sealed` (whether the refresh token is), `idToken` (whether there is one), `provider` (`bearer`, `dpop`, `jwt` or \
      `cookies`; `fido` for a FIDO key), `authenticator` (only for a FIDO key: the object of \
      {fido register} with `signatures`, how many it has made), and `error` (why the file cannot \
      be used, if it cannot).
      """)

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    var rows: [TokenRow] = []
    if let token = try EnvironmentToken.find(context.environment) { rows.append(TokenRow(token)) }
    for name in try profiles(context) {
      do {
        let session = try context.with(profile: name.description).session()
        let users = try await session.users().filter {
          try context.userID() == nil || $0.id == session.userID
        }
        rows += users.flatMap { user in user.slots.map { TokenRow($0, of: name, user.id) } }
        rows += session.fido.inventory().flatMap { TokenRow.rows($0, of: name) }
      } catch  where context.globals.profile == nil {
        // One broken profile must not hide the others.
        context.warning(context.failure(error).message)
      }
    }
    if context.globals.json {
      context.print(.array(rows.map { $0.json(at: context.now()) }))
    } else {
      if rows.isEmpty { context.note("there is no token") }
      context.print(
        TextTable(
          "PROFILE", "SLOT", "EXPIRES", "PLACE", "PROTECTION", "KIND",
          rows: rows.map { $0.cells(at: context.now()) }))
    }
  }

  private static func profiles(_ context: Context) throws -> [ProfileName] {
    if context.globals.profile != nil { return [try context.profileName()] }
    let store = try context.store()
    return try store.names()
  }
}

/// One token in the list.
private struct TokenRow {
  var profile: ProfileName?
  var user: UserID?
  var slot = CredentialSlot.user
  var source = "store"
  var file: String?
  var protection = "environment"
  var expires: Timestamp?
  var provider: AuthorizationProvider?
  var error: SDKError?
  var isKey = false
  var key: AuthenticatorKey?

  init(profile: ProfileName, isKey: Bool, key: AuthenticatorKey?) {
    self.profile = profile
    self.isKey = isKey
    self.key = key
  }

  init(_ token: EnvironmentToken) {
    source = token.variable
    file = token.file
    if file != nil { protection = "none" }
    expires = claims(of: token.token)?["exp"]?.time
  }

  init(_ stored: StoredTokens, of profile: ProfileName, _ user: UserID) {
    self.profile = profile
    self.user = user
    slot = stored.slot
    file = stored.file
    provider = stored.provider
    error = stored.error
    expires = stored.provider?.expires
    protection = "mode 0600"
    if stored.error?.code == .storePermissions { protection = "none" }
  }

  /// The keys of an authenticator, or its file if it cannot be used.
  static func rows(_ stored: StoredAuthenticator, of profile: ProfileName) -> [TokenRow] {
    let keys: [AuthenticatorKey?] = stored.error == nil ? stored.keys : [nil]
    return keys.map { key in
      var row = TokenRow(profile: profile, isKey: true, key: key)
      row.file = stored.file
      row.error = stored.error
      row.protection = stored.passcode == .notEnrolled ? "mode 0600" : "mode 0600, passcode"
      if stored.error?.code == .storePermissions { row.protection = "none" }
      return row
    }
  }

  private var slotName: String { isKey ? "fido" : slot.rawValue }

  private var isCookies: Bool { provider?.name == "cookies" }

  private var tokens: TokenSet? { provider?.tokens }

  func json(at now: Timestamp) -> JSON {
    .members([
      "profile": JSON(profile?.description), "user": JSON(user?.description),
      "slot": .string(slotName), "source": .string(source),
      "file": JSON(file), "protection": .string(protection),
      "expires": JSON(expires?.description),
      "expired": .bool(expires.map { $0 <= now } ?? false),
      "scope": JSON(tokens?.scope),
      "tokenType": .string(
        isKey ? "FIDO" : isCookies ? "Cookie" : tokens?.tokenType ?? "Bearer"),
      "provider": .string(isKey ? "fido" : provider?.name ?? "bearer"),
      "refreshable": .bool(tokens?.canBeRefreshed == true),
      "sealed": .bool(tokens?.isSealed == true),
      "idToken": .bool(tokens?.idToken != nil),
      "authenticator": authenticator,
      "error": error.map { .string($0.message) },
    ])
  }

  private var authenticator: JSON? {
    guard let key, let profile else { return nil }
    var document = KeyReport(key: key, profile: profile).json
    document["signatures"] = .int(Int64(key.signCounter))
    return document
  }

  func cells(at now: Timestamp) -> [TextTable.Cell] {
    let end =
      error.map { TextTable.Cell("unusable: \($0.message)", .bad) }
      ?? expires.map { TextTable.Cell($0, at: now) } ?? "no known end"
    let place = file ?? source
    let name =
      (profile?.description ?? "*") + (user.flatMap { $0 == .standard ? nil : ":\($0)" } ?? "")
    let rest = [
      place, source == "store" || file == nil ? protection : "\(source), protection \(protection)",
      kind,
    ]
    return [.init(name), .init(slotName), end] + rest.map { .init($0) }
  }

  private var kind: String {
    if isKey { return key.map { "key of \($0.username), \($0.aaid)" } ?? "keys" }
    if isCookies { return "cookies" }
    return (provider?.name == "jwt" ? "JWT, " : "")
      + (tokens?.isSealed == true
        ? "sealed" : tokens?.canBeRefreshed == true ? "refreshable" : "not refreshable")
  }
}
