import JSON
import Primitives
import SDKCore

/// What a credential plugin returns to a Kubernetes client: a token, a client certificate, or both.
struct ExecCredential {
  private var members: [String: JSON] = [:]
  private var expires: Timestamp?

  /// Adds a token, which may not say when it expires.
  mutating func add(_ token: String, expires: Timestamp?) {
    members["token"] = .string(token)
    expire(at: expires)
  }

  /// Adds a certificate with its chain and its key, which is not sealed.
  ///
  /// - Throws: a failure if the key is in a security token.
  mutating func add(_ identity: Identity) throws {
    guard case .pem(let key) = identity.key else {
      throw Failure(
        .identity, .identity,
        "could not print the identity '\(identity.name)': its key is in a security token")
    }
    members["clientCertificateData"] = .string(identity.chain.pem)
    members["clientKeyData"] = .string(key)
    expire(at: identity.chain.notAfter)
  }

  /// The member `status` of the response; the client asks again when the first part expires.
  var status: JSON {
    var members = members
    members["expirationTimestamp"] = expires.map { .string($0.description) }
    return .object(JSONObject(members.map { ($0.key, $0.value) }))
  }

  private mutating func expire(at end: Timestamp?) {
    guard let end else { return }
    expires = min(expires ?? end, end)
  }
}

extension CredentialHelper {
  /// An identity that can be used now, its key unsealed.
  func identity(_ name: IdentityName) async throws -> Identity {
    let store = session.identities.store()
    let identity = try await store.unsealed(try store.identity(named: name))
    guard identity.condition(at: context.now()) == .expired else { return identity }
    throw Failure(
      .identity, .identity,
      "could not print the identity '\(name)': it expired at \(identity.chain.notAfter)",
      hints: [ShellWord.sdkctl(of: profile, "identity", "renew", name)])
  }
}
