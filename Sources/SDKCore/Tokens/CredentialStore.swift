import JSON
import OAuth
package import POSIX
import Primitives

/// The stored tokens of one slot: the secret document `credentials/SLOT`.
package struct CredentialStore: Sendable {
  private let secrets: ProfileSecrets
  /// The issuer of the tokens; those of another issuer do not belong to this profile.
  private let issuer: String
  private let slot: CredentialSlot
  /// Encrypts the refresh tokens of a sealed slot; `nil` leaves all as they are.
  private let seal: UserSeal?

  init(
    _ secrets: ProfileSecrets, _ slot: CredentialSlot, issuer: String, seal: UserSeal? = nil
  ) {
    (self.secrets, self.slot, self.issuer, self.seal) = (secrets, slot, issuer, seal)
  }

  private var name: ProfileFile { .tokens(slot) }

  func title() throws(SDKError) -> String { try secrets.title(of: name) }

  /// The credential, which must be readable; `nil` when the slot is empty.
  func load() async throws(SDKError) -> AuthorizationProvider? {
    try provider(in: try await secrets.read(name))
  }

  /// What the slot holds, for callers that replace or erase it whatever it is.
  ///
  /// - Throws: ``SDKError`` for a file of a newer version, and for one that is not safe to read:
  ///   those are not damaged, and there is a way to read them.
  package func content() async throws(SDKError) -> SlotContent {
    var content = SlotContent()
    do throws(SDKError) {
      content.document = try await secrets.read(name)
      content.provider = try provider(in: content.document)
    } catch {
      // A value of a shared place that is not ours is damaged too: a new login replaces it.
      guard error.isDamage || error.code == .untrusted else { throw error }
      content.damage = error
    }
    return content
  }

  private func provider(in document: SecretDocument?) throws(SDKError) -> AuthorizationProvider? {
    guard let document, sameIdentifier(document.members["issuer"]?.string, issuer) else {
      return nil
    }
    if document.members["provider"]?.string == "cookies" {
      return .cookies(try SessionCookies(document.content))
    }
    return AuthorizationProvider(try TokenSet(document.content))
  }

  /// Writes a credential, whose refresh token is encrypted if the slot is sealed.
  ///
  /// The members that this version does not know stay: those of `former`, which was read under the lock that is held,
  /// or of what is stored.
  func save(
    _ provider: AuthorizationProvider, over former: SecretDocument? = nil
  ) async throws(SDKError) {
    if provider.tokens?.encryptsPayload == true {
      try PayloadDemand(secrets.location, secrets.profile).note(true)
    }
    var document =
      if let former { former.members } else { try await secrets.read(name)?.members ?? [:] }
    // Tokens have other members than cookies, so nothing of the one stays with the other.
    if (document["cookies"] == nil) != (provider.tokens != nil) { document = [:] }
    document["issuer"] = .string(issuer)
    switch provider {
    case .bearer(let tokens), .dpop(let tokens), .jwt(let tokens): tokens.write(to: &document)
    case .cookies(let session): session.write(to: &document)
    }
    if let seal { document = try seal.read().sealed(document, of: name) }
    try await secrets.write(document, to: name, isRead: true)
  }

  func save(_ tokens: TokenSet, over former: SecretDocument? = nil) async throws(SDKError) {
    try await save(AuthorizationProvider(tokens), over: former)
  }

  @discardableResult package func proveWritable() async throws(SDKError) -> StagedFile? {
    try await secrets.proveWritable(name)
  }

  func remove() async throws(SDKError) { try await secrets.remove(name) }
}

package struct SlotContent: Sendable {
  /// What a request carries; `nil` if there is nothing that can be used.
  package var provider: AuthorizationProvider?
  /// Why the file cannot be understood, so that only a new login or erasing it helps; `nil` if it can.
  var damage: SDKError?
  /// The document, with the members that this version does not know; `nil` if there is none that can be read.
  var document: SecretDocument?

  var tokens: TokenSet? { provider?.tokens }
  var isEmpty: Bool { provider == nil && damage == nil }
}

/// A slot under the lock of its renewal: what it holds, read when the lock was taken.
package struct OpenSlot: Sendable {
  package let content: SlotContent
  let presentation: Presentation
  package let file: CredentialStore

  init(_ file: CredentialStore, _ content: SlotContent, _ presentation: Presentation) {
    (self.file, self.content, self.presentation) = (file, content, presentation)
  }

  func store(_ tokens: TokenSet) async throws(SDKError) {
    try await file.save(tokens, over: content.document)
  }

  /// What it holds now, if its lock may have been lost.
  func readAgain() async throws(SDKError) -> SlotContent { try await file.content() }
}
