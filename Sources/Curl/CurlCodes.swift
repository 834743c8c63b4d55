import CCurl
import HTTP

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
