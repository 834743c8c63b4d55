internal import COpenSSL
internal import Primitives

/// What libcrypto could not do, and why.
///
/// Making one empties the error queue of the thread.
package struct CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The failures that callers tell apart.
  package enum Kind: Sendable, Hashable {
    case other
    /// A private key under a passphrase.
    case encryptedKey
    /// A password or passphrase that opens nothing, or that is missing.
    case wrongPassword
    /// An algorithm that is used only if the caller allows it.
    case legacyAlgorithm
    /// A password that needs more computation than anybody uses; it was not done.
    case costly
    /// Bytes that are not in the format.
    case malformed
    /// A key store that only Java reads.
    case javaKeyStore
  }

  package let kind: Kind
  /// The attempt, as in "could not …": `read the certificate`.
  package let operation: String
  /// The causes, innermost first; lower case, without secrets.
  package let reasons: [String]

  package init(_ operation: String, reasons: [String], kind: Kind = .other) {
    self.kind = kind
    self.operation = operation
    self.reasons = reasons
  }

  /// A file whose password needs too many iterations.
  static func costly(_ operation: String) -> CryptoError {
    CryptoError(
      operation, reasons: ["its password needs more than 10,000,000 iterations"], kind: .costly)
  }

  static func withoutLegacy(_ operation: String) -> CryptoError {
    CryptoError(
      operation, reasons: ["libcrypto has no provider of the old algorithms ('legacy')"])
  }

  static func legacy(_ operation: String) -> CryptoError {
    CryptoError(
      operation, reasons: ["it is encrypted with an old algorithm"], kind: .legacyAlgorithm)
  }

  /// Takes the causes from libcrypto's error queue.
  init(draining operation: String) {
    self.init(operation, reasons: ErrorQueue.drain())
  }

  package var description: String {
    reasons.isEmpty
      ? "could not \(operation)" : "could not \(operation): \(reasons.joined(separator: ", "))"
  }
}

/// The error queue that libcrypto keeps for each thread.
enum ErrorQueue {
  /// Removes the errors of earlier calls, so that later ones belong to the next call.
  static func clear() { if copenssl_load() == nil { crypto.ERR_clear_error() } }

  /// Empties the queue and returns the reasons without repetition.
  static func drain() -> [String] {
    var reasons: [String] = []
    while case let code = crypto.ERR_get_error(), code != 0 {
      let reason =
        crypto.ERR_reason_error_string(code).map { String(cString: $0) }
        ?? "error \(code) of libcrypto"
      if !reasons.contains(reason.uncapitalized) { reasons.append(reason.uncapitalized) }
    }
    return reasons
  }
}
