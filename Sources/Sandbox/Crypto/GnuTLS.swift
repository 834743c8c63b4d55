import CGnuTLS

/// A call of GnuTLS that failed.
struct GnuTLSError: Error, CustomStringConvertible {
  let code: Int32

  var description: String { String(cString: gnutls_strerror(code)) }

  /// Throws if a call failed.
  static func check(_ code: Int32) throws(GnuTLSError) {
    if code < 0 { throw GnuTLSError(code: code) }
  }
}

extension Collection<UInt8> {
  /// Calls with the bytes as GnuTLS takes them.
  func withDatum<Result>(_ body: (inout gnutls_datum_t) -> Result) -> Result {
    var bytes = Array(self)
    let count = bytes.count
    return bytes.withUnsafeMutableBufferPointer { buffer in
      var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(count))
      return body(&datum)
    }
  }
}

/// The bytes that a call of GnuTLS allocates.
func allocated(_ call: (inout gnutls_datum_t) -> Int32) throws(GnuTLSError) -> [UInt8] {
  var datum = gnutls_datum_t()
  try GnuTLSError.check(call(&datum))
  defer { cgnutls_free(datum.data) }
  return Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
}
