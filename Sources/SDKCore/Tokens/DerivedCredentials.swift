public import JSON
import OAuth
import OpenSSL
import POSIX
public import Primitives

extension TokenService {
  /// The stored credential for a request, if it is valid for long enough; no network, no lock.
  ///
  /// - Returns: the credential; `nil` if there is none, or its file cannot be used.
  public func storedDerivation(
    for request: [String], _ demand: TokenDemand
  ) -> DerivedCredential? {
    guard !demand.forceNew, let stored = DerivedCredentials(environment).load(request),
      stored.expires.isAfter(now(), by: demand.minimumLifetime)
    else { return nil }
    return stored
  }

  /// A derived credential: the stored one for the same request if it is valid for long enough,
  /// otherwise a new one, which one process of the machine obtains.
  ///
  /// A program keeps with it what a service gives for the user's token, such as the temporary
  /// credentials of a cloud. They are stored with mode 0600; a login and a logout erase them.
  ///
  /// - Parameters:
  ///   - request: what names it among those of the profile: the service, and what was asked of it.
  ///   - demand: how long it must remain valid, and whether a stored one may be used.
  ///   - obtain: obtains a new one; one without an expiration time is not stored.
  /// - Returns: the credential.
  /// - Throws: ``SDKError`` of `obtain`, ``SDKError/Code/busy`` if another process holds the lock for too
  ///   long, or ``SDKError/Code/store`` if the credential cannot be stored.
  public func derived(
    for request: [String], _ demand: TokenDemand,
    _ obtain: @Sendable () async throws(SDKError) -> DerivedCredential
  ) async throws(SDKError) -> DerivedCredential {
    if let stored = storedDerivation(for: request, demand) { return stored }
    let store = DerivedCredentials(environment)
    let before = store.load(request)
    return try await environment.locked(.derived) { () async throws(SDKError) in
      // Another process was faster: what it wrote is as new as anything that we would get.
      if let current = store.load(request), current != before,
        current.expires.isAfter(now())
      {
        return current
      }
      let mark = try store.mark()
      let obtained = try await obtain()
      try await storeUnlessErased(obtained, for: request, mark)
      return obtained
    }
  }

  /// Stores a credential, unless a login or a logout has erased the others since the mark was made.
  private func storeUnlessErased(
    _ credential: DerivedCredential, for request: [String], _ mark: String?
  ) async throws(SDKError) {
    guard let mark else { return }
    try await environment.locked(.user) { () throws(SDKError) in
      let store = DerivedCredentials(environment)
      if try store.mark() == mark { try store.save(credential, for: request) }
    }
  }

  /// A token with other scope, or for another service, than the one of the slot.
  ///
  /// The slot keeps its own token. This one is stored beside it until it expires, for the next call
  /// with the same scope and audience.
  ///
  /// - Parameters:
  ///   - slot: whose token; those of a person come from the user's.
  ///   - scope: the requested scope, of what the user granted; `nil` for all of that.
  ///   - audience: the name of the service it is for.
  ///   - demand: how long it must be valid, and whether a new one is requested in any case.
  /// - Returns: the token, without what would renew it.
  /// - Throws: ``SDKError``; `policy` for a scope that was not granted, `unsupported`
  ///   for an audience where the server exchanges no tokens.
  public func narrowed(
    for slot: CredentialSlot, scope: String?, audience: String?,
    _ demand: TokenDemand = TokenDemand()
  ) async throws(SDKError) -> TokenSet {
    try await attempt("could not get a token") {
      if slots.injected != nil, slot != .anonymous { throw slots.noImplicitGrantor() }
      let request = ["token", slot.rawValue, scope.map { "=\($0)" } ?? "", audience ?? ""]
      if storedDerivation(for: request, demand) == nil {
        try await server.unseal()
        if slot != .anonymous { try await narrowing.prepare() }
      }
      let credential = try await derived(for: request, demand) { () async throws(SDKError) in
        let tokens = try await narrowedToken(for: slot, scope, audience)
        return DerivedCredential(tokens.stored, expires: tokens.expires)
      }
      return try TokenSet(
        StoredFields(credential.members, in: "the token for another service"))
    }
  }

