import JOSE
import JSON
import OpenSSL
import Primitives

extension SealedSecret {
  init?(stored members: JSON) {
    guard members["kdf"] == "scrypt", members["cipher"] == "AES-256-GCM",
      let n = members["n"]?.int, let r = members["r"]?.int, let p = members["p"]?.int,
      let salt = members["salt"]?.string.flatMap({ Base64.decode($0.utf8) }),
      let iv = members["iv"]?.string.flatMap({ Base64.decode($0.utf8) }),
      let ciphertext = members["ciphertext"]?.string.flatMap({ Base64.decode($0.utf8) }),
      let tag = members["tag"]?.string.flatMap({ Base64.decode($0.utf8) })
    else { return nil }
    self.init(
      cost: ScryptCost(n: n, r: r, p: p), salt: salt, iv: iv, ciphertext: ciphertext, tag: tag)
  }

  var stored: JSONObject {
    [
      "kdf": "scrypt", "cipher": "AES-256-GCM", "n": .int(cost.n), "r": .int(cost.r),
      "p": .int(cost.p), "salt": .string(Base64.encode(salt)), "iv": .string(Base64.encode(iv)),
      "ciphertext": .string(Base64.encode(ciphertext)), "tag": .string(Base64.encode(tag)),
    ]
  }
}

/// A private key as a store file holds it, in `alg` and `pem`; `nil` for any other text.
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

  var stored: JSONObject? {
    pem.map { ["alg": .string(algorithm.rawValue), "pem": .string($0)] }
  }
}
