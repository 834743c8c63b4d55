import CCurl
import HTTP
import OpenSSL

/// libcurl, opened by the first transport that needs it.
enum CurlLibrary {
  /// Opens libcurl once; later calls return the same result.
  static func load() throws(TransportError) {
    if let reason = ccurl_load() { throw TransportError(.unavailable, String(cString: reason)) }
    // Our functions read what libcurl checks in a handshake, so both must use the same library.
    let isShared: Bool
    do throws(CryptoError) {
      isShared = try CryptoLibrary.holds(reader: ccurl_reader())
    } catch {
      throw TransportError(.unavailable, "\(error)")
    }
    guard isShared else {
      throw TransportError(.unavailable, "libcurl uses another libcrypto than libcrypto.so.3")
    }
  }

  /// The authorities that libcurl uses by default: a file, a directory, or both.
  static var authorities: [String] {
    [ccurl_ca_file(), ccurl_ca_directory()].compactMap { $0.map { String(cString: $0) } }
  }

  /// The versions of what is loaded, as in `libcurl/8.5.0 OpenSSL/3.0.13 nghttp2/1.59.0`.
  static func version() throws(TransportError) -> String {
    try load()
    return [
      ccurl_curl_version().map { "libcurl/\(String(cString: $0))" },
      ccurl_tls_version().map { String(cString: $0) },
      ccurl_http2_version().map { "nghttp2/\(String(cString: $0))" },
    ].compactMap { $0 }.joined(separator: " ")
  }
}
