internal import COpenSSL

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
