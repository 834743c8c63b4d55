package import JOSE
import JSON
package import OpenSSL
import Primitives

extension SealedSecret: StoredValue {
  package init(_ fields: StoredFields, _ value: SealedSecret?) throws(SDKError) {
    try fields.constant("kdf", "scrypt")
    try fields.constant("cipher", "AES-256-GCM")
    self.init(
      cost: ScryptCost(
        n: try fields.required("n", value?.cost.n, .number),
        r: try fields.required("r", value?.cost.r, .number),
        p: try fields.required("p", value?.cost.p, .number)),
      salt: try fields.required("salt", value?.salt, .base64),
      iv: try fields.required("iv", value?.iv, .base64),
      ciphertext: try fields.required("ciphertext", value?.ciphertext, .base64),
      tag: try fields.required("tag", value?.tag, .base64))
  }
}

extension SigningKey: StoredValue {
  package init(_ fields: StoredFields, _ value: SigningKey?) throws(SDKError) {
    let algorithm = try fields.required("alg", value?.algorithm, .word)
    let pem = try fields.required("pem", value?.pem, .text)
    guard let key = value ?? (try? SigningKey(pem: pem, algorithm: algorithm)) else {
      throw fields.invalid("pem", "is not a key for \(algorithm.rawValue)")
    }
    self = key
  }
}

extension DecryptionKey: StoredValue {
  package init(_ fields: StoredFields, _ value: DecryptionKey?) throws(SDKError) {
    let algorithm = try fields.required("alg", value?.algorithm, .word)
    let pem = try fields.required("pem", value.map { $0.pem ?? "" }, .text)
    guard let key = value ?? (try? DecryptionKey(pem: pem, algorithm: algorithm)) else {
      throw fields.invalid("pem", "is not a key for \(algorithm.rawValue)")
    }
    self = key
  }
}
