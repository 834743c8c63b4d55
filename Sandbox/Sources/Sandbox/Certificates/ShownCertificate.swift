import Crypto
import FoundationEssentials
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// The certificate that a client showed in its handshake.
///
/// The handshake proved that the client has its key; nothing else about it was judged.
struct ShownCertificate: Sendable {
  let certificate: Certificate
  let der: [UInt8]

  init(_ certificate: Certificate) throws {
    self.certificate = certificate
    var serializer = DER.Serializer()
    try certificate.serialize(into: &serializer)
    der = serializer.serializedBytes
  }

  /// Takes the certificate of a connection, if one was shown that can be read.
  init?(of channel: any Channel) async {
    guard let shown = try? await channel.nioSSL_peerCertificate().get(),
      let der = try? shown.toDERBytes(), let certificate = try? Certificate(derEncoded: der)
    else { return nil }
    self.certificate = certificate
    self.der = der
  }

  /// What tokens are bound to (RFC 8705 section 3.1).
  var thumbprint: String { Base64URL.encode(SHA256.hash(data: der)) }

  func isValid(at now: Int) -> Bool {
    let now = Date(timeIntervalSince1970: TimeInterval(now))
    return certificate.notValidBefore <= now && now <= certificate.notValidAfter
  }

  /// Whether a chain leads to one of the roots.
  func leads(to roots: [Certificate], over intermediates: [Certificate]) async -> Bool {
    var verifier = Verifier(rootCertificates: CertificateStore(roots)) { RFC5280Policy() }
    let result = await verifier.validate(
      leaf: certificate, intermediates: CertificateStore(intermediates))
    if case .validCertificate = result { return true }
    return false
  }
}
