import CCurl
package import HTTP
package import OpenSSL
package import Pinning
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

/// A TLS connection, while one of its callbacks runs.
struct TLSConnection {
  let raw: UnsafeMutableRawPointer  // <SSL>

  var serverName: String? { ccurl_server_name(raw).map { String(cString: $0) } }

  /// Whether there is a client certificate to show.
  var hasCertificate: Bool { ccurl_has_certificate(raw) == 1 }

  /// The names of the authorities whose client certificates the server accepts, in DER.
  var issuers: [[UInt8]] {
    (0..<Int(ccurl_issuer_count(raw))).map { position in
      let length = max(0, Int(ccurl_issuer_der(raw, Int32(position), nil)))
      return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        count = max(0, Int(ccurl_issuer_der(raw, Int32(position), buffer.baseAddress)))
      }
    }
  }
}

/// A server's request for a client certificate.
struct IdentityRequest: Sendable, Hashable {
  let issuers: [[UInt8]]
  /// Whether the handshake was ended for it.
  let endedHandshake: Bool
}

/// The certificates of a server in a handshake, and the result of their check.
package struct ServedChain: Sendable {
  package let served: [Certificate]
  /// The validated path from leaf to root; empty when the check failed.
  package let validated: [Certificate]
  /// Why the chain or the host name was refused; `nil` when they were not.
  package let verificationError: String?
  /// Whether it was refused because no trusted authority has issued it.
  package let lacksAuthority: Bool
  /// The OCSP response that the server sent along (RFC 6066 section 8), in DER; `nil` for none.
  package let staple: [UInt8]?
  /// The connection and the times of the handshake.
  package var metrics: TransferMetrics?
}

/// A client certificate whose private key is in a security token that this process has opened.
///
/// libcurl takes keys from files and memory only, so it is put into the TLS connection when the server asks.
struct SecurityTokenCertificate: Sendable {
  private let chain: [Certificate]
  private let key: PrivateKey

  /// - Throws: ``TransportError/Code/clientCertificateRequired`` if the security token has
  ///   not been opened.
  init?(_ certificate: ClientCertificate?, host: String) throws(TransportError) {
    guard let certificate, case .securityToken(let uri) = certificate.key else { return nil }
    guard let key = SecurityTokenKeys.opened(uri),
      let chain = try? Certificate.list(pem: certificate.chain)
    else {
      throw TransportError(
        .clientCertificateRequired, "the security token of the client certificate is not open",
        host: host)
    }
    self.chain = chain
    self.key = key
  }

  /// Shows certificates and key to the server; `false` if OpenSSL does not accept them.
  func show(on connection: TLSConnection) -> Bool {
    chain.enumerated().allSatisfy { position, certificate in
      let der = certificate.der
      return ccurl_show_certificate(connection.raw, der, der.count, position == 0 ? 1 : 0) == 1
    } && key.withHandle { ccurl_show_key(connection.raw, $0) == 1 }
  }
}

/// The pins of one server, and what happens if its chain does not match.
struct PinRule: Sendable {
  let host: String
  let port: UInt16
  /// The pins; `nil` if nothing is pinned.
  let set: PinSet?
  /// Whether a server without a pinned key is refused.
  let isEnforced: Bool
  /// When the request began: pins that expire later hold for it.
  let time: Timestamp
  private let report: (@Sendable (PinFailure) -> Void)?

  init(
    _ host: String, _ port: UInt16, isProxy: Bool = false, in configuration: TransportConfiguration
  ) {
    self.host = host
    self.port = port
    set = configuration.pins.set(for: host, port: port, isProxy: isProxy)
    isEnforced = (set?.policy ?? configuration.pinPolicy) == .enforce
    time = configuration.now()
    report = configuration.pinReport
  }

  /// Whether there are pins, and they have not expired.
  var isUsable: Bool { self.set?.isExpired(at: time) == false }

  /// What the pins say about a validated path, leaf first.
  func verdict(of path: [Certificate]) -> PinVerdict {
    set?.verdict(of: ChainKey.path(path), host: host, at: time) ?? .notPinned
  }

  func report(_ verdict: PinVerdict, of path: [Certificate] = []) {
    report?(
      PinFailure(
        verdict, host: host, port: port, certificates: path.map(\.der), isEnforced: isEnforced))
  }
}

extension PinVerdict {
  /// The verdict for the metrics of a transfer.
  package var outcome: PinOutcome {
    switch self {
    case .matched: .matched
    case .mismatch: .mismatched
    case .expired, .notPinned: .unpinned
    }
  }
}
