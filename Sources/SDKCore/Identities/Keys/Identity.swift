public import HTTP
package import JSON
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
  init(name: IdentityName, _ document: StoredMembers) throws(SDKError) {
    func hosts(_ value: JSON) -> [IdentityHost]? {
      value.list { $0.string.flatMap { try? IdentityHost($0) } }
    }
    self.init(
      name: name, hosts: try document.required("hosts", hosts),
      chain: try document.required("chain") {
        $0.string.flatMap { try? ClientCertificateChain(pem: Array($0.utf8)) }
      },
      key: try IdentityKey(in: document),
      origin: Origin(identifier: try document.required("origin", \.string)),
      obtainedAt: try document.required("obtainedAt") { $0.string.flatMap { Timestamp($0) } })
    refusedBy = try document.optional("refusedBy", hosts) ?? []
  }

  func write(to members: inout JSONObject) {
    members["hosts"] = .strings(hosts.map(\.description))
    members["refusedBy"] =
      refusedBy.isEmpty ? nil : .strings(refusedBy.map(\.description))
    members["chain"] = .string(chain.pem)
    key.write(to: &members)
    members["origin"] = .string(origin.description)
    members["obtainedAt"] = .string(obtainedAt.description)
  }
}

extension IdentityKey {
  init(in document: StoredMembers) throws(SDKError) {
    let sealed = try document.optional(ProfileFile.sealedMember, \.object)
    if let text = sealed?["key.pem"]?.string {
      self = .passcodeSealed(text)
    } else {
      self = try document.required("key", IdentityKey.init(stored:))
    }
  }

  func write(to members: inout JSONObject) {
    members["key"] = stored.isEmpty ? nil : .object(stored)
    members[ProfileFile.sealedMember] = nil
    if case .passcodeSealed(let text) = self {
      members[ProfileFile.sealedMember] = ["key.pem": .string(text)]
    }
  }

  package init?(stored value: JSON) {
    if let pem = value["pem"]?.string {
      self = .pem(pem)
    } else if let uri = value["uri"]?.string {
      self = .securityToken(uri: uri)
    } else if let sealed = value["sealed"].flatMap(SealedSecret.init(stored:)) {
      self = .sealed(SealedIdentityKey(sealed))
    } else {
      return nil
    }
  }

  /// The key as an object with one member: `pem`, `sealed` or `uri`; without members if the passcode seals it.
  package var stored: JSONObject {
    switch self {
    case .pem(let pem): ["pem": .string(pem)]
    case .sealed(let key): ["sealed": .object(key.secret.stored)]
    case .passcodeSealed: [:]
    case .securityToken(let uri): ["uri": .string(uri)]
    }
  }
}
