import JOSE
import TestSupport

@testable import OAuth

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
