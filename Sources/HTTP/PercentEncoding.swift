internal import Primitives

/// RFC 3986 section 2.3.
func isUnreserved(_ byte: UInt8) -> Bool {
  byte.isDigit || byte.isLetter || "-._~".utf8.contains(byte)
}

func percentEncoded(_ byte: UInt8) -> String {
  "%" + Hex.encode([byte], uppercase: true)
}
