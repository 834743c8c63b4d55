import JOSE
import JSON

/// The seal of a profile, mode 0600: `seal.json` of the profile's state.
///
/// Its members:
/// * `slots`: the names of the slots whose refresh tokens are encrypted;
/// * `kinds`: what else is encrypted: `client`, `dpop`, `identity`;
/// * `key`: the public key that they are encrypted to (a JWK);
/// * `pin`: the private key (PEM), `sealed` under the PIN; the `failures` since the last right one,
///   and `failedAt`, the time of the last one in seconds.
struct SealDocument: PINDocument {
  var slots: Set<CredentialSlot> = []
  var kinds: Set<SealedKind> = []
  /// `nil` if nothing is sealed.
  var key: JWK?
  var pin: EnrolledPIN?
  private var document: StoreDocument

  /// Reads the file; one without slots if there is none.
  init(reading path: StorePath) throws(SDKError) {
    document =
      try StoreDocument.read(path, .secret) ?? StoreDocument(path: path, secrecy: .secret)
    guard !document.members.isEmpty else { return }
    let members = document.members
    guard let names = members["slots"]?.strings else { throw invalid("slots") }
    for name in names {
      guard let slot = CredentialSlot(rawValue: name) else { throw invalid("slots") }
      slots.insert(slot)
    }
    for name in members["kinds"]?.strings ?? [] {
      guard let kind = SealedKind(rawValue: name) else { throw invalid("kinds") }
      kinds.insert(kind)
    }
    guard let key = members["key"].flatMap({ try? JWK(json: $0) }) else { throw invalid("key") }
    guard let pin = members["pin"].flatMap(EnrolledPIN.init(stored:)) else { throw invalid("pin") }
    self.key = key
    self.pin = pin
  }

  /// Reads the file of a user of a profile.
  init(
    of user: UserID = .standard, _ profile: ProfileName, at location: StoreLocation
  ) throws(SDKError) {
    try self.init(
      reading: location.stateFile(ProfileUser(profile: profile, id: user).document("seal.json")))
  }

  /// Writes the file, atomically and durably; members that this version does not know stay.
  mutating func write() throws(SDKError) {
    document.members["slots"] = .strings(slots.map(\.rawValue).sorted())
    document.members["kinds"] = kinds.isEmpty ? nil : .strings(kinds.map(\.rawValue).sorted())
    document.members["key"] = key?.json
    document.members["pin"] = pin?.stored
    try document.write()
  }

  func remove() throws(SDKError) { try document.remove() }

  private func invalid(_ member: String) -> SDKError {
    StoreDocument.damage(
      document.path.text, "'\(member)' is missing or invalid", as: .invalidConfiguration)
  }
}

extension SealDocument {
  /// Encrypts the members of a secret; `nil` if secrets of that kind are not sealed.
  func sealed(_ secret: JSONObject, of kind: SealedKind) throws(SDKError) -> String? {
    guard kinds.contains(kind) else { return nil }
    return try encrypted(["kind": .string(kind.rawValue), "secret": .object(secret)])
  }

  /// Encrypts a document to the key; `nil` without a key.
  func encrypted(_ content: JSON) throws(SDKError) -> String? {
    guard let key else { return nil }
    return try attempt {
      try JWE.encrypt(Array(content.serialized().utf8), to: key, .ecdhES, .a256GCM)
    }
  }
}
