package import JSON
import OpenSSL
import Primitives

/// What a server has told, as one file of the cache.
///
/// Without it one more request is sent. So a file that cannot be read counts as absent, and that
/// one cannot be written is no error.
package struct CachedDocument: Sendable {
  let path: StorePath
  var secrecy = StoreDocument.Secrecy.secret
  /// Whose it is: members that must have these values.
  var owner: [String: String] = [:]
  var isReadOnly = false

  package func read() -> JSONObject? {
    guard let members = (try? StoreDocument.read(path, secrecy))?.members,
      owner.allSatisfy({ sameIdentifier(members[$0.key]?.string, $0.value) })
    else { return nil }
    return members
  }

  package func write(_ members: JSONObject) {
    guard !isReadOnly else { return }
    var members = members
    for (name, value) in owner { members[name] = .string(value) }
    try? StoreDocument(path: path, secrecy: secrecy, members: members).replace()
  }
}

package func digest(of bytes: some Sequence<UInt8>) throws(SDKError) -> [UInt8] {
  try attempt { try Digest.sha256(Array(bytes)) }
}
