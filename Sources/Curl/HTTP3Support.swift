import CCurl

/// Whether a libcurl can send requests over HTTP/3 with all checks of this transport.
struct HTTP3Support: Sendable, Hashable {
  /// The version of libcurl, as in `8.14.1`.
  let version: String
  /// The version as a number, as in 0x080e01.
  let number: UInt32
  /// The libraries of HTTP/3, as in `ngtcp2/1.12.0 nghttp3/1.8.0`; `nil` if libcurl has none.
  let libraries: String?

  /// That of the libcurl that is loaded.
  static var current: HTTP3Support {
    HTTP3Support(
      version: ccurl_curl_version().map { String(cString: $0) } ?? "",
      number: ccurl_version_number(),
      libraries: ccurl_http3_version().map { String(cString: $0) })
  }

  /// Why it cannot; `nil` if it can.
  var refusal: String? {
    guard let libraries else { return "libcurl \(version) does not have HTTP/3" }
    guard number >= Self.minimum else {
      return "libcurl \(version) is too old; 8.14 or newer is required"
    }
    let names = libraries.split(separator: " ").map { $0.prefix { $0 != "/" } }
    guard !names.isEmpty, names.allSatisfy({ Self.checked.contains(String($0)) }) else {
      return "the handshakes of \(libraries) in libcurl \(version) cannot be checked"
    }
    return nil
  }

  /// The first version that was tested.
  ///
  /// Those before 7.88 do not call the function that installs
  /// the check of pins, and those before 8.2 do not number their connections.
  private static let minimum: UInt32 = 0x080E00

  /// The libraries with which libcurl calls `CURLOPT_SSL_CTX_FUNCTION`.
  ///
  /// nghttp3 is used over OpenSSL's own QUIC, which libcurl does not name, and over ngtcp2. quiche and msh3 make handshakes of their own.
  private static let checked = ["ngtcp2", "nghttp3"]
}
