import HTTP
import JOSE
import JSON
import Synchronization
import Testing

@testable import OAuth

/// Nonces in memory.
final class Nonces: NonceMemory {
  private let known: Mutex<[String: String]>

  init(_ known: [String: String] = [:]) { self.known = Mutex(known) }

  var all: [String: String] { known.withLock { $0 } }

  func nonce(of origin: String) -> String? { known.withLock { $0[origin] } }

  func remember(_ nonce: String, of origin: String) { known.withLock { $0[origin] = nonce } }
}

/// A proof as its receiver reads it: verified with the key that it brings along.
struct ReadProof {
  let header: JSON
  let claims: JSON

  init(_ text: String?) throws {
    let jwt = try JWT(try #require(text))
    header = jwt.jws.header
    claims = jwt.claims
    let key = try JWK(json: try #require(header["jwk"]))
    try jwt.jws.verify(with: key, allowed: JWSAlgorithm.asymmetric)
  }
}
