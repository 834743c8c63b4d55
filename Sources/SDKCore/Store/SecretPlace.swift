import JSON

/// A secret document of a profile that can be kept in any place.
///
/// Client certificates, FIDO keys and the counters of PINs stay in files of the machine.
enum SecretName: Sendable, Hashable {
  case registration
  case tokens(CredentialSlot)
  case dpopKey

  static let all: [SecretName] =
    [.registration] + CredentialSlot.allCases.map { .tokens($0) } + [.dpopKey]

  /// Its name below the profile.
  var text: String {
    switch self {
    case .registration: "registration"
    case .tokens(let slot): "credentials/\(slot.rawValue)"
    case .dpopKey: "dpop"
    }
  }
}

/// Where a profile keeps its secret documents.
///
/// Who changes a document holds its lock (``ProfileLock``), or all locks of the profile.
protocol SecretPlace: Sendable {
  /// Reads a document; `nil` if there is none.
  func read(_ name: SecretName) async throws(SDKError) -> JSONObject?

  /// Writes a document as a whole: a kill leaves the old one or the new one.
  func write(_ members: JSONObject, to name: SecretName) async throws(SDKError)

  /// Removes a document if it exists.
  func remove(_ name: SecretName) async throws(SDKError)

  /// Proves that a document can be written, before a server is asked for what it will hold.
  ///
  /// A token that cannot be kept is lost: the server has spent the old one by then.
  func proveWritable(_ name: SecretName) async throws(SDKError)

  /// What a message calls a document: its file, or its name in another place.
  func title(of name: SecretName) -> String
}

/// Files of the profile's state, mode 0600.
struct FilePlace: SecretPlace {
  let location: StoreLocation
  let profile: ProfileName

  func read(_ name: SecretName) throws(SDKError) -> JSONObject? {
    try StoreDocument.read(path(name), .secret)?.members
  }

  func write(_ members: JSONObject, to name: SecretName) throws(SDKError) {
    try StoreDocument(path: path(name), secrecy: .secret, members: members).write()
  }

  func remove(_ name: SecretName) throws(SDKError) {
    try StoreDocument(path: path(name), secrecy: .secret).remove()
  }

  func proveWritable(_ name: SecretName) throws(SDKError) {
    try StoreDocument(path: path(name), secrecy: .secret).proveWritable()
  }

  func title(of name: SecretName) -> String { path(name).text }

  private func path(_ name: SecretName) -> StorePath {
    location.stateFile("profiles/\(profile)/\(name.text).json")
  }
}
