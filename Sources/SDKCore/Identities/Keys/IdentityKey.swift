package import OpenSSL
import Primitives

/// The private key of an identity, or where it is.
public enum IdentityKey: Sendable, Hashable {
  /// The key as PEM (PKCS #8), not encrypted: a secret.
  case pem(String)
  /// The key, encrypted under a passphrase.
  case sealed(SealedIdentityKey)
  /// The key, encrypted to the key pair of the profile's seal, which its passcode opens.
  case passcodeSealed(String)
  /// A key in a security token, by its URI (RFC 7512).
  case securityToken(uri: String)
}

/// A private key under a passphrase: scrypt and AES-256-GCM.
public struct SealedIdentityKey: Sendable, Hashable {
  package let secret: SealedSecret

  package init(_ secret: SealedSecret) { self.secret = secret }

  /// Decrypts the key.
  ///
  /// - Returns: the key as PEM; `nil` if the passphrase is wrong.
  /// - Throws: ``SDKError/Code/unavailable`` if the memory that scrypt needs is missing.
  public func pem(openedWith passphrase: [UInt8]) throws(SDKError) -> String? {
    try attempt {
      try Sealing.open(secret, with: passphrase, purpose: Self.purpose)
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }

  package static func sealing(
    _ pem: String, with passphrase: [UInt8], cost: ScryptCost = .standard
  ) throws(SDKError) -> SealedIdentityKey {
    try attempt {
      SealedIdentityKey(
        try Sealing.seal(Array(pem.utf8), with: passphrase, purpose: purpose, cost: cost))
    }
  }

  private static let purpose = "identity key"
}

/// The passphrase that opened a sealed key; no text shows it.
struct OpeningPassphrase: Sendable, Hashable, Redacted {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

extension IdentityKey {
  /// The URI of a key in a security token (RFC 7512); `nil` for any other.
  public var uri: String? {
    if case .securityToken(let uri) = self { return uri }
    return nil
  }

  /// Whether the key is in a security token.
  public var isInSecurityToken: Bool { uri != nil }

  /// Whether the key is encrypted under a passphrase of its own.
  public var isSealed: Bool {
    if case .sealed = self { return true }
    return false
  }

  /// The key, sealed under a passphrase; unchanged without a passphrase, or if it is not PEM.
  ///
  /// scrypt runs on a thread of its own, and to its end: the key may have no other copy.
  func sealed(with passphrase: [UInt8]?) async throws(SDKError) -> IdentityKey {
    guard let passphrase, case .pem(let pem) = self else { return self }
    return .sealed(
      try await toItsEnd { () throws(SDKError) in
        try SealedIdentityKey.sealing(pem, with: passphrase)
      })
  }

  /// Whether the key is not in the store as it is: sealed, or in a security token.
  var isElsewhere: Bool {
    if case .pem = self { return false }
    return true
  }
}

extension IdentityKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Where the key is, without the key.
  public var description: String {
    switch self {
    case .pem: "file"
    case .sealed: "sealed file"
    case .passcodeSealed: "file sealed under the passcode"
    case .securityToken: "security token"
    }
  }

  /// As ``description``: a value may end up in a log.
  public var debugDescription: String { description }

  /// Empty, so that `dump` shows no key.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
