import JOSE
import JSON
import Primitives

/// A private key as a store file holds it: the members `alg` and `pem`.
///
/// Reading returns `nil` if the text is not such a key.
extension SigningKey {
  init?(stored members: JSON) {
    guard let pem = members["pem"]?.string,
      let algorithm = members["alg"]?.string.flatMap(JWSAlgorithm.init(identifier:)),
      let key = try? SigningKey(pem: pem, algorithm: algorithm)
    else { return nil }
    self = key
  }

  var stored: JSONObject { ["alg": .string(algorithm.rawValue), "pem": .string(pem)] }
}

extension DecryptionKey {
  init?(stored members: JSON) {
    guard let pem = members["pem"]?.string,
      let algorithm = members["alg"]?.string.flatMap(JWEAlgorithm.init(identifier:)),
      let key = try? DecryptionKey(pem: pem, algorithm: algorithm)
    else { return nil }
    self = key
  }

  /// `nil` for a secret, which no file holds.
  var stored: JSONObject? {
    pem.map { ["alg": .string(algorithm.rawValue), "pem": .string($0)] }
  }
}
