import JOSE
import JSON

/// The seal of a profile, mode 0600: `seal.json` of the profile's state.
///
/// Its members:
/// * `slots`: the names of the slots whose refresh tokens are encrypted;
/// * `kinds`: what else is encrypted: `client`, `dpop`, `identity`;
/// * `key`: the public key that they are encrypted to (a JWK);
/// * `passcode`: the private key (PEM), `sealed` under the passcode; the `failures` since the last right one,
///   and `failedAt`, the time of the last one in seconds.
struct SealDocument: PasscodeDocument {
  var slots: Set<CredentialSlot> = []
  var kinds: Set<SealedKind> = []
  /// `nil` if nothing is sealed.
  var key: JWK?
  var passcode: EnrolledPasscode?
  private var document: StoreDocument

  /// Reads the file; one without slots if there is none.
  init(reading path: StorePath) throws(SDKError) {
    document =
      try StoreDocument.read(path, .secret) ?? StoreDocument(path: path, secrecy: .secret)
    guard !document.members.isEmpty else { return }
    let content = document.content
    slots = Set(
      try content.required("slots") {
        $0.list { CredentialSlot(rawValue: $0.string ?? "") }
      })
    kinds = Set(
      try content.optional("kinds") { $0.list { SealedKind(rawValue: $0.string ?? "") } } ?? [])
    key = try content.required("key") { try? JWK(json: $0) }
    passcode = try content.required("passcode", EnrolledPasscode.init(stored:))
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
    document.members["passcode"] = passcode?.stored
    try document.write()
  }

  func remove() throws(SDKError) { try document.remove() }
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
