import Arguments
import JOSE
import JSON

/// To whom a token is encrypted, as it is typed.
struct EncryptionChoice: Sendable {
  var readerFile: String?
  var management: JWEAlgorithm?
  var content: JWEEncryption?

  /// The key of the reader; `nil` if the token is not encrypted.
  func recipient(_ context: Context) throws -> Recipient? {
    guard let readerFile else { return nil }
    let keys = try context.keyFile(readerFile).entries.map(\.jwk)
    var cause: JOSEError?
    for key in keys {
      do throws(JOSEError) {
        return try Recipient(key, management, content)
      } catch {
        cause = cause ?? error
      }
    }
    throw Failure(
      .configuration, .keyInvalid,
      "could not encrypt to the key: \(cause?.message ?? "there is none")")
  }

  /// A key that can be encrypted to, and how.
  struct Recipient {
    private let key: JWK
    private let algorithm: JWEAlgorithm
    private let content: JWEEncryption

    fileprivate init(
      _ key: JWK, _ algorithm: JWEAlgorithm?, _ content: JWEEncryption?
    ) throws(JOSEError) {
      self.key = key
      self.algorithm = if let algorithm { algorithm } else { try JWEAlgorithm.usual(for: key) }
      self.content = content ?? JWEEncryption.usual(for: key, self.algorithm)
      if let incompatibility = key.incompatibility(with: self.algorithm, self.content) {
        throw JOSEError(.keyUnsuitable, incompatibility)
      }
    }

    /// Encrypts a signed token (RFC 7519 section 5.2).
    func encrypt(_ token: String) throws(JOSEError) -> String {
      try JWE.encrypt(Array(token.utf8), to: key, algorithm, content, header: ["cty": "JWT"])
    }
  }
}
