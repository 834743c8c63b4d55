import JSON
import OpenSSL
import Primitives

/// An identity as its file holds it.
extension Identity {
  /// Reads the members of a document.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if a member is missing or invalid.
  init(name: IdentityName, members: JSONObject, path: StorePath) throws(SDKError) {
    func invalid(_ member: String) -> SDKError {
      StoreDocument.damage(
        path.text, "'\(member)' is missing or invalid", as: .invalidConfiguration)
    }
    func hosts(_ member: String) throws(SDKError) -> [IdentityHost]? {
      guard let value = members[member] else { return nil }
      guard let hosts = value.strings?.map({ try? IdentityHost($0) }), !hosts.contains(nil) else {
        throw invalid(member)
      }
      return hosts.compactMap { $0 }
    }
    guard let shown = try hosts("hosts") else { throw invalid("hosts") }
    let refused = try hosts("refusedBy") ?? []
    guard let pem = members["chain"]?.string,
      let chain = try? ClientCertificateChain(pem: Array(pem.utf8))
    else { throw invalid("chain") }
    guard let key = members["key"].flatMap(IdentityKey.init(stored:)) else { throw invalid("key") }
    guard let origin = members["origin"]?.string else { throw invalid("origin") }
    guard let obtainedAt = members["obtainedAt"]?.string.flatMap({ Timestamp($0) }) else {
      throw invalid("obtainedAt")
    }
    self.init(
      name: name, hosts: shown, chain: chain, key: key, origin: Origin(identifier: origin),
      obtainedAt: obtainedAt)
    refusedBy = refused
  }

  /// Sets the members of a document; others stay.
  func write(to members: inout JSONObject) {
    members["hosts"] = .strings(hosts.map(\.description))
    members["refusedBy"] =
      refusedBy.isEmpty ? nil : .strings(refusedBy.map(\.description))
    members["chain"] = .string(chain.pem)
    members["key"] = .object(key.stored)
    members["origin"] = .string(origin.description)
    members["obtainedAt"] = .string(obtainedAt.description)
  }
}

extension IdentityKey {
  /// Reads ``stored``; `nil` for anything else.
  init?(stored value: JSON) {
    if let pem = value["pem"]?.string {
      self = .pem(pem)
    } else if let text = value[SealedSecretMember.name]?.string {
      self = .pinSealed(text)
    } else if let uri = value["uri"]?.string {
      self = .securityToken(uri: uri)
    } else if let sealed = value["sealed"].flatMap(SealedSecret.init(stored:)) {
      self = .sealed(SealedIdentityKey(sealed))
    } else {
      return nil
    }
  }

  /// The key as an object with one member: `pem`, `sealed`, `pinSealed` or `uri`.
  var stored: JSONObject {
    switch self {
    case .pem(let pem): ["pem": .string(pem)]
    case .sealed(let key): ["sealed": .object(key.secret.stored)]
    case .pinSealed(let text): [SealedSecretMember.name: .string(text)]
    case .securityToken(let uri): ["uri": .string(uri)]
    }
  }
}
