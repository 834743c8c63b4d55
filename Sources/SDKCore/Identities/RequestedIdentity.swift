import JSON
import OpenSSL
import POSIX
public import Primitives

/// A private key whose certificate has been requested and has not come yet.
public struct RequestedIdentity: Sendable {
  /// The name that the identity will have.
  public let name: IdentityName
  /// The hosts that it will be shown to.
  public let hosts: [IdentityHost]
  /// Its private key, or where it is.
  public let key: IdentityKey
  /// The subject that was asked for (RFC 4514); `nil` if that is not known.
  public let subject: String?
  /// When the request was made; `nil` if that is not known.
  public let requestedAt: Timestamp?
  /// The SubjectPublicKeyInfo, by which its certificate is recognised.
  let publicKey: [UInt8]

  /// The type of its key: `EC P-256`, `RSA 2048 bits`.
  public var keyType: String {
    (try? PublicKey(spki: publicKey))?.kind.description ?? "unknown"
  }
}

extension RequestedIdentity {
  init(
    name: IdentityName, _ fields: StoredFields, _ value: RequestedIdentity? = nil
  ) throws(SDKError) {
    self.init(
      name: name, hosts: try fields.required("hosts", value?.hosts, .list(of: .host)),
      key: try IdentityKey(in: fields, value?.key),
      subject: try fields.optional("subject", value?.subject, .text)
        .map { VisibleText.of($0, .bytes) },
      requestedAt: try fields.optional("requestedAt", value?.requestedAt, .date),
      publicKey: try fields.required("publicKey", value?.publicKey, .base64))
  }
}

/// The requested identities on disk: `identities/NAME/request.json`, mode 0600.
extension IdentityStore {
  /// The names of all requested identities, sorted; also of those that cannot be read.
  ///
  /// - Throws: ``SDKError/Code/store`` if the directory cannot be read.
  public func requestedNames() throws(SDKError) -> [IdentityName] {
    try files.names(with: "request.json")
  }

  /// The requested identity of a name; `nil` if there is none.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if it cannot be read.
  public func requested(_ name: IdentityName) throws(SDKError) -> RequestedIdentity? {
    try StoreDocument.read(requestPath(name), .secret).map { (document) throws(SDKError) in
      try RequestedIdentity(name: name, document.content)
    }
  }

  /// Deletes a requested identity: its certificate, when it is issued, cannot be used then.
  ///
  /// - Throws: ``SDKError/Code/identity`` if there is none of that name.
  public func removeRequested(_ name: IdentityName) async throws(SDKError) {
    try await locked { () throws(SDKError) in
      guard FileStatus.exists(requestPath(name).text) else {
        throw SDKError(
          .identity, "could not find a request of the identity '\(name)' of '\(profile)'",
          subject: name.description)
      }
      try files.erase("request.json", of: name)
    }
  }

  func save(_ requested: RequestedIdentity, replaces: Bool) async throws(SDKError) {
    try await locked { () throws(SDKError) in
      let path = requestPath(requested.name)
      if !replaces, FileStatus.exists(path.text),
        (try? self.requested(requested.name))?.publicKey != requested.publicKey
      {
        throw SDKError(
          .invalidRequest,
          cause: "a certificate for '\(requested.name)' is requested already, and its key would be "
            + "lost", subject: requested.name.description,
          remedy: .replaceRequested(requested.name))
      }
      var document = StoreDocument(path: path, secrecy: .secret)
      let fields = document.writing
      _ = try RequestedIdentity(name: requested.name, fields, requested)
      document.members = try files.sealed(fields.members, .requestedIdentity, of: requested.name)
      try document.write()
    }
  }

  /// The requested identity of one of these keys; those that cannot be read are left out.
  func requested(ofAny publicKeys: [[UInt8]]) throws(SDKError) -> RequestedIdentity? {
    for name in try requestedNames() {
      if let requested = try? requested(name), publicKeys.contains(requested.publicKey) {
        return requested
      }
    }
    return nil
  }

  private func requestPath(_ name: IdentityName) -> StorePath {
    files.path("request.json", of: name)
  }
}
