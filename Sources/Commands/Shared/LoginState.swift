import Arguments
import HTTP
import JSON
import Primitives
import SDKCore

/// The state of a slot, or of another credential, as every command prints it.
struct SlotState {
  let slot: String
  let now: Timestamp
  var source = "store"
  var file: String?
  var protection = "mode 0600"
  var provider: AuthorizationProvider?
  var expires: Timestamp?
  var userName: String?
  var error: SDKError?

  init(_ slot: String, at now: Timestamp) { (self.slot, self.now) = (slot, now) }

  init(_ stored: StoredTokens, at now: Timestamp) {
    self.init(stored.slot.rawValue, at: now)
    (file, provider, error) = (stored.file, stored.provider, stored.error)
    (expires, userName) = (stored.provider?.expires, stored.userName)
    if stored.error?.code == .storePermissions { protection = "none" }
  }

  var tokens: TokenSet? { provider?.tokens }

  private var cookies: [String]? {
    if case .cookies(let session) = provider { session.cookies.map(\.name) } else { nil }
  }

  private var isExpired: Bool {
    expires.map { $0 <= now } ?? (tokens?.hasAccessToken == false)
  }

  static let rows = Rows<SlotState>(
    .column("slot", "SLOT", "`user`, `implicit` or `anonymous`; `fido` of a FIDO key") { $0.slot },
    .column("expires", "EXPIRES", "when it ends") {
      $0.expires.map { End($0, mayBeBrief: true) }
    },
    .member("expired", "whether it has ended") { $0.isExpired },
    .column("refreshable", "REFRESHABLE", "whether it can be renewed without a person") {
      $0.tokens?.canBeRefreshed == true
    },
    .column("sealed", "SEALED", "whether the refresh token is encrypted under a passcode") {
      $0.tokens?.isSealed == true
    },
    .column("file", "PLACE", "where it is stored") { $0.file },
    .column(
      "protection", "PROTECTION",
      "`mode 0600`, `environment` or `none`; a FIDO key also has `passcode`"
    ) {
      $0.protection
    },
    .column("source", "SOURCE", "`store`, or the variable that it is from") { $0.source },
    .column("provider", "KIND", "`bearer`, `dpop`, `jwt` or `cookies`; `fido` of a FIDO key") {
      $0.slot == "fido" ? "fido" : $0.error == nil ? $0.provider?.name ?? "bearer" : nil
    },
    .member("scope", "the scope") { $0.tokens?.scope },
    .member("idToken", "whether there is an ID token") { $0.tokens?.idToken != nil },
    .member("cookies", "the names of cookies") { $0.cookies },
    .column("error", "PROBLEM", "why it cannot be used", tone: { _ in .bad }) { $0.error?.message })

  /// Until when it can be used, and whether it can be renewed, for people.
  func words(local: (Timestamp) -> String? = { _ in nil }) -> String {
    if let error { return error.message }
    let end =
      tokens?.hasAccessToken == false
      ? "no access token"
      : expires.map { Age.text(of: $0, at: now, local: local) } ?? "no known end"
    let renewal =
      tokens?.isSealed == true
      ? ", sealed" : tokens?.canBeRefreshed == true ? ", can be refreshed" : ""
    let names = cookies.map { " (cookies: \($0.map { Visible.line($0) }.joined(separator: ", ")))" }
    return end + renewal + (names ?? "")
  }
}

/// Who is logged in to a profile, and until when.
struct LoginState {
  let profile: ProfileName
  let userID: UserID
  /// Whether commands use it if nothing else is named.
  let isCurrent: Bool
  let isRegistered: Bool
  let slots: [SlotState]

  init(
    _ profile: ProfileName, _ userID: UserID, isCurrent: Bool, isRegistered: Bool,
    _ slots: [StoredTokens], at now: Timestamp
  ) {
    (self.profile, self.userID) = (profile, userID)
    (self.isCurrent, self.isRegistered) = (isCurrent, isRegistered)
    self.slots = slots.map { SlotState($0, at: now) }
  }

  subscript(_ slot: CredentialSlot) -> SlotState? { slots.first { $0.slot == slot.rawValue } }

  static let rows = Rows<LoginState>([
    .column("profile", "PROFILE", "the profile") { $0.profile.description },
    .column("userID", "USER ID", "the user") { $0.userID.description },
    .column("userName", "NAME", "the name that the provider has for the user") {
      $0[.user]?.userName
    },
    .column("current", "CURRENT", "whether commands use it if nothing else is named") {
      $0.isCurrent
    },
    .column("registered", "REGISTERED", "whether this installation is registered") {
      $0.isRegistered
    },
    slot(.user, "USER", "the credentials of the user", SlotState.rows.members.map(\.doc)),
    slot(.implicit, "IMPLICIT", "the same of the implicit slot", []),
    slot(.anonymous, "ANONYMOUS", "the same of the anonymous slot", []),
  ])

  /// The state of a slot, of which lines have the end.
  private static func slot(
    _ slot: CredentialSlot, _ heading: String, _ meaning: String, _ members: [MemberDoc]
  ) -> Rows<LoginState>.Member {
    var doc = MemberDoc(slot.rawValue, meaning)
    (doc.isOptional, doc.isField) = (true, true)
    doc.members = members.map(\.withoutField)
    return Rows<LoginState>.Member(
      doc: doc, headings: [heading],
      json: { $0[slot].map(SlotState.rows.json) ?? .null },
      cells: { login, now in [[cell(login[slot], slot.rawValue, now)]] })
  }

  private static func cell(
    _ state: SlotState?, _ name: String, _ now: Timestamp?
  ) -> TextTable.Cell {
    guard let state else { return "-" }
    if state.error != nil { return .init("unusable", .bad) }
    guard let end = state.expires else { return "no known end" }
    return End(end, mayBeBrief: true).cell(name, at: now)
  }
}

struct NewLogin {
  let profile: ProfileName
  let userID: UserID
  let subject: String?
  let state: SlotState?

  init(
    _ session: ProfileSession, _ slot: CredentialSlot, subject: String? = nil, at now: Timestamp
  ) async {
    (profile, userID, self.subject) = (session.profile.name, session.userID, subject)
    state = await session.tokens.inventory().first { $0.slot == slot }.map {
      SlotState($0, at: now)
    }
  }

  static let rows = Rows<NewLogin>(
    [
      .member("profile", "the profile") { $0.profile.description },
      .member("userID", "the user") { $0.userID.description },
      .member("subject", "the user at the server, as the ID token names it") { $0.subject },
    ] + SlotState.rows.of { $0.state })
}
