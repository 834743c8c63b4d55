func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

func isLowerLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

/// RFC 3986 section 2.3.
func isUnreserved(_ byte: UInt8) -> Bool {
  isDigit(byte) || isLowerLetter(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    || "-._~".utf8.contains(byte)
}

func percentEncoded(_ byte: UInt8) -> String {
  "%" + String(byte >> 4, radix: 16, uppercase: true)
    + String(byte & 15, radix: 16, uppercase: true)
}

func hexValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
