import JSON
import OAuth
import Primitives

/// The stored tokens of one slot: the secret document `credentials/SLOT`.
struct CredentialStore: Sendable {
  private let secrets: ProfileSecrets
  /// The issuer of the tokens; those of another issuer do not belong to this profile.
  private let issuer: String
  private let slot: CredentialSlot
  /// Encrypts the refresh tokens of a sealed slot; `nil` leaves all as they are.
  private let seal: SlotSeal?

  init(
    _ secrets: ProfileSecrets, _ slot: CredentialSlot, issuer: String, seal: SlotSeal? = nil
  ) {
    self.issuer = issuer
    self.slot = slot
    self.seal = seal
    self.secrets = secrets
  }

  private var name: SecretName { .tokens(slot) }

  /// What a message calls it: its file, or its name in another place.
  func title() throws(SDKError) -> String { try secrets.title(of: name) }

  /// The tokens; `nil` when the slot is empty or holds cookies.
  func load() async throws(SDKError) -> TokenSet? { try await read()?.tokens }

  /// The credential, which must be readable; `nil` when the slot is empty.
  func read(
    _ reading: ProfileSecrets.Reading = .stored
  ) async throws(SDKError) -> AuthorizationProvider? {
    guard let document = try await secrets.read(name, reading),
      sameIdentifier(document.members["issuer"]?.string, issuer)
    else { return nil }
    let (members, source) = (document.members, "'\(document.title)'")
    if members["provider"]?.string == "cookies" {
      return .cookies(try CookieSession(stored: members, in: source))
    }
    return AuthorizationProvider(try TokenSet(stored: members, in: source))
  }

  /// What the slot holds, for callers that replace or erase it whatever it is.
  ///
  /// - Throws: ``SDKError`` for a file of a newer version, and for one that is not safe to read:
  ///   those are not damaged, and there is a way to read them.
  func content(
    _ reading: ProfileSecrets.Reading = .stored
  ) async throws(SDKError) -> SlotContent {
    do {
      return SlotContent(provider: try await read(reading))
    } catch {
      // A value of a shared place that is not ours is damaged too: a new login replaces it.
      guard error.isDamage || error.code == .untrusted else { throw error }
      return SlotContent(damage: error)
    }
  }

  /// Writes tokens, whose refresh token is encrypted if the slot is sealed.
  func save(_ tokens: TokenSet) async throws(SDKError) {
    var tokens = tokens
    if let token = tokens.refreshToken, let sealed = try seal?.sealed(token, of: slot) {
      tokens.renewal = .sealed(sealed)
    }
    if tokens.encryptsPayload { try PayloadDemand(secrets.location, secrets.profile).note(true) }
    try await save(tokens.stored)
  }

  func save(_ provider: AuthorizationProvider) async throws(SDKError) {
    switch provider {
    case .bearer(let tokens), .dpop(let tokens), .jwt(let tokens): try await save(tokens)
    case .cookies(let session): try await save(session.stored)
    }
  }

  private func save(_ members: [String: JSON?]) async throws(SDKError) {
    var document = try await secrets.read(name)?.members ?? [:]
    document["issuer"] = .string(issuer)
    for (name, value) in members { document[name] = value }
    try await secrets.write(document, to: name)
  }

  func proveWritable() async throws(SDKError) { try await secrets.proveWritable(name) }

  func remove() async throws(SDKError) { try await secrets.remove(name) }
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
