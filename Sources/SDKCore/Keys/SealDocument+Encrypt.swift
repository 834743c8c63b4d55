import JOSE
import JSON

extension SealDocument {
  /// Encrypts the members of a secret; `nil` if secrets of that kind are not sealed.
  func sealed(_ secret: JSONObject, of kind: SealedKind) throws(SDKError) -> String? {
    guard kinds.contains(kind) else { return nil }
    return try encrypted(["kind": .string(kind.rawValue), "secret": .object(secret)])
  }

  /// Encrypts a document to the key; `nil` without a key.
  func encrypted(_ content: JSON) throws(SDKError) -> String? {
    guard let key else { return nil }
    return try attempt {
      try JWE.encrypt(Array(content.serialized().utf8), to: key, .ecdhES, .a256GCM)
    }
  }
}
