import JOSE
import JSON
import OpenSSL
import Primitives

enum ServerPublicKey {
  /// Reads a JWK with a key on P-256 or X25519, or 64 hexadecimal digits for X25519.
  ///
  /// The digits are the vendor's spelling of 32 bytes.
  static func read(_ text: String) -> JWK? {
    let members: JSON
    if let bytes = Hex.decode(text.utf8) {
      guard bytes.count == 32 else { return nil }
      members = ["kty": "OKP", "crv": "X25519", "x": .string(Base64URL.encode(bytes))]
    } else {
      guard let json = try? JSON(parsing: text) else { return nil }
      members = json
    }
    guard let key = try? JWK(json: members), key.incompatibility(with: .ecdhES) == nil else {
      return nil
    }
    return [.ec(.p256), .x25519].contains(key.publicKey?.kind) ? key : nil
  }
}