  private func narrowedToken(
    for slot: CredentialSlot, _ scope: String?, _ audience: String?
  ) async throws(SDKError) -> TokenSet {
    let narrowing = Narrowing(scope: scope, audience: audience)
    guard slot == .anonymous else {
      let user = try await slots.requiredGrantor()
      var narrowing = narrowing
      if slot == .implicit, scope == nil {
        narrowing.scope = try await tokens(in: .implicit)?.scope ?? profile.implicitScope
      }
      let wanted = narrowing
      return try await environment.uninterrupted { () async throws(SDKError) in
        try await self.narrowing.narrowed(user, wanted)
      }
    }
    let own = scope ?? profile.anonymousScope
    let endpoint = try await server.tokenEndpoint()
    let response = try await attempt {
      try await endpoint.clientCredentials(scope: own, audience: audience)
    }
    guard TokenNarrowing.isCovered(response.scope, by: own) else {
      throw TokenNarrowing.tooWide
    }
    return TokenSet(response, requestedScope: own, at: now()).onlyAccess
  }

  var narrowing: TokenNarrowing { TokenNarrowing(tokens: self) }
}

/// A credential that was obtained with the token of a slot: a token with less scope or for another
/// service, or what a service gave for one.
public struct DerivedCredential: Sendable, Hashable {
  /// What it consists of, as it is stored: secrets included.
  public let members: JSONObject
  /// When it expires; `nil` if that is not known.
  public let expires: Timestamp?

  /// Makes a credential of what a service gave.
  public init(_ members: JSONObject, expires: Timestamp?) {
    self.members = members
    self.expires = expires
  }
}

/// The derived credentials on disk: `credentials/derived/DIGEST.json`, mode 0600.
///
/// A login and a logout erase all of them, because they come from the tokens that then change. A profile
/// whose secrets are not in files stores none.
struct DerivedCredentials {
  private let environment: SessionEnvironment
  private let issuer: String

  init(_ environment: SessionEnvironment) {
    self.environment = environment
    issuer = environment.profile.issuer?.text ?? ""
  }

  func load(_ request: [String]) -> DerivedCredential? {
    guard let document = try? StoreDocument.read(path(request), .secret),
      document.members["request"]?.strings == request,
      let members = document.members["credential"]?.object,
      let expires = document.members["expires"]?.time
    else { return nil }
    return DerivedCredential(members, expires: expires)
  }

  func save(_ credential: DerivedCredential, for request: [String]) throws(SDKError) {
    guard let expires = credential.expires else { return }
    // Otherwise expired ones of other requests would accumulate.
    if let names = try? Directory.entries(directory), names.count >= Self.maximumCount {
      try erase()
    }
    try StoreDocument(
      path: try path(request), secrecy: .secret,
      members: [
        "request": .strings(request), "credential": .object(credential.members),
        "expires": .time(expires),
      ]
    ).write()
  }

  /// A random text that is erased with all of them, made if it is missing; `nil` if none are stored.
  func mark() throws(SDKError) -> String? {
    guard try environment.secrets.areInFiles() else { return nil }
    let path = environment.userFile("credentials/derived/mark.json")
    if let mark = try StoreDocument.read(path, .secret)?.members["mark"]?.string { return mark }
    let mark = Hex.encode(try attempt { try Random.bytes(16) })
    try StoreDocument(path: path, secrecy: .secret, members: ["mark": .string(mark)]).write()
    return mark
  }

  func erase() throws(SDKError) {
    try attempt("could not erase the tokens for other services", as: .store) {
      if FileStatus.exists(directory) { try Directory.remove(tree: directory) }
    }
  }

  private func path(_ request: [String]) throws(SDKError) -> StorePath {
    let text = JSON.strings([issuer] + request).serialized()
    let name = Hex.encode(try digest(of: text.utf8).prefix(16))
    return environment.userFile("credentials/derived/\(name).json")
  }

  private var directory: String { environment.userFile("credentials/derived").text }

  private static let maximumCount = 64
}
