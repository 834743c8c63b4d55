import Arguments
import JOSE
import JSON

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
    throw Failure(
      .configuration, .keyInvalid,
      "could not encrypt to the key: \(cause?.message ?? "there is none")")
  }
}
