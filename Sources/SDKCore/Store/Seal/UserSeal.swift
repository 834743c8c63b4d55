import JOSE
import JSON
import OpenSSL
import Primitives
import Synchronization

/// The seal of a user of a profile: secrets are encrypted to its public key, and its private key is
/// encrypted under a passcode.
///
/// So to store a secret takes nobody, and to use one takes the passcode, once for each process. Refresh tokens
/// and the DPoP key are sealed for each user, the client and identities for the first one.
final class UserSeal: Sendable {
  /// Erases what a seal has sealed of the user of an environment, after too many wrong passcodes; not under a lock.
  typealias Erasure = @Sendable (SessionEnvironment, SealDocument) async throws(SDKError) -> Void

  let environment: SessionEnvironment
  let entry: (any PasscodeEntry)?
  let cost: ScryptCost?
  private let erase: Erasure
  private let opening = SharedTask<DecryptionKey>()
  let openedKey = Mutex<DecryptionKey?>(nil)
  var profile: Profile { environment.profile }

  init(
    _ environment: SessionEnvironment, entry: (any PasscodeEntry)?, cost: ScryptCost?,
    erasing erase: @escaping Erasure
  ) {
    self.erase = erase
    self.environment = environment
    self.entry = entry
    self.cost = cost
  }

  // MARK: Facts

  func read() throws(SDKError) -> SealDocument {
    try SealDocument(of: environment.user, profile.name, at: environment.location)
  }

  func isSealed(_ slot: CredentialSlot) throws(SDKError) -> Bool {
    try read().parts.contains(SealedPart(slot))
  }

  /// Whether the passcode was entered in this session.
  var isOpen: Bool { openedKey.withLock { $0 } != nil }

  /// Whether a passcode can be entered, once no process tries one: a passcode that is being tried counts as wrong.
  func settledStatus() async throws(SDKError) -> PasscodeStatus {
    guard try read().passcode != nil else { return .notEnrolled }
    return try await locked { () throws(SDKError) in check().status(of: try read().passcode) }
  }

  // MARK: The passcode

  /// Asks for the passcode, unless it was entered in this process; nobody is asked under a lock.
  ///
  /// Tasks that ask at the same time share the answer. After a wrong passcode it is asked for again.
  ///
  /// - Throws: ``SDKError``: `sessionExpired` after too many wrong passcodes, when what is sealed has been
  ///   erased; `notAuthenticated` if nobody can be asked, `policy` if no passcode is accepted now; errors of the
  ///   entry.
  func open() async throws(SDKError) {
    if isOpen { return }
    // A person may take longer than others wait for a lock.
    guard LockOrder.held.isEmpty else { throw notOpened }
    do throws(SDKError) {
      let key = try await opening.value { [self] () throws(SDKError) in try await askedKey() }
      openedKey.withLock { $0 = key }
    } catch {
      guard let erased = try await eraseIfLockedOut() else { throw error }
      let hasClient = erased.parts.contains(.client)
      throw SDKError(
        .sessionExpired,
        "could not open the \(hasClient ? "registration and the login" : "login") of "
          + "'\(profile.name)': what was sealed was erased after too many wrong passcodes",
        resource: .userDeregistered, subject: profile.name.description,
        remedy: hasClient ? .registerAnew : .login)
    }
  }

  /// Erases what is sealed if there were too many wrong passcodes, and returns it; `nil` if it stays.
  @discardableResult
  func eraseIfLockedOut() async throws(SDKError) -> SealDocument? {
    guard check().status(of: try read().passcode) == .lockedOut,
      try await settledStatus() == .lockedOut
    else { return nil }
    let document = try read()
    try await erase(environment, document)
    try await remove()
    return document
  }

  private func askedKey() async throws(SDKError) -> DecryptionKey {
    while true {
      let status = try await settledStatus()
      try check().requireOpen(status)
      guard let entry else { throw notOpened }
      let passcode: [UInt8]
      do throws(SDKError) {
        passcode = try await entry.passcode(
          for: PasscodeVerification(owner: owner, status: status))
      } catch {
        throw error.askingForPasscode
      }
      if let key = try await key(openedBy: passcode) { return key }
    }
  }

  /// The private key; `nil` if the passcode is wrong.
  private func key(openedBy passcode: [UInt8]) async throws(SDKError) -> DecryptionKey? {
    do throws(SDKError) {
      return try await locked { () async throws(SDKError) in
        var document = try read()
        let pem = try await check().secret(of: &document, with: passcode)
        try document.write()
        return try Self.key(pem)
      }
    } catch {
      guard error.code == .wrongPasscode else { throw error }
      return nil
    }
  }

