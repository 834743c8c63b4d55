import HTTP
import JOSE
import OAuth
import POSIX
import Primitives
import SDKCore

/// The keys of a verification, and the algorithms that they may be used with.
struct VerificationKeys: Sendable {
  var keys: JWKSet
  let allowed: Set<JWSAlgorithm>
  /// Where newer keys may be found, if these come from a cache; `nil` otherwise.
  let published: PublishedKeys?
  /// Where they were published.
  let origin: PublishedKeys?
  /// What decrypts encrypted tokens; `nil` if no file was named.
  let decryption: KeyFile?
  /// The URL, file or other place that they came from.
  let source: String

  /// Finds the keys that the options name; without any, those of the profile's issuer.
  init(_ options: KeyOptions, _ context: Context) async throws {
    var base = JWSAlgorithm.asymmetric
    // A file may hold the keys for both.
    var decryption = try options.decryptionKey.map { try context.keyFile($0) }
    var origin: PublishedKeys?
    if let file = options.key {
      let content = try context.keyFile(file, orSecret: true)
      keys = JWKSet(keys: content.keys.keys, ignoringKeyIDs: true)
      let hasSecret = keys.keys.contains { $0.kty == "oct" }
      if hasSecret { base = Set(JWSAlgorithm.allCases).subtracting([.es256k]) }
      decryption = decryption ?? content
    } else if let file = options.jwks, !file.containsText("://") {
      keys = try Self.keySet(file, context)
    } else if let file = options.secretFile {
      keys = JWKSet(keys: [try SharedSecret(file, context).jwk], ignoringKeyIDs: true)
      base = Set(JWSAlgorithm.allCases.filter(\.isSymmetric))
    } else {
      keys = JWKSet(keys: [])
      origin = try await Self.published(options, context)
    }
    source =
      origin?.url.description ?? options.key ?? options.jwks ?? options.secretFile ?? "the profile"
    self.origin = origin
    self.decryption = decryption
    allowed = try Self.allowed(options.algorithms, of: base)
    guard let origin else {
      published = nil
      return
    }
    let current = try await origin.current()
    keys = current.keys
    published = current.isCached ? origin : nil
  }

  private static func allowed(
    _ asked: [JWSAlgorithm], of base: Set<JWSAlgorithm>
  ) throws -> Set<JWSAlgorithm> {
    guard !asked.isEmpty else { return base }
    // ES256K is allowed only by its name.
    let possible = base.contains(.es256) ? base.union([.es256k]) : base
    let allowed = possible.intersection(asked)
    guard !allowed.isEmpty else {
      throw Failure.usage(
        "the keys cannot be used with \(asked.map(\.rawValue).joined(separator: ", "))")
    }
    return allowed
  }

  private static func published(
    _ options: KeyOptions, _ context: Context
  ) async throws -> PublishedKeys {
    if let text = options.issuer {
      let issuer: Issuer
      do { issuer = try Issuer(text) } catch {
        throw Failure.usage("could not use the issuer: \(error)")
      }
      let service = try context.keyService(ofIssuer: text)
      return try await service.keys(of: issuer)
    }
    if let text = options.jwks {
      let url: HTTPURL
      do { url = try HTTPURL(text) } catch {
        throw Failure.usage("could not use the URL: \(error)")
      }
      return try context.keyService(ofIssuer: nil).keys(at: url)
    }
    let session: ProfileSession
    do {
      session = try context.session()
    } catch {
      var failure = context.failure(error)
      failure.hints.append("sdkctl token verify --issuer URL FILE")
      throw failure
    }
    return try await session.issuerKeys()
  }

  private static func keySet(_ path: String, _ context: Context) throws -> JWKSet {
    let keys = try context.keyFile(path).keys.keys.filter { $0.kty != "oct" }
    guard !keys.isEmpty else {
      throw Failure.usage(
        "could not use the key set: '\(Visible.line(path))' has only shared secrets: use --key")
    }
    return JWKSet(keys: keys)
  }
}

struct KeyOptions: Sendable, Hashable {
  var issuer: String?
  var jwks: String?
  var key: String?
  var secretFile: String?
  var algorithms: [JWSAlgorithm] = []
  /// The file with the key that decrypts encrypted tokens.
  var decryptionKey: String?
}
