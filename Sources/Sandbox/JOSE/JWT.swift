import JSON

/// A compact JWS whose payload is an object of claims (RFC 7519).
struct JWT: Sendable {
  let header: JSON
  let claims: JSON
  let signed: [UInt8]
  let signature: [UInt8]

  /// Takes the token apart without trusting any of it.
  init?(_ compact: String) {
    let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
    guard compact.utf8.count <= 32_768, parts.count == 3,
      let header = Base64URL.decode(String(parts[0])).flatMap({ try? JSON(parsing: $0) }),
      let claims = Base64URL.decode(String(parts[1])).flatMap({ try? JSON(parsing: $0) }),
      header.object != nil, claims.object != nil,
      let signature = Base64URL.decode(String(parts[2]))
    else { return nil }
    self.header = header
    self.claims = claims
    self.signature = signature
    signed = Array("\(parts[0]).\(parts[1])".utf8)
  }

  var algorithm: String { header["alg"]?.string ?? "" }

  /// The audiences, whether given as one text or as a list.
  var audiences: [String] {
    claims["aud"]?.strings ?? claims["aud"]?.string.map { [$0] } ?? []
  }

  func isSigned(by key: VerificationKey) -> Bool {
    header["crit"] == nil && key.verifies(signature, of: signed, algorithm: algorithm)
  }

  /// Whether the signature is an HS256 under a client secret.
  func isSigned(bySecret secret: String) -> Bool {
    header["crit"] == nil && algorithm == "HS256"
      && Secret.same(signature, HMAC.code(of: signed, key: Array(secret.utf8)))
  }

  /// Signs claims, with members of the header that are not the usual ones.
  static func make(
    _ claims: JSONObject, type: String, key: SigningKey, keyID: String? = nil
  ) throws -> String {
    let header: JSON = [
      "alg": .string(key.algorithm.rawValue), "kid": .string(keyID ?? key.id),
      "typ": .string(type),
    ]
    let head =
      Base64URL.encode(header.serializedBytes()) + "."
      + Base64URL.encode(JSON.object(claims).serializedBytes())
    return head + "." + Base64URL.encode(try key.sign(Array(head.utf8)))
  }

  /// The same claims under `alg: none`: what a careful client refuses.
  static func unsigned(_ claims: JSONObject) -> String {
    let header: JSON = ["alg": "none", "typ": "JWT"]
    return Base64URL.encode(header.serializedBytes()) + "."
      + Base64URL.encode(JSON.object(claims).serializedBytes()) + "."
  }
}
