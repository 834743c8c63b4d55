import JSON
import OAuth
import Primitives
import Synchronization

/// What a server has told, as one file of the cache.
///
/// Without it one more request is sent. So a file that cannot be read counts as absent, and that
/// one cannot be written is no error.
struct CachedDocument: Sendable {
  let path: StorePath
  var secrecy = StoreDocument.Secrecy.secret
  /// Whose it is: members that must have these values.
  var owner: [String: String] = [:]

  func read() -> JSONObject? {
    guard let members = (try? StoreDocument.read(path, secrecy))?.members,
      owner.allSatisfy({ sameIdentifier(members[$0.key]?.string, $0.value) })
    else { return nil }
    return members
  }

  func write(_ members: [String: JSON?]) {
    var members = JSONObject(present: members)
    for (name, value) in owner { members[name] = .string(value) }
    try? StoreDocument(path: path, secrecy: secrecy, members: members).write()
  }
}

/// The form of a client's credential that its server accepted: `clients/PROFILE.json`.
///
/// Without it, each request would first be sent in a form that the server refuses.
struct CredentialFormFile: ServerCache {
  let location: StoreLocation
  let profile: ProfileName
  let issuer: Issuer

  func value(of clientID: String) -> CredentialForm? {
    file(clientID).read()?["form"]?.string.flatMap(CredentialForm.init(identifier:))
  }

  func keep(_ form: CredentialForm, of clientID: String) {
    file(clientID).write(["form": .string(form.rawValue)])
  }

  private func file(_ clientID: String) -> CachedDocument {
    CachedDocument(
      path: location.cacheFile("clients/\(profile).json"),
      owner: ["issuer": issuer.text, "client": clientID])
  }
}

/// The last nonce of each server of a profile: `nonces/PROFILE.json`.
///
/// Read once and written when one changes, without a lock: two processes may write over each
/// other's nonce, and one of them then sends a request twice.
final class NonceFile: ServerCache {
  private let file: CachedDocument
  private let known = Mutex<JSONObject?>(nil)

  init(_ location: StoreLocation, _ profile: ProfileName) {
    file = CachedDocument(path: location.cacheFile("nonces/\(profile).json"))
  }

  func value(of origin: String) -> String? {
    known.withLock { known in
      let nonces = known ?? stored()
      known = nonces
      return nonces[origin]?.string
    }
  }

  func keep(_ nonce: String, of origin: String) {
    guard !sameIdentifier(value(of: origin), nonce) else { return }
    known.withLock { $0?[origin] = .string(nonce) }
    var nonces = stored()
    // A server whose nonce is gone asks for one again, which takes one more request.
    if nonces.count >= Self.maximumCount { nonces = [:] }
    nonces[origin] = .string(nonce)
    file.write(["nonces": .object(nonces)])
  }

  private func stored() -> JSONObject { file.read()?["nonces"]?.object ?? [:] }

  private static let maximumCount = 64
}
