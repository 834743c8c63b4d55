import CCurl
package import HTTP
package import OpenSSL
import POSIX
import Primitives

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
  /// It loops forever if an HTTP/2 server responds before it has read the body, as nginx does with a
  /// 401 (curl pull requests 11165 for 8.1.2, and 15325 for 8.11.0).
  case awaitsUnreadBody = 0x080B00

  /// Whether a version of libcurl has it; a byte each for major, minor and patch.
  func isPresent(in version: UInt32) -> Bool { version < rawValue }
}

extension TransportError.Code {
  /// What a code of libcurl means, where the transfer does not tell more; `nil` for one that
  /// libcurl 8.14 does not have, and for success.
  init?(_ code: CURLcode) {
    switch code {
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST: self = .nameNotResolved
    case CURLE_OPERATION_TIMEDOUT: self = .timeout
    case CURLE_SSL_CACERT_BADFILE: self = .caFile
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT: self = .clientCertificateRequired
    case CURLE_FILESIZE_EXCEEDED, .tooLarge: self = .tooLarge
    case CURLE_ABORTED_BY_CALLBACK: self = .cancelled
    case CURLE_WRITE_ERROR: self = .responseBodyRefused
    case CURLE_READ_ERROR, CURLE_SEND_FAIL_REWIND: self = .requestBodyFailed
    case CURLE_URL_MALFORMAT: self = .refused
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION,
      CURLE_USE_SSL_FAILED, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
      .echRequired:
      self = .tls
    case CURLE_COULDNT_CONNECT, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR,
      CURLE_RECV_ERROR, CURLE_NO_CONNECTION_AVAILABLE, CURLE_HTTP2_STREAM, CURLE_HTTP3,
      CURLE_QUIC_CONNECT_ERROR, CURLE_PROXY,
      // Also if the server closes the connection in an orderly way before it takes the request.
      CURLE_HTTP2:
      self = .connection
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
      // A response without a status line.
      CURLE_UNSUPPORTED_PROTOCOL,
      // A first header line that starts with a space, a carriage return in a name, a chunk without size.
      CURLE_BAD_FUNCTION_ARGUMENT:
      self = .malformed
    case _ where otherCodes.contains { $0.contains(code.rawValue) }: self = .unavailable
    default: return nil
    }
  }
}

/// The codes of other protocols, of options that no handle has, of a lack of memory (27), and those
/// that libcurl no longer uses.
private let otherCodes: [ClosedRange<UInt32>] = [
  2...2, 4...4, 9...15, 17...17, 19...22, 24...25, 27...27, 29...34, 36...41, 44...51, 53...54,
  57...57, 62...62, 66...76, 78...79, 81...81, 84...88, 93...94, 99...99,
]

// The codes that the header of libcurl 7.88 does not name.
extension CURLcode {
  /// `CURLE_TOO_LARGE`, of libcurl 8.6: what it keeps of a message has become too large.
  static let tooLarge = CURLcode(rawValue: 100)
  /// `CURLE_ECH_REQUIRED`, of libcurl 8.8.
  static let echRequired = CURLcode(rawValue: 101)
}

package struct AuthorityFile: Sendable {
  package let certificates: [Certificate]

  /// Reads a PEM file.
  ///
  /// - Throws: ``TransportError`` with the code `caFile`, which names the first damaged certificate: OpenSSL
  ///   trusts none of a file that has one.
  package init(_ path: String) throws(TransportError) {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try FileReader.read(path, limit: 16 << 20) } catch {
      throw Self.unusable(path, error.message)
    }
    do throws(CryptoError) {
      certificates = try Certificate.list(pem: bytes, linesOnly: true)
    } catch {
      throw Self.unusable(path, error.reasons.joined(separator: ", "))
    }
    if certificates.isEmpty { throw Self.unusable(path, "it has no certificate in PEM") }
  }

  private static func unusable(_ path: String, _ cause: String) -> TransportError {
    TransportError(.caFile, "the CA file \(VisibleText.of(path)) cannot be used: \(cause)")
  }
}
