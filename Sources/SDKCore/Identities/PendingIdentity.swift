import JSON
import OpenSSL
import POSIX
import Primitives

/// A private key whose certificate has been requested and has not come yet.
struct PendingIdentity: Sendable {
  let name: IdentityName
  let hosts: [IdentityHost]
  let key: IdentityKey
  /// The SubjectPublicKeyInfo, by which its certificate is recognised.
  let publicKey: [UInt8]
}

/// The requested identities on disk: `identities/NAME/request.json`, mode 0600.
extension IdentityStore {
  /// Writes a requested identity in place of the one of the same name.
  func savePending(_ pending: PendingIdentity) async throws(SDKError) {
    try await locked { () throws(SDKError) in
      try StoreDocument(
        path: pendingPath(pending.name), secrecy: .secret,
        members: [
          "hosts": .strings(pending.hosts.map(\.description)), "key": .object(pending.key.stored),
          "publicKey": .string(Base64.encode(pending.publicKey)),
        ]
      ).write()
    }
  }

  /// The requested identity of a name; `nil` if there is none.
  func pending(_ name: IdentityName) throws(SDKError) -> PendingIdentity? {
    let path = pendingPath(name)
    guard let document = try StoreDocument.read(path, .secret) else { return nil }
    guard let names = document.members["hosts"]?.strings,
      let key = document.members["key"].flatMap(IdentityKey.init(stored:)),
      let publicKey = document.members["publicKey"]?.string.flatMap({ Base64.decode($0.utf8) })
    else {
      throw SDKError(
        .invalidConfiguration,
        "could not read '\(path)': 'hosts', 'key' or 'publicKey' is missing or invalid")
    }
    var hosts: [IdentityHost] = []
    for name in names { hosts.append(try IdentityHost(name)) }
    return PendingIdentity(name: name, hosts: hosts, key: key, publicKey: publicKey)
  }

  /// The requested identity of one of these keys; those that cannot be read are left out.
  func pending(ofAny publicKeys: [[UInt8]]) throws(SDKError) -> PendingIdentity? {
    for name in try directories() {
      if let pending = try? pending(name), publicKeys.contains(pending.publicKey) {
        return pending
      }
    }
    return nil
  }

  /// Removes the requested identity of a name, if there is one.
  func removePending(_ name: IdentityName) async throws(SDKError) {
    try await locked { () throws(SDKError) in
      try StoreDocument(path: pendingPath(name), secrecy: .secret).remove()
    }
  }

  private func pendingPath(_ name: IdentityName) -> StorePath {
    file("request.json", of: name)
  }
}
