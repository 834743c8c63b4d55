import JOSE
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
      return try Self.using { () throws(JOSEError) in
        try TokenSigner(secret: jwk, algorithm: algorithm)
      }
    }
    guard let keyFile else {
      throw Failure.usage(
        "one of --key, --key-uri and --secret-file is missing",
        hints: ["sdkctl token jwk --generate ES256 --output key.jwk"])
    }
    let entry = try entry(of: try context.keyFile(keyFile))
    return try Self.using { () throws(JOSEError) in try TokenSigner(entry, algorithm: algorithm) }
  }

  /// The one key that can sign, or that of the key ID.
  private func entry(of file: KeyFile) throws -> KeyFile.Entry {
    var entries = file.entries
    if let kid { entries = entries.filter { sameIdentifier($0.jwk.kid, kid) } }
    guard let first = entries.first else {
      throw Self.failure("no key of the file has the ID '\(Visible.line(kid ?? ""))'")
    }
    guard entries.count > 1 else { return first }
    let usable = entries.filter { (try? TokenSigner($0, algorithm: algorithm)) != nil }
    guard usable.count == 1 else {
      throw Self.failure(
        usable.isEmpty
          ? "no key of the file can sign"
          : "\(usable.count) keys of the file can sign: choose one with --kid")
    }
    return usable[0]
  }

  private static func using<Value>(_ body: () throws(JOSEError) -> Value) throws -> Value {
    do throws(JOSEError) {
      return try body()
    } catch {
      throw failure(error.message)
    }
  }

  private static func failure(_ cause: String) -> Failure {
    Failure(.configuration, .keyInvalid, "could not use the key: \(cause)")
  }
}
