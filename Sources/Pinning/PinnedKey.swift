package import OpenSSL
public import Primitives

/// What a pinned key is in a chain.
public enum PinRole: String, Sendable, Hashable, CaseIterable {
  /// The key of the server itself.
  case leaf
  /// The key of an authority between server and root.
  case intermediate
  /// The key of a trust anchor.
  case root
  /// A key kept for the next rotation, in no chain yet.
  case backup
}

extension PinRole {
  /// What the key of a certificate is in a chain: `leaf`, unless basicConstraints make it an authority.
  package init(of certificate: Certificate) {
    self = !certificate.isAuthority ? .leaf : certificate.isSelfSigned ? .root : .intermediate
  }
}

/// A pin with what is known about it.
public struct PinnedKey: Sendable, Hashable {
  /// The pin.
  public let pin: Pin
  /// What the key stood for when it was pinned; it matches anywhere in the chain.
  public var role: PinRole
  /// The subject or file it came from.
  public var label: String?
  /// When it was pinned.
  public var added: Timestamp?
  /// What the operator of the profile wants to say about it.
  public var comment: String?
  /// Where it came from.
  public var origin: PinOrigin?
  /// The last second of its certificate when it was pinned.
  public var notAfter: Timestamp?
  /// The type and size of the key: `RSA 2048 bits`, `EC P-256`, `Ed25519`.
  public var keyType: String?

  /// Describes a pinned key.
  public init(
    pin: Pin, role: PinRole, label: String? = nil, added: Timestamp? = nil, comment: String? = nil,
    origin: PinOrigin? = nil, notAfter: Timestamp? = nil, keyType: String? = nil
  ) {
    self.pin = pin
    self.role = role
    self.label = label
    self.added = added
    self.comment = comment
    self.origin = origin
    self.notAfter = notAfter
    self.keyType = keyType
  }
}

/// A key of a chain that a server presented and that was validated.
public struct ChainKey: Sendable, Hashable {
  /// The subject of its certificate.
  public let subject: String
  /// The pin of its key.
  public let pin: Pin
  /// Where in the chain it is.
  public let role: PinRole
  /// SHA-256 of the whole certificate, which is not a pin; empty if unknown.
  public let fingerprint: [UInt8]

  /// Describes a key of a chain.
  public init(subject: String, pin: Pin, role: PinRole, fingerprint: [UInt8] = []) {
    self.subject = subject
    self.pin = pin
    self.role = role
    self.fingerprint = fingerprint
  }
}
