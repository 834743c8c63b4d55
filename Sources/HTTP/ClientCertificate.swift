/// A client certificate for the TLS handshake, with its private key.
public struct ClientCertificate: Sendable, Hashable {
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

extension ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Redacted: a request may end up in a log.
  public var description: String { "ClientCertificate(‹redacted›)" }

  /// Redacted, as ``description``.
  public var debugDescription: String { description }

  /// Empty, so that `dump` shows no key.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
