internal import Primitives

/// RFC 3986 section 2.3.
func isUnreserved(_ byte: UInt8) -> Bool {
  byte.isDigit || byte.isLetter || "-._~".utf8.contains(byte)
}

func percentEncoded(_ byte: UInt8) -> String {
  "%" + String(byte >> 4, radix: 16, uppercase: true)
    + String(byte & 15, radix: 16, uppercase: true)
}
