import Crypto
import FoundationEssentials

/// A compact JWE with ECDH-ES and A256GCM (RFC 7516, RFC 7518 section 4.6), made with swift-crypto.
enum PayloadMessage {
  /// Why a message is refused.
  struct Refused: Error {}

  /// Decrypts a message; returns its content and the key to which the answer goes.
  static func open(_ text: String, with key: PayloadKey) throws -> (JSON, PayloadPeer) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, parts[1].isEmpty,
      let header = Base64URL.decode(parts[0]).flatMap(JSON.init(parsing:)),
      header["alg"] == "ECDH-ES", header["enc"] == "A256GCM", header["zip"] == nil,
      header["crit"] == nil, let peer = header["epk"].flatMap(PayloadPeer.init),
      let iv = Base64URL.decode(parts[2]), let sealed = Base64URL.decode(parts[3]),
      let tag = Base64URL.decode(parts[4]), iv.count == 12, tag.count == 16
    else { throw Refused() }
    let box = try AES.GCM.SealedBox(
      nonce: AES.GCM.Nonce(data: iv), ciphertext: sealed, tag: tag)
    let content = try AES.GCM.open(
      box, using: contentKey(try key.shared(with: peer)), authenticating: Array(parts[0].utf8))
    guard let json = JSON(parsing: content) else { throw Refused() }
    return (json, peer)
  }

  /// Encrypts content to a key.
  static func seal(_ content: JSON, to peer: PayloadPeer) throws -> String {
    let (ephemeral, secret) = try peer.fresh()
    let header: JSON = ["alg": "ECDH-ES", "enc": "A256GCM", "epk": ephemeral.jwk]
    let protected = Base64URL.encode(header.bytes)
    let box = try AES.GCM.seal(
      content.bytes, using: contentKey(secret), authenticating: Array(protected.utf8))
    return [
      protected, "", Base64URL.encode(Array(box.nonce)), Base64URL.encode(Array(box.ciphertext)),
      Base64URL.encode(Array(box.tag)),
    ].joined(separator: ".")
  }

  /// The Concat KDF (NIST SP 800-56A) for 256 bits: one round of SHA-256.
  private static func contentKey(_ secret: SharedSecret) -> SymmetricKey {
    var hash = SHA256()
    hash.update(data: bigEndian(1))
    secret.withUnsafeBytes { hash.update(bufferPointer: $0) }
    let purpose = Array("A256GCM".utf8)
    hash.update(data: bigEndian(purpose.count) + purpose)
    // No PartyUInfo, no PartyVInfo; then the number of bits.
    hash.update(data: bigEndian(0) + bigEndian(0) + bigEndian(256))
    return SymmetricKey(data: Array(hash.finalize()))
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(number >> $0 & 0xff) }
  }
}
