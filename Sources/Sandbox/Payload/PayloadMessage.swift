import JSON

/// A compact JWE with ECDH-ES and A256GCM (RFC 7516, RFC 7518 section 4.6).
enum PayloadMessage {
  /// Why a message is refused.
  struct Refused: Error {}

  /// Decrypts a message; returns its content and the key to which the answer goes.
  static func open(_ text: String, with key: PayloadKey) throws -> (JSON, PayloadPeer) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, parts[1].isEmpty,
      let header = Base64URL.decode(parts[0]).flatMap({ try? JSON(parsing: $0) }),
      header["alg"] == "ECDH-ES", header["enc"] == "A256GCM", header["zip"] == nil,
      header["crit"] == nil, let peer = header["epk"].flatMap(PayloadPeer.init),
      let iv = Base64URL.decode(parts[2]), let sealed = Base64URL.decode(parts[3]),
      let tag = Base64URL.decode(parts[4]), iv.count == 12, tag.count == 16
    else { throw Refused() }
    guard let secret = key.shared(with: peer) else { throw Refused() }
    let content = try AESGCM.open(
      sealed + tag, key: contentKey(secret), nonce: iv, authenticating: Array(parts[0].utf8))
    guard let json = try? JSON(parsing: content) else { throw Refused() }
    return (json, peer)
  }

  /// Encrypts content to a key.
  static func seal(_ content: JSON, to peer: PayloadPeer) throws -> String {
    let ephemeral = AgreementKey(peer.curve)
    guard let secret = ephemeral.shared(with: peer) else { throw Refused() }
    let header: JSON = ["alg": "ECDH-ES", "enc": "A256GCM", "epk": ephemeral.point.jwk]
    let protected = Base64URL.encode(header.serializedBytes())
    let iv = Secret.randomBytes(12)
    let sealed = try AESGCM.seal(
      content.serializedBytes(), key: contentKey(secret), nonce: iv,
      authenticating: Array(protected.utf8))
    return [
      protected, "", Base64URL.encode(iv), Base64URL.encode(sealed.dropLast(16)),
      Base64URL.encode(sealed.suffix(16)),
    ].joined(separator: ".")
  }

  /// The Concat KDF (NIST SP 800-56A) for 256 bits: one round of SHA-256.
  static func contentKey(_ secret: [UInt8]) -> [UInt8] {
    let purpose = Array("A256GCM".utf8)
    // No PartyUInfo, no PartyVInfo; then the number of bits.
    return SHA256.hash(
      bigEndian(1) + secret + bigEndian(purpose.count) + purpose + bigEndian(0) + bigEndian(0)
        + bigEndian(256))
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(number >> $0 & 0xff) }
  }
}
