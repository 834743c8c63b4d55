import JSON
import OAuth
import Primitives
import Synchronization

/// The form of a client's credential that its server accepted: `clients/PROFILE.json`.
///
/// Without it, each request would first be sent in a form that the server refuses.
struct CredentialFormFile: ServerCache {
  let location: StoreLocation
  let profile: ProfileName
  let issuer: Issuer

  func value(of client: String) -> CredentialForm? {
    file.read()?["forms"]?[client]?.string.flatMap(CredentialForm.init(identifier:))
  }

  func keep(_ form: CredentialForm, of client: String) {
    var forms = file.read()?["forms"]?.object ?? [:]
    forms[client] = .string(form.rawValue)
    file.write(["forms": .object(forms)])
  }

  private var file: CachedDocument {
    CachedDocument(
      path: location.cacheFile("clients/\(profile).json"), owner: ["issuer": issuer.text])
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
