import HTTP
import JSON
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
        .identity, "could not print the identity '\(identity.name)': its key is in a security token"
      )
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
      .identity, "could not print the identity '\(name)': it expired at \(identity.chain.notAfter)",
      hints: [ShellWord.sdkctl(of: profile, "identity", "renew", name)])
  }
}

/// What a Kubernetes client sends to its credential plugin (`KUBERNETES_EXEC_INFO`).
struct ExecRequest {
  /// The version of the response, which must be that of the request.
  let version: String
  /// Whether the plugin may ask the person.
  let isInteractive: Bool
  /// The server of the cluster, if the client names it.
  let server: HTTPURL?

  init(_ text: String?) throws {
    guard let text, !text.isEmpty else {
      version = Self.versions[0]
      isInteractive = true
      server = nil
      return
    }
    guard let document = try? JSON(parsing: text), document["kind"]?.string == "ExecCredential",
      let version = document["apiVersion"]?.string
    else { throw Self.unusable("it is not an ExecCredential") }
    guard Self.versions.contains(version) else {
      throw Self.unusable("the version '\(version)' is not supported")
    }
    self.version = version
    let spec = try Self.object("spec", in: document)
    isInteractive = try Self.member("interactive", of: spec, "true or false", \.bool) ?? true
    let cluster =
      try spec.map { (spec) in try Self.object("cluster", in: spec) } ?? nil
    guard let cluster else {
      server = nil
      return
    }
    guard let address = cluster["server"]?.string, let server = HTTPURL(serverNamed: address) else {
      throw Self.unusable("the server is not a URL")
    }
    self.server = server
  }

  /// A member that is an object; `nil` if it is absent or null.
  private static func object(_ name: String, in document: JSON) throws -> JSON? {
    guard try member(name, of: document, "an object", \.object) != nil else { return nil }
    return document[name]
  }

  /// A member; `nil` if it is absent or null.
  ///
  /// One of another type is refused: what is not understood may be what limits the credential.
  private static func member<Value>(
    _ name: String, of document: JSON?, _ expected: String, _ read: (JSON) -> Value?
  ) throws -> Value? {
    guard let value = document?[name], value != .null else { return nil }
    guard let content = read(value) else { throw unusable("'\(name)' is not \(expected)") }
    return content
  }

  private static let versions = [
    "client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1",
  ]

  private static func unusable(_ cause: String) -> Failure {
    Failure.usage("could not read KUBERNETES_EXEC_INFO: \(cause)")
  }
}
