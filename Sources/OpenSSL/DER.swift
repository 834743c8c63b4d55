internal import COpenSSL

/// Reads one DER structure that fills its bytes to the end.
///
/// `decode` is a `d2i_…` function over a cursor and a length; the caller owns its result.
func decodeDER(
  _ bytes: [UInt8], as noun: String, releasing release: (OpaquePointer) -> Void,
  _ decode: (inout UnsafePointer<UInt8>?, Int) -> OpaquePointer?
) throws(CryptoError) -> OpaquePointer {
  try CryptoLibrary.begin()
  var consumed = 0
  let decoded = bytes.withUnsafeBufferPointer { buffer in
    var cursor = buffer.baseAddress
    let decoded = decode(&cursor, buffer.count)
    if let cursor, let start = buffer.baseAddress { consumed = cursor - start }
    return decoded
  }
  guard let decoded else { throw CryptoError(draining: "read the \(noun)") }
  ErrorQueue.clear()
  guard consumed == bytes.count else {
    release(decoded)
    throw CryptoError("read the \(noun)", reasons: ["unexpected bytes after its end"])
  }
  return decoded
}

/// Writes one structure as DER; empty when libcrypto cannot.
///
/// `encode` is an `i2d_…` function, which allocates its output.
func encodeDER(
  _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
) -> [UInt8] {
  var output: UnsafeMutablePointer<UInt8>?
  let count = encode(&output)
  guard count > 0, let output else {
    ErrorQueue.clear()
    return []
  }
  defer { copenssl_clear_free(output, Int(count)) }
  return Array(UnsafeBufferPointer(start: output, count: Int(count)))
}