  /// Forgets the passcode and the key, so that nothing is sealed from now on.
  func remove() async throws(SDKError) {
    try await locked { () throws(SDKError) in try read().remove() }
    openedKey.withLock { $0 = nil }
    opening.forget()
  }

  // MARK: Parts

  func check(_ cost: ScryptCost = .standard) -> PasscodeCheck {
    PasscodeCheck(
      subject: "the profile '\(profile.name)'", policy: profile.sealPolicy, cost: cost,
      now: environment.clock.now)
  }

  var owner: PasscodeOwner {
    environment.user == .standard
      ? .profile(profile.name) : .user(environment.user, of: profile.name)
  }

  private static func key(_ pem: [UInt8]) throws(SDKError) -> DecryptionKey {
    try attempt(as: .store) {
      try DecryptionKey(pem: String(decoding: pem, as: UTF8.self), algorithm: .ecdhES)
    }
  }

  var notOpened: SDKError {
    SDKError(
      .notAuthenticated,
      cause: "'\(profile.name)' is sealed, and nobody can be asked for the passcode",
      resource: .userNotAuthenticated, subject: profile.name.description, remedy: .enterPasscode)
  }

  func locked<Value: Sendable>(
    _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    try await environment.locked(.seal, body)
  }
}

extension UserSeal {
  /// Chooses a passcode for a user who has none, and seals further secrets.
  func add(
    _ parts: Set<SealedPart>, asking entry: (any PasscodeEntry)?
  ) async throws(SDKError) {
    // The passcode stays on this machine: the others could not use the login any more.
    guard try !environment.secrets.areShared() else {
      throw SDKError(.policy, cause: "other machines use its secrets too, and have no passcode")
    }
    var new: (key: DecryptionKey, passcode: EnrolledPasscode)?
    if try read().passcode == nil {
      guard let entry = entry ?? self.entry else { throw notOpened }
      let passcode = try await check().chosen(by: entry, for: owner)
      let key = try attempt { try DecryptionKey.generate(.ecdhES) }
      let cost =
        if let cost { cost } else {
          try await toItsEnd { () throws(SDKError) in try attempt { try ScryptCost.calibrated() } }
        }
      let sealed = try await check(cost).sealed(Array((key.pem ?? "").utf8), with: passcode)
      new = (key, EnrolledPasscode(sealed: sealed))
    }
    let chosen = new
    try await locked { () throws(SDKError) in
      var document = try read()
      if document.passcode == nil {
        guard let chosen else {
          throw SDKError(.busy, cause: "another process has removed the passcode")
        }
        document.key = chosen.key.publicKey
        document.passcode = chosen.passcode
        openedKey.withLock { $0 = chosen.key }
      }
      document.parts.formUnion(parts)
      try document.write()
    }
  }

  /// Seals nothing from now on; what is sealed stays so until it is written again, and the passcode opens it.
  func stop() async throws(SDKError) {
    try await change { document in document.parts = [] }
  }

  private func change(
    _ body: @Sendable (inout SealDocument) -> Void
  ) async throws(SDKError) {
    try await locked { () throws(SDKError) in
      var document = try read()
      guard document.passcode != nil else { return }
      body(&document)
      try document.write()
    }
  }

  func changePasscode(from old: [UInt8], to new: [UInt8]) async throws(SDKError) {
    try check().require(new, insteadOf: old)
    try await locked { () async throws(SDKError) in
      var document = try read()
      try await check(document.passcode?.sealed.cost ?? .standard)
        .changePasscode(of: &document, from: old, to: new)
    }
  }

  /// Seals nothing of the user any more; the passcode stays if it seals what belongs to the profile.
  func forgetUser() async throws(SDKError) {
    guard try !read().parts.contains(where: \.isOfProfile) else {
      return try await change { document in
        document.parts = document.parts.filter(\.isOfProfile)
      }
    }
    try await remove()
  }
}

/// The seals of a profile's users; the passcode of each is asked for once in a process.
final class ProfileSeals: Sendable {
  private let environment: SessionEnvironment
  private let entry: (any PasscodeEntry)?
  private let cost: ScryptCost?
  private let erase: UserSeal.Erasure
  private let seals = Mutex<[UserID: UserSeal]>([:])

  init(
    _ environment: SessionEnvironment, entry: (any PasscodeEntry)?, cost: ScryptCost?,
    erasing erase: @escaping UserSeal.Erasure
  ) {
    self.environment = environment
    self.entry = entry
    self.cost = cost
    self.erase = erase
  }

  /// The seal of the profile: that of its first user.
  var ofProfile: UserSeal { self[.standard] }

  subscript(user: UserID) -> UserSeal {
    seals.withLock { seals in
      if let seal = seals[user] { return seal }
      let seal = UserSeal(environment.of(user), entry: entry, cost: cost, erasing: erase)
      seals[user] = seal
      return seal
    }
  }
}
