import JOSE
import JSON

/// The seal of a profile, mode 0600: `seal.json` of the profile's state.
///
/// Its members:
/// * `parts`: what is encrypted: `user`, `implicit`, `anonymous`, `client`, `dpop`, `identity`;
/// * `key`: the public key that they are encrypted to (a JWK);
/// * `passcode`: the private key (PEM), `sealed` under the passcode; the `failures` since the last right one,
///   and `failedAt`, the time of the last one in seconds.
struct SealDocument: PasscodeDocument {
  var parts: Set<SealedPart> = []
  /// `nil` if nothing is sealed.
  var key: JWK?
  var passcode: EnrolledPasscode?
  private var document: StoreDocument

  /// Reads the file of a user of a profile; one that seals nothing if there is none.
  init(
    of user: UserID = .standard, _ profile: ProfileName, at location: StoreLocation
  ) throws(SDKError) {
    let path = location.stateFile(
      ProfileUser(profile: profile, id: user).document(ProfileFile.seal.pattern))
    document =
      try StoreDocument.read(path, .secret) ?? StoreDocument(path: path, secrecy: .secret)
    guard !document.members.isEmpty else { return }
    let content = document.content
    parts = Set(
      try content.required("parts") { $0.list { SealedPart(rawValue: $0.string ?? "") } })
    key = try content.required("key") { try? JWK(json: $0) }
    passcode = try content.required("passcode", EnrolledPasscode.init(stored:))
  }

  /// Writes the file, atomically and durably; members that this version does not know stay.
  mutating func write() throws(SDKError) {
    document.members["parts"] = .strings(parts.map(\.rawValue).sorted())
    document.members["key"] = key?.json
    document.members["passcode"] = passcode?.stored
    try document.write()
  }

  func remove() throws(SDKError) { try document.remove() }
}

extension SealDocument {
  /// Whether the secrets of a file are encrypted when they are written.
  func seals(_ file: ProfileFile, at path: String = "") -> Bool {
    !parts.isDisjoint(with: file.parts(at: path))
  }

  /// The members of a document, its secret ones encrypted if they are to be.
  func sealed(
    _ members: JSONObject, of file: ProfileFile, at path: String = ""
  ) throws(SDKError) -> JSONObject {
    guard let key, let part = file.part, seals(file, at: path) else { return members }
    var (members, sealed) = (members, members[ProfileFile.sealedMember]?.object ?? [:])
    for member in file.secrets {
      guard let value = members[path: member] else { continue }
      let content: JSON = [
        // Not the file: the key of a request becomes that of an identity without being opened.
        "part": .string(part.rawValue), "member": .string(member), "value": value,
      ]
      sealed[member] = .string(
        try attempt {
          try JWE.encrypt(Array(content.serialized().utf8), to: key, .ecdhES, .a256GCM)
        })
      members[path: member] = nil
    }
    members[ProfileFile.sealedMember] = sealed.isEmpty ? nil : .object(sealed)
    return members
  }
}

extension JSONObject {
  /// A member, or one of an object in it: `client.client_secret`.
  subscript(path path: String) -> JSON? {
    get {
      let names = path.split(separator: ".", maxSplits: 1).map(String.init)
      return names.count < 2 ? self[path] : self[names[0]]?.object?[path: names[1]]
    }
    set {
      let names = path.split(separator: ".", maxSplits: 1).map(String.init)
      guard names.count == 2 else {
        self[path] = newValue
        return
      }
      var inner = self[names[0]]?.object ?? [:]
      inner[path: names[1]] = newValue
      self[names[0]] = inner.isEmpty ? nil : .object(inner)
    }
  }
}
