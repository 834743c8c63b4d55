import HTTP
import JSON
import POSIX
import Primitives

/// The documents of a profile's identities: one directory each, mode 0700, with `identity.json`, 0600.
///
/// Certificate and key are in one document, so that a kill at any instant leaves the old pair or
/// the new one. What changes them runs in the lock of the identities, or in that of what they belong to.
struct IdentityFiles: Sendable {
  let location: StoreLocation
  let profile: ProfileName

  /// The names of all identities, sorted; also of those that cannot be read.
  func names() throws(SDKError) -> [IdentityName] { try names(with: "identity.json") }

  func names(with file: String) throws(SDKError) -> [IdentityName] {
    try attempt("could not list the identities of '\(profile)'", as: .store) {
      try Directory.entriesIfPresent(directory).compactMap { try? IdentityName($0) }.sorted()
        .filter { FileStatus.exists(path(file, of: $0).text) }
    }
  }

  /// Reads an identity; `nil` if there is none of that name.
  func stored(_ name: IdentityName) throws(SDKError) -> Identity? {
    let document = try StoreDocument.read(path("identity.json", of: name), .secret)
    return try document.map { (document) throws(SDKError) in
      try Identity(name: name, document.content)
    }
  }

  /// Writes an identity in place of the one of the same name; its key is sealed if the profile seals such.
  func write(_ identity: Identity) throws(SDKError) {
    let path = path("identity.json", of: identity.name)
    var document = try StoreDocument.existing(path, .secret)
    let fields = document.writing
    _ = try Identity(name: identity.name, fields, identity)
    document.members = try sealed(fields.members, .identity, of: identity.name)
    try document.write()
    try refreshFile(of: try Identity(name: identity.name, document.content))
  }

  func sealed(
    _ members: JSONObject, _ file: ProfileFile, of name: IdentityName
  ) throws(SDKError) -> JSONObject {
    try SealDocument(profile, at: location)
      .sealed(members, of: file, at: "identities/\(name)/")
  }

  func erase(_ name: IdentityName) throws(SDKError) {
    // The document first: without it there is no identity, whatever else is left.
    try erase("identity.json", of: name)
    try erase("client.pem", of: name)
  }

  /// Removes a file of an identity, and its directory if it has no document any more.
  func erase(_ file: String, of name: IdentityName) throws(SDKError) {
    try StoreDocument(path: path(file, of: name), secrecy: .secret).remove()
    let place = "\(directory)/\(name)"
    try attempt("could not delete the identity '\(name)'", as: .store) {
      let names = try Directory.entriesIfPresent(place)
      if Set(names).isDisjoint(with: ["identity.json", "request.json"]) {
        try Directory.remove(tree: place)
      }
    }
  }

  func path(_ file: String, of identity: IdentityName) -> StorePath {
    location.stateFile("profiles/\(profile)/identities/\(identity)/\(file)")
  }

  private var directory: String { location.state(of: profile) + "/identities" }
}

extension IdentityFiles {
  /// Writes key and chain into one PEM file beside the identity, mode 0600, which is replaced
  /// whenever the identity is; returns its path.
  func publish(_ identity: Identity) throws(SDKError) -> String {
    let path = path("client.pem", of: identity.name)
    try write(identity, to: path)
    return path.text
  }

  /// Replaces the file of ``publish(_:)`` if there is one.
  private func refreshFile(of identity: Identity) throws(SDKError) {
    let path = path("client.pem", of: identity.name)
    guard FileStatus.exists(path.text) else { return }
    guard case .pem = identity.key else {
      return try StoreDocument(path: path, secrecy: .secret).remove()
    }
    try write(identity, to: path)
  }

  private func write(_ identity: Identity, to path: StorePath) throws(SDKError) {
    guard case .pem = identity.key, let certificate = identity.clientCertificate else {
      throw SDKError(
        .identity,
        "could not write the identity '\(identity.name)' for other programs: its key is sealed, "
          + "or in a security token", subject: identity.name.description)
    }
    do throws(SystemError) {
      try path.requireTrusted(.secret)
      // One file, so that key and certificate are always a pair.
      try AtomicFile.write(
        certificate.privateKey + certificate.chain, to: path.text, mode: 0o600)
    } catch {
      throw StoreDocument.failure("write", path, error)
    }
  }
}
