internal import COpenSSL
internal import Synchronization

/// libcrypto, opened by the first call that needs it.
package enum CryptoLibrary {
  /// Opens libcrypto, if it is not open yet.
  package static func load() throws(CryptoError) {
    guard let reason = copenssl_load() else { return }
    throw CryptoError("load libcrypto", reasons: [String(cString: reason)])
  }

  /// Whether that is the function of this name in the libcrypto that is used here.
  package static func holds(_ function: UnsafeRawPointer?, named name: String) -> Bool {
    function != nil && function == copenssl_function(name)
  }

  /// Sets the function that ends the process, with a reason, if libcrypto cannot be used.
  package static func whenMissing(_ end: @escaping @Sendable (String) -> Never) {
    ending.withLock { $0 = end }
    copenssl_on_missing(libraryIsMissing)
  }

  fileprivate static let ending = Mutex<(@Sendable (String) -> Never)?>(nil)
}

private func libraryIsMissing(_ reason: UnsafePointer<CChar>?) {
  let end = CryptoLibrary.ending.withLock { $0 }
  end?(reason.map { String(cString: $0) } ?? "unknown reason")
}
