public import Primitives

/// A client certificate for the TLS handshake, with its private key.
public struct ClientCertificate: Sendable, Hashable, Redacted {
  /// A private key, or the place of one.
  public enum Key: Sendable, Hashable {
    /// The key as PEM, not encrypted: a secret.
    case pem([UInt8])
    /// A key in a security token, which this process has opened, by its URI (RFC 7512).
    case securityToken(uri: String)
  }

  /// The chain as PEM, the client's own certificate first.
  public let chain: [UInt8]
  /// The private key, or where it is.
  public let key: Key

  /// Takes chain and key, which must belong together.
  public init(chain: [UInt8], key: Key) {
    self.chain = chain
    self.key = key
  }

  /// Takes a chain and its private key as PEM.
  public init(chain: [UInt8], privateKey: [UInt8]) {
    self.init(chain: chain, key: .pem(privateKey))
  }

  /// The private key as PEM, not encrypted: a secret; empty if it is in a security token.
  public var privateKey: [UInt8] {
    if case .pem(let bytes) = key { bytes } else { [] }
  }
}

/// A server's request for a client certificate, or its refusal of one.
public struct ClientCertificateRefusal: Sendable, Hashable {
  /// How the server has requested or refused a certificate.
  public enum Kind: Sendable, Hashable {
    /// The server asked, and the connection was ended.
    case requested
    /// The server sent an alert (RFC 8446 section 6.2).
    case alert(UInt8)
    /// The server closed the connection without a reason, after it had asked.
    ///
    /// That may also be trouble of the network.
    case closed
    /// The server completed the handshake and responded with that status.
    case status(Int)
  }

  /// How the server has requested or refused a certificate.
  public let kind: Kind
  /// The names of the authorities whose certificates the server accepts, in DER; empty for any.
  public let issuers: [[UInt8]]
  /// Whether something of a body that is a stream may have been read before.
  ///
  /// A server of TLS 1.3 may ask after the handshake, when it knows the path.
  public let hasSent: Bool

  /// Makes a value; without `hasSent`, what ended in the handshake has sent nothing.
  public init(_ kind: Kind, issuers: [[UInt8]] = [], hasSent: Bool? = nil) {
    self.kind = kind
    self.issuers = issuers
    self.hasSent = hasSent ?? (kind != .requested)
  }
}

extension ClientCertificateRefusal {
  /// Why the server refused the certificate, as its alert says; `nil` if that says nothing of it.
  package var cause: String? {
    guard case .alert(let alert) = kind else { return nil }
    return switch alert {
    case 40, 46: "the server does not accept it, and does not say why"
    case 42: "the server found a damaged certificate or signature"
    case 43: "it is of a kind that the server does not support"
    case 44: "it is revoked"
    case 45: "it or an issuer of it has expired"
    case 48: "the server does not know its issuer, or an issuer is missing in its chain"
    case 49: "it gives no access"
    case 51: "the server could not verify a signature"
    case 116: "the server received none"
    default: nil
    }
  }
}

extension HTTPResponse {
  /// Why nginx refused the client certificate, or its absence; `nil` for other responses.
  ///
  /// nginx completes the handshake and responds with status 400 and a page of its own, or with
  /// its statuses 495 and 496 if a configuration hands them out.
  public var certificateRefusal: String? {
    switch status {
    case 495: return Self.refusedCertificate
    case 496: return Self.missingCertificate
    case 400 where mediaType == "text/html":
      let page = String(decoding: body, as: UTF8.self)
      if page.containsText("No required SSL certificate was sent") {
        return Self.missingCertificate
      }
      return page.containsText("The SSL certificate error") ? Self.refusedCertificate : nil
    default: return nil
    }
  }

  private static let missingCertificate = "the server requires a client certificate"
  private static let refusedCertificate = "the server refused the client certificate"
}
