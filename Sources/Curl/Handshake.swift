import CCurl
import OpenSSL
import Primitives

/// The chain check of one handshake, while libssl waits for its result.
struct Handshake {
  let raw: UnsafeMutableRawPointer  // <X509_STORE_CTX>

  /// libcrypto's check: signatures, validity, a trusted root.
  func verifiesChain() -> Bool { ccurl_check_chain(raw) == 1 }

  /// Ends the handshake before anything is sent on it.
  func refuse() { ccurl_check_refuse(raw) }

  /// The host that the handshake asked for (SNI); `nil` for an address.
  var serverName: String? { ccurl_check_server_name(raw).map { String(cString: $0) } }

  /// The protocol, cipher suite and application protocol that both sides have agreed on.
  var agreement: Agreement {
    var name: UnsafePointer<UInt8>?
    let length = Int(ccurl_check_alpn(raw, &name))
    let alpn = String(decoding: UnsafeBufferPointer(start: name, count: length), as: UTF8.self)
    return Agreement(
      protocol: ccurl_check_protocol(raw).map { String(cString: $0) },
      cipher: ccurl_check_cipher(raw).map { String(cString: $0) },
      alpn: length > 0 ? alpn : nil)
  }

  /// Protocol, cipher suite and application protocol of a handshake.
  struct Agreement: Sendable, Hashable {
    let `protocol`: String?
    let cipher: String?
    let alpn: String?
  }

  /// The certificates of a chain, leaf first: those of the check itself, not read again.
  func certificates(_ chain: ccurl_chain, limit: Int = .max) -> [Certificate] {
    (0..<min(Int(ccurl_chain_count(raw, chain)), limit)).compactMap { position in
      ccurl_chain_certificate(raw, chain, Int32(position))
        .flatMap { try? Certificate(retaining: OpaquePointer($0)) }
    }
  }

  /// Whether libcrypto found no trusted authority for the chain.
  var isUntrusted: Bool {
    switch ccurl_fault(rawValue: UInt32(ccurl_check_error(raw))) {
    case CCURL_SELF_SIGNED_LEAF, CCURL_SELF_SIGNED_ROOT, CCURL_ISSUER_UNKNOWN,
      CCURL_LEAF_UNVERIFIED:
      true
    default: false
    }
  }

  /// Which certificate the server may have left out of its chain.
  private func unsentIssuer(_ leaf: Certificate?) -> String {
    guard let leaf else { return "" }
    let place = leaf.issuerAddress.map { "; it is published at \($0)" } ?? ""
    return ", and the server did not send the certificate of \(leaf.issuer)\(place)"
  }

  /// Why libcrypto refused the chain, for people.
  var fault: String {
    let error = ccurl_check_error(raw)
    let depth = Int(ccurl_check_error_depth(raw))
    let path = certificates(CCURL_VALIDATED, limit: depth + 1)
    let certificate = path.count > depth ? path[depth] : nil
    let name = depth == 0 ? "the certificate" : "the certificate of an issuer"
    switch ccurl_fault(rawValue: UInt32(error)) {
    case CCURL_EXPIRED:
      return "\(name) expired\(certificate.map { " on \($0.notAfter.date)" } ?? "")"
    case CCURL_NOT_YET_VALID:
      return "\(name) is not valid before "
        + (certificate.map { $0.notBefore.date } ?? "a later day")
    case CCURL_SELF_SIGNED_LEAF: return "the certificate is self-signed and not trusted"
    case CCURL_SELF_SIGNED_ROOT: return "the root of the certificate's chain is not trusted"
    case CCURL_ISSUER_UNKNOWN, CCURL_LEAF_UNVERIFIED:
      return "the certificate's issuer is not trusted"
        + (depth == 0 ? unsentIssuer(path.first) : "")
    default:
      let text = ccurl_check_error_text(error).map { String(cString: $0) } ?? "unknown reason"
      return "\(name) was refused: \(text.uncapitalized)"
    }
  }
}
