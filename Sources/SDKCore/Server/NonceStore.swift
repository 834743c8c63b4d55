import JSON
import OAuth
import Primitives
import Synchronization

/// The nonces of a profile's servers: `nonces/PROFILE.json` of the cache.
///
/// Read once and written when one changes, without a lock: two processes may write over each
/// other's nonce, and one of them then sends a request twice.
final class NonceStore: NonceMemory {
  private let path: StorePath
  private let known = Mutex<JSONObject?>(nil)

  init(_ location: StoreLocation, _ profile: ProfileName) {
    path = location.cacheFile("nonces/\(profile).json")
  }

  func nonce(of origin: String) -> String? {
    known.withLock { known in
      let nonces = known ?? stored()
      known = nonces
      return nonces[origin]?.string
    }
  }

  func remember(_ nonce: String, of origin: String) {
    guard !sameIdentifier(self.nonce(of: origin), nonce) else { return }
    known.withLock { $0?[origin] = .string(nonce) }
    var nonces = stored()
    // A server whose nonce is gone asks for one again, which takes one more request.
    if nonces.count >= Self.maximumCount { nonces = [:] }
    nonces[origin] = .string(nonce)
    let members: JSONObject = ["nonces": .object(nonces)]
    try? StoreDocument(path: path, secrecy: .secret, members: members).write()
  }

  /// A file that cannot be read counts as empty.
  private func stored() -> JSONObject {
    let document = try? StoreDocument.read(path, .secret)
    return document?.members["nonces"]?.object ?? [:]
  }

  private static let maximumCount = 64
}
