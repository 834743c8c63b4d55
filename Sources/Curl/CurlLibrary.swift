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

  /// Whether what is loaded has a defect.
  static func has(_ defect: CurlDefect) -> Bool { defect.isPresent(in: ccurl_version_number()) }

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

/// A defect of libcurl that a transfer avoids, by the first version without it.
enum CurlDefect: UInt32 {
  /// It takes a line of 100 KiB in a header for a lack of memory; from 8.6.0 it has a code of its own.
  ///
  /// A real lack of memory after the request was sent has the same code, and neither a message nor a number
  /// of received bytes tells it from the line: it is reported as too large. Before that, it is not.
  case takesALongLineForNoMemory = 0x080600
  /// It takes all connections to a host for HTTP/2 once a status line there says so, and then sends
  /// several requests at the same time on one of HTTP/1.1: each could get the response of another.
  ///
  /// It notes for a host whether requests share connections; from 8.10.0 for each connection (curl
  /// pull request 14662).
  case sharesEveryConnection = 0x080A00
  /// It loops forever if an HTTP/2 server responds before it has read the body, as nginx does with a
  /// 401 (curl pull requests 11165 for 8.1.2, and 15325 for 8.11.0).
  case awaitsUnreadBody = 0x080B00

  /// Whether a version of libcurl has it; a byte each for major, minor and patch.
  func isPresent(in version: UInt32) -> Bool { version < rawValue }
}
