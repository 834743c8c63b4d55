package import OpenSSL
public import Primitives

/// The SHA-256 of a DER SubjectPublicKeyInfo (RFC 7469 section 2.4).
///
/// The module compares the keys of a host with pins. It
/// makes no connection and validates no chain: pins are an additional check.
public struct Pin: Sendable, Hashable, CustomStringConvertible {
  /// The 32 bytes.
  public let sha256: [UInt8]

  /// Takes a digest; `nil` unless it has 32 bytes.
  public init?(sha256: [UInt8]) {
    guard sha256.count == 32 else { return nil }
    self.sha256 = sha256
  }

  package init(spki: [UInt8]) throws(CryptoError) { sha256 = try Digest.sha256(spki) }

  package init(of certificate: Certificate) { sha256 = certificate.keySHA256 }

  /// Reads the common notations.
  ///
  /// `sha256//B64` (curl), `sha256/B64` (okhttp), `pin-sha256="B64"` (HPKP), bare base64 or
  /// base64url of 32 bytes with or without padding, and 64 hexadecimal digits with or
  /// without colons. White space around it is passed over.
  public init?(_ text: String) {
    var body = Substring(text).trimmed
    if let quoted = body.dropping(prefix: "pin-sha256=") {
      guard quoted.first == "\"", quoted.last == "\"" else { return nil }
      body = quoted.dropFirst().dropLast()
    } else if let rest = body.dropping(prefix: "sha256/") {
      // Base64 may begin with a slash: it is curl's second slash only if the text is not a pin with
      // it.
      body = decoded(rest) == nil && rest.first == "/" ? rest.dropFirst() : rest
    }
    guard let bytes = decoded(body) else { return nil }
    self.init(sha256: bytes)
  }

  /// The pin as okhttp writes it: `sha256/B64`.
  public var description: String { "sha256/\(base64)" }

  /// The digest in padded base64.
  public var base64: String { Base64.encode(sha256) }
}

private func decoded(_ text: Substring) -> [UInt8]? {
  let text = Array(text.utf8)
  switch text.count {
  case 43: return Base64.decode(text, alphabet: .url) ?? Base64.decode(text + [UInt8(ascii: "=")])
  case 44:
    guard text.last == UInt8(ascii: "=") else { return nil }
    return Base64.decode(text) ?? Base64.decode(text.dropLast(), alphabet: .url)
  case 64: return Hex.decode(text)
  // AA:BB:…, as certificate viewers print digests.
  case 95:
    let separated = text.enumerated().allSatisfy { $0 % 3 != 2 || $1 == UInt8(ascii: ":") }
    return separated ? Hex.decode(text.filter { $0 != UInt8(ascii: ":") }) : nil
  default: return nil
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var rest = drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }

  /// The text after the prefix, compared without regard to case; `nil` without the prefix.
  fileprivate func dropping(prefix: String) -> Substring? {
    self.prefix(prefix.count).asciiLowercased == prefix ? dropFirst(prefix.count) : nil
  }
}

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

  /// The pins among these that are the fingerprint of this key's certificate.
  public func mistakes(among pins: [Pin]) -> [PinMistake] {
    pins.filter { $0.sha256 == fingerprint }.map {
      PinMistake(given: $0, subject: subject, right: pin)
    }
  }
}

/// Where a pin came from.
///
/// Its text is the kind and the source: `server api.example.com:443`, `file ca.pem`.
public struct PinOrigin: Sendable, Hashable, CustomStringConvertible {
  /// The way a pin came into a set.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// From the validated path of a server; the source is its host and port.
    case server
    /// From a file with a certificate or a key; the source is its path.
    case file
    /// Typed as a hash.
    case value
    /// From a document of another program; the source is its format and path.
    case `import`
    /// From a signed pin set; the source is its URL.
    case update
    /// A backup key that was made here; the source is its path.
    case backup
  }

  /// The way.
  public let kind: Kind
  /// The host, path or URL.
  public let source: String?

  /// Describes an origin.
  public init(_ kind: Kind, _ source: String? = nil) {
    self.kind = kind
    self.source = source
  }

  /// Reads the text of an origin; `nil` for an unknown kind.
  public init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let word = parts.first, let kind = Kind(rawValue: String(word)) else { return nil }
    self.init(kind, parts.count == 2 ? String(parts[1]) : nil)
  }

  /// The text of the origin.
  public var description: String {
    [kind.rawValue, source].compactMap { $0 }.joined(separator: " ")
  }
}

/// A hash that was taken for a pin, although it is that of the whole certificate: its fingerprint.
public struct PinMistake: Sendable, Hashable {
  /// The hash.
  public let given: Pin
  /// The subject of the certificate.
  public let subject: String
  /// The pin of the certificate's key.
  public let right: Pin

  /// The mistake in words; the subject is safe to show.
  public var text: String {
    "\(given) is not a pin: it is the SHA-256 of the whole certificate \(subject); the pin is \(right)"
  }
}
