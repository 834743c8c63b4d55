import OpenSSL

/// SHA-256 of what names a file, or of what is compared without being kept.
func digest(of bytes: some Sequence<UInt8>) throws(SDKError) -> [UInt8] {
  try attempt { try Digest.sha256(Array(bytes)) }
}
