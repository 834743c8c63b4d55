public import HTTP
import JSON
import OpenSSL
public import Primitives

/// A client certificate with its chain and its private key, kept for a host.
public struct Identity: Sendable, Hashable {
  /// Where an identity comes from.
  public enum Origin: Sendable, Hashable {
    /// A person imported it.
    case imported
    /// Made here: a self-signed certificate.
    case selfSigned
    /// Obtained from an enrolment service: `est`, `sap`, `sls` or `command`, or a name of the program's own.
    case obtained(by: String)
  }

  /// Its name, unique in the profile.
  public let name: IdentityName
  /// The hosts that it is shown to; none if it is used by name only.
  public var hosts: [IdentityHost]
  /// Its certificate, and those of its issuers.
  public let chain: ClientCertificateChain
  /// Its private key, or where it is.
  public var key: IdentityKey
  /// Where it comes from.
  public let origin: Origin
  /// When it was obtained or imported.
  public let obtainedAt: Timestamp
  /// The hosts that refused it and got another identity: it is set aside for them.
  public internal(set) var refusedBy: [IdentityHost] = []
  /// What opened its sealed key: what takes its place is sealed with it too.
  var passphrase: OpeningPassphrase?

  /// Makes an identity; ``ClientCertificateChain/requireKey(_:)`` compares certificate and key.
  public init(
    name: IdentityName, hosts: [IdentityHost], chain: ClientCertificateChain, key: IdentityKey,
    origin: Origin, obtainedAt: Timestamp
  ) {
    self.name = name
    self.hosts = hosts
    self.chain = chain
    self.key = key
    self.origin = origin
    self.obtainedAt = obtainedAt
  }

  /// The certificate and key for a request; `nil` while the key is sealed, or its security token is not open.
  public var clientCertificate: ClientCertificate? {
    switch key {
    case .pem(let pem):
      ClientCertificate(chain: Array(chain.pem.utf8), privateKey: Array(pem.utf8))
    case .securityToken(let uri) where SecurityTokenKeys.opened(uri) != nil:
      ClientCertificate(chain: Array(chain.pem.utf8), key: .securityToken(uri: uri))
    case .sealed, .passcodeSealed, .securityToken: nil
    }
  }
}

extension Identity {
  /// Whether a service issued it, which can issue another one.
  var isObtained: Bool {
    if case .obtained = origin { return true }
    return false
  }
}

extension Identity.Origin: CustomStringConvertible {
  /// The word for it: `import`, `self-signed`, or the name of the enrolment service.
  public var description: String {
    switch self {
    case .imported: "import"
    case .selfSigned: "self-signed"
    case .obtained(let service): service
    }
  }

  init(identifier: String) {
    self =
      switch identifier {
      case "import": .imported
      case "self-signed": .selfSigned
      default: .obtained(by: identifier)
      }
  }
}

extension Identity {
  init(
    name: IdentityName, _ fields: StoredFields, _ value: Identity? = nil
  ) throws(SDKError) {
    self.init(
      name: name, hosts: try fields.required("hosts", value?.hosts, .list(of: .host)),
      chain: try fields.required("chain", value?.chain, .chain),
      key: try IdentityKey(in: fields, value?.key),
      origin: try fields.required(
        "origin", value?.origin, .form("a word") { .init(identifier: $0) }),
      obtainedAt: try fields.required("obtainedAt", value?.obtainedAt, .date))
    refusedBy = try fields.list("refusedBy", value?.refusedBy, .list(of: .host))
  }
}

extension IdentityKey {
  /// The key as two members of which there is one: itself, or what a passcode has sealed of it.
  init(in fields: StoredFields, _ value: IdentityKey?) throws(SDKError) {
    var sealed: String?
    if case .passcodeSealed(let text) = value { sealed = text }
    sealed = try fields.sealed("key.pem", sealed)
    let key = try fields.optional("key", sealed == nil ? value : nil, .key)
    guard let key = sealed.map({ .passcodeSealed($0) }) ?? key else {
      throw fields.invalid("key", "is missing")
    }
    self = key
  }
}

extension StoredType<IdentityKey> {
  /// The key as an object with one member.
  package static var key: Self {
    Self(
      name: "an object with 'pem', 'sealed' or 'uri'",
      read: { (json, fields, name) throws(SDKError) in
        if let pem = json["pem"]?.string { return .pem(pem) }
        if let uri = json["uri"]?.string { return .securityToken(uri: uri) }
        guard let sealed = json["sealed"] else { return nil }
        return .sealed(SealedIdentityKey(try fields.read(sealed, name + ".sealed", .object)))
      },
      write: { key in
        switch key {
        case .pem(let pem): ["pem": .string(pem)]
        case .sealed(let key): ["sealed": .object(key.secret.stored)]
        case .securityToken(let uri): ["uri": .string(uri)]
        case .passcodeSealed: nil
        }
      })
  }
}

extension StoredType<IdentityHost> {
  static var host: Self { .form("a host") { try? IdentityHost($0) } }
}

extension StoredType<ClientCertificateChain> {
  static var chain: Self {
    Self(
      "certificates in PEM",
      { $0.string.flatMap { try? ClientCertificateChain(pem: Array($0.utf8)) } },
      { .string($0.pem) })
  }
}
