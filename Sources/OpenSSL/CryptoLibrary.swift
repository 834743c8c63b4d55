import COpenSSL
import Primitives

/// libcrypto, opened by the first call that needs it.
package enum CryptoLibrary {
  /// Opens libcrypto, if it is not open yet, and removes the errors of earlier calls.
  ///
  /// Comes before the first call of every operation that has no key, certificate or other object of
  /// libcrypto: whoever has one has opened the library.
  static func begin() throws(CryptoError) {
    if let reason = copenssl_load() {
      throw CryptoError("load libcrypto", reasons: [String(cString: reason)])
    }
    crypto.ERR_clear_error()
  }

  /// The version of what is loaded, as in `OpenSSL 3.0.17 1 Jul 2025`.
  package static func version() throws(CryptoError) -> String {
    try begin()
    return crypto.OpenSSL_version(OPENSSL_VERSION).map { String(cString: $0) } ?? "unknown"
  }

  /// Whether the function `d2i_X509` of another library is that of the libcrypto that is used here.
  package static func holds(reader function: UnsafeRawPointer?) throws(CryptoError) -> Bool {
    try begin()
    return unsafeBitCast(crypto.d2i_X509, to: UnsafeRawPointer?.self) == function
  }
}

/// The functions of libcrypto, which is open.
var crypto: copenssl_functions {
  @inline(__always) unsafeAddress { copenssl_functions() }
}

/// What libcrypto could not do, and why.
///
/// Making one empties the error queue of the thread.
package struct CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    case other
    case encryptedKey
    /// A password or passphrase that opens nothing, or that is missing.
    case wrongPassword
    /// An algorithm that is used only if the caller allows it.
    case legacyAlgorithm
    /// A password that needs more computation than anybody uses; it was not done.
    case costly
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

/// Throws what libcrypto says of a call that did not succeed; `operation` is the attempt, as in "could not …".
func require(_ isDone: Bool, to operation: @autoclosure () -> String) throws(CryptoError) {
  if !isDone { throw CryptoError(draining: operation()) }
}

/// Returns what a call of libcrypto has made.
func require<Value>(
  _ made: Value?, to operation: @autoclosure () -> String
) throws(CryptoError) -> Value {
  guard let made else { throw CryptoError(draining: operation()) }
  return made
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

struct MemoryBIO: ~Copyable {
  let raw: OpaquePointer  // <BIO>

  init(for operation: String) throws(CryptoError) {
    try CryptoLibrary.begin()
    let bio = try require(crypto.BIO_new(crypto.BIO_s_mem()), to: operation)
    raw = bio
  }

  deinit { crypto.BIO_free_all(raw) }

  var bytes: [UInt8] {
    var count = 0
    let start = copenssl_bio_bytes(raw, &count)
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  func write(_ bytes: [UInt8]) -> Bool {
    var written = 0
    return bytes.isEmpty
      || (crypto.BIO_write_ex(raw, bytes, bytes.count, &written) == 1
        && written == bytes.count)
  }
}
