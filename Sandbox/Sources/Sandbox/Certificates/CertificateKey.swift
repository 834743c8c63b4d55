import Crypto
import CryptoExtras
import X509

/// The public key of a certificate, in the form in which clients register keys.
enum CertificateKey {
  /// The key as a JWK, or nothing for kinds that cannot be registered.
  static func jwk(of certificate: Certificate) -> JSON? {
    if let key = P256.Signing.PublicKey(certificate.publicKey) {
      let point = Array(key.rawRepresentation)
      return [
        "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(point.prefix(32))),
        "y": .string(Base64URL.encode(point.suffix(32))),
      ]
    }
    if let key = _RSA.Signing.PublicKey(certificate.publicKey),
      let numbers = try? key.getKeyPrimitives()
    {
      return [
        "kty": "RSA", "n": .string(Base64URL.encode(numbers.modulus)),
        "e": .string(Base64URL.encode(numbers.publicExponent)),
      ]
    }
    if let key = Curve25519.Signing.PublicKey(certificate.publicKey) {
      return [
        "kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(key.rawRepresentation)),
      ]
    }
    return nil
  }
}
