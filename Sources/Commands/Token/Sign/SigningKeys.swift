import Arguments
import JOSE
import JSON
import POSIX
import Primitives
import SDKCore

/// The key that signs a token: of a file, a security token, or a shared secret.
struct SigningKeyChoice: Sendable {
  var keyFile: String?
  var uri: String?
  var secretFile: String?
  /// The key of the file, if it has several.
  var kid: String?
  /// What it signs with; `nil` for what the key says.
  var algorithm: JWSAlgorithm?

  /// Loads the key; a PIN is asked for if it is needed.
  func signer(_ context: Context) async throws -> TokenSigner {
    if let uri {
      var options = try context.options()
      try context.askForIdentities(&options)
      return try await SecurityTokenAccess(pin: options.identityPIN).signer(
        at: uri, algorithm: algorithm)
    }
    if let secretFile {
      let jwk = try SharedSecret(secretFile, context).jwk
      return try Failure.usingKey { () throws(JOSEError) in
        try TokenSigner(secret: jwk, algorithm: algorithm)
      }
    }
    guard let keyFile else {
      throw Failure.usage(
        "one of --key, --key-uri and --secret-file is missing",
        hints: ["sdkctl token jwk --generate ES256 --output key.jwk"])
    }
    let entry = try entry(of: try context.keyFile(keyFile, orSecret: true))
    return try Failure.usingKey { () throws(JOSEError) in
      try TokenSigner(entry, algorithm: algorithm)
    }
  }

  /// The one key that can sign, or that of the key ID.
  private func entry(of file: KeyFile) throws -> KeyFile.Entry {
    var entries = file.entries
    if let kid { entries = entries.filter { sameIdentifier($0.jwk.kid, kid) } }
    guard let first = entries.first else {
      throw Failure.unusableKey("no key of the file has the ID '\(Visible.line(kid ?? ""))'")
    }
    guard entries.count > 1 else { return first }
    let usable = entries.filter { (try? TokenSigner($0, algorithm: algorithm)) != nil }
    guard usable.count == 1 else {
      throw Failure.unusableKey(
        usable.isEmpty
          ? "no key of the file can sign"
          : "\(usable.count) keys of the file can sign: choose one with --kid")
    }
    return usable[0]
  }
}

/// To whom a token is encrypted, as it is typed.
struct EncryptionChoice: Sendable {
  var readerFile: String?
  var management: JWEAlgorithm?
  var content: JWEEncryption?

  /// Encrypts a signed token (RFC 7519 section 5.2) to the first key of the file that can be encrypted to; `nil`
  /// without a file.
  func encryption(_ context: Context) throws -> ((String) throws(JOSEError) -> String)? {
    guard let readerFile else { return nil }
    var cause: JOSEError?
    for key in try context.keyFile(readerFile).entries.map(\.jwk) {
      do throws(JOSEError) {
        let algorithm = if let management { management } else { try JWEAlgorithm.usual(for: key) }
        let content = content ?? JWEEncryption.usual(for: key, algorithm)
        if let incompatibility = key.incompatibility(with: algorithm, content) {
          throw JOSEError(.keyUnsuitable, incompatibility)
        }
        return { (token) throws(JOSEError) in
          try JWE.encrypt(Array(token.utf8), to: key, algorithm, content, header: ["cty": "JWT"])
        }
      } catch {
        cause = cause ?? error
      }
    }
    throw Failure(.keyInvalid, "could not encrypt to the key: \(cause?.message ?? "there is none")")
  }
}
