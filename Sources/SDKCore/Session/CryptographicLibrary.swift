import OpenSSL

/// The library that computes digests and signatures, opened when it is first needed.
public enum CryptographicLibrary {
  /// Sets what ends the process if the library is needed and cannot be used; it is called with the
  /// reason.
  ///
  /// Without it, the process ends with one line on standard error.
  public static func whenMissing(_ end: @escaping @Sendable (String) -> Never) {
    CryptoLibrary.whenMissing(end)
  }
}
