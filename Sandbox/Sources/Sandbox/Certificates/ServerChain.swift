import Crypto
import FoundationEssentials
import NIOSSL
import SwiftASN1
import X509

/// A server's certificates from leaf to root, and the leaf's key, all as PEM.
struct ServerChain: Sendable {
  let leafPEM: String
  let intermediatePEM: String
  let rootPEM: String
  let keyPEM: String

  /// What the server sends in a handshake: all but the root.
  var servedPEM: String { leafPEM + "\n" + intermediatePEM + "\n" }

  func served() throws -> [NIOSSLCertificateSource] {
    try NIOSSLCertificate.fromPEMBytes(Array(servedPEM.utf8)).map { .certificate($0) }
  }

  /// The leaf, DER.
  func leaf() throws -> [UInt8] { try ShownCertificate(Certificate(pemEncoded: leafPEM)).der }

  func privateKey() throws -> NIOSSLPrivateKeySource {
    .privateKey(try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem))
  }

  /// The pins of leaf and intermediate: `sha256/` and the base64 SHA-256 of the
  /// SubjectPublicKeyInfo (RFC 7469).
  func pins() throws -> [String] { try [Self.pin(leafPEM), Self.pin(intermediatePEM)] }

  /// Whether a chain kept from an earlier start serves for at least another day.
  func isFresh(at now: Date) -> Bool {
    guard let leaf = try? Certificate(pemEncoded: leafPEM) else { return false }
    return leaf.notValidAfter > now + 24 * 3600 && (try? served()) != nil
      && (try? privateKey()) != nil
  }

  private static func pin(_ pem: String) throws -> String {
    let key = try Certificate(pemEncoded: pem).publicKey
    let info = try key.serializeAsPEM().derBytes
    return "sha256/" + Base64.encode(SHA256.hash(data: info))
  }
}
