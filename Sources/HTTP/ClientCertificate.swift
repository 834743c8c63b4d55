/// A client certificate for the TLS handshake, with its private key.
public struct ClientCertificate: Sendable, Hashable {
  /// The chain as PEM, the client's own certificate first.
  public let chain: [UInt8]
  /// The private key as PEM, not encrypted: a secret.
  public let privateKey: [UInt8]

  /// Takes chain and key, which must belong together.
  public init(chain: [UInt8], privateKey: [UInt8]) {
    self.chain = chain
    self.privateKey = privateKey
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
