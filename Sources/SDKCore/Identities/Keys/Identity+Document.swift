package import JSON
import OpenSSL
import Primitives

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
