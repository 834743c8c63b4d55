import Primitives
import SDKCore

/// What a credential plugin returns to a Kubernetes client: a token, a client certificate, or both.
struct ExecCredential {
  let version: String
  private var token: String?
  private var certificate: String?
  private var key: String?
  private var expires: Timestamp?

  init(version: String) { self.version = version }

  static let rows = Rows<ExecCredential>(
    .member("apiVersion", "the version that the client asked for") { $0.version },
    .member("kind", "`ExecCredential`, with `--json` or without") { _ in "ExecCredential" },
    .object("status", "the credential", isOptional: false, statusRows) { $0 })

  /// The client asks again when the first part expires.
  private static let statusRows = Rows<ExecCredential>(
    .member("token", "the token") { $0.token }.orAbsent,
    .member("clientCertificateData", "the certificate and its chain") { $0.certificate }.orAbsent,
    .member("clientKeyData", "its key") { $0.key }.orAbsent,
    .member("expirationTimestamp", "when the first of them expires") { $0.expires }.orAbsent)

  /// Adds a token, which may not say when it expires.
  mutating func add(_ token: String, expires: Timestamp?) {
    self.token = token
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
    (certificate, self.key) = (identity.chain.pem, key)
    expire(at: identity.chain.notAfter)
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
