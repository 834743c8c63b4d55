import JSON
import OAuth
import Primitives

/// The tokens of one slot on disk: `credentials/SLOT.json`, mode 0600.
struct CredentialStore: Sendable {
  let path: StorePath
  /// The issuer of the tokens; those of another issuer do not belong to this profile.
  private let issuer: String
  private let slot: CredentialSlot
  /// Encrypts the refresh tokens of a sealed slot; `nil` leaves all as they are.
  private let seal: SlotSeal?

  init(
    _ location: StoreLocation, _ profile: ProfileName, _ slot: CredentialSlot, issuer: String,
    seal: SlotSeal? = nil, user: UserID = .standard
  ) {
    self.issuer = issuer
    self.slot = slot
    self.seal = seal
    path = location.stateFile(
      ProfileUser(profile: profile, id: user).document("credentials/\(slot.rawValue).json"))
  }

  /// The tokens; `nil` when the slot is empty or holds cookies.
  func load() throws(SDKError) -> TokenSet? { try read()?.tokens }

  /// The credential, which must be readable; `nil` when the slot is empty.
  func read() throws(SDKError) -> AuthorizationProvider? {
    guard let members = try StoreDocument.read(path, .secret)?.members,
      sameIdentifier(members["issuer"]?.string, issuer)
    else { return nil }
    if members["provider"]?.string == "cookies" {
      return .cookies(try CookieSession(stored: members, in: "'\(path)'"))
    }
    return AuthorizationProvider(try TokenSet(stored: members, in: "'\(path)'"))
  }

  /// What the slot holds, for callers that replace or erase it whatever it is.
  ///
  /// - Throws: ``SDKError`` for a file of a newer version, and for one that is not safe to read:
  ///   those are not damaged, and there is a way to read them.
  func content() throws(SDKError) -> SlotContent {
    do {
      return SlotContent(provider: try read())
    } catch {
      guard error.isDamage else { throw error }
      return SlotContent(damage: error)
    }
  }

  /// Writes tokens, whose refresh token is encrypted if the slot is sealed.
  func save(_ tokens: TokenSet) throws(SDKError) {
    var tokens = tokens
    if let token = tokens.refreshToken, let sealed = try seal?.sealed(token, of: slot) {
      tokens.renewal = .sealed(sealed)
    }
    try saveUnsealed(tokens)
  }

  /// Writes tokens as they are.
  func saveUnsealed(_ tokens: TokenSet) throws(SDKError) { try save(tokens.stored) }

  func save(_ provider: AuthorizationProvider) throws(SDKError) {
    switch provider {
    case .bearer(let tokens), .dpop(let tokens), .jwt(let tokens): try save(tokens)
    case .cookies(let session): try save(session.stored)
    }
  }

  private func save(_ members: [String: JSON?]) throws(SDKError) {
    var document =
      try StoreDocument.read(path, .secret) ?? StoreDocument(path: path, secrecy: .secret)
    document.members["issuer"] = .string(issuer)
    for (name, value) in members { document.members[name] = value }
    try document.write()
  }

  func proveWritable() throws(SDKError) {
    try StoreDocument(path: path, secrecy: .secret).proveWritable()
  }

  func remove() throws(SDKError) {
    try StoreDocument(path: path, secrecy: .secret).remove()
  }
}

/// What the file of a slot holds.
struct SlotContent: Sendable, Hashable {
  /// What a request carries; `nil` if there is nothing that can be used.
  var provider: AuthorizationProvider?
  /// Why the file cannot be understood, so that only a new login or erasing it helps; `nil` if it can.
  var damage: SDKError?

  var tokens: TokenSet? { provider?.tokens }
  var isEmpty: Bool { self == SlotContent() }
}
