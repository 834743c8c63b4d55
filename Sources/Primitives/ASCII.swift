// Inlinable: they are called for each byte of header lines, also by other modules.
extension UInt8 {
  @inlinable package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  @inlinable package var isLowerLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }

  @inlinable package var isUpperLetter: Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }

  @inlinable package var isLetter: Bool { isLowerLetter || isUpperLetter }

  /// Whether the byte is a space or a tab.
  @inlinable package var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// Whether the byte is white space of ASCII.
  @inlinable package var isSpace: Bool { self == 0x20 || (9...13).contains(self) }

  /// The byte, or the lower-case letter if it is an upper-case one.
  @inlinable package var asciiLowercased: UInt8 { isUpperLetter ? self | 0x20 : self }

  /// The value of a hexadecimal digit; `nil` for any other byte.
  package var hexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without the white space of ASCII at their start and end.
  package var trimmingSpace: SubSequence {
    let start = drop(while: \.isSpace)
    guard let last = start.lastIndex(where: { !$0.isSpace }) else { return self[endIndex...] }
    return self[start.startIndex...last]
  }
}

extension StringProtocol {
  /// The text with `A` to `Z` in lower case, and every other character as it is.
  ///
  /// `lowercased()` also turns characters that are not ASCII into ASCII letters (U+212A into `k`),
  /// so it must not be used before a name is compared.
  package var asciiLowercased: String {
    // On the bytes of a `String`, because this is called for every header field of a response.
    var text = String(self)
    return text.withUTF8 { bytes in
      String(unsafeUninitializedCapacity: bytes.count) { lowercased in
        for (index, byte) in bytes.enumerated() { lowercased[index] = byte.asciiLowercased }
        return bytes.count
      }
    }
  }

  /// The text with its first letter in lower case, to stand inside a sentence; "CA key" stays.
  package var uncapitalized: String {
    let isName = prefix { $0 != " " }.dropFirst().contains(where: \.isUppercase)
    return isName ? String(self) : prefix(1).asciiLowercased + dropFirst()
  }

  /// The text without the spaces and tabs at its start and end.
  package var trimmingBlanks: String {
    // By scalars: a combining mark behind a space would make another character of both.
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    var rest = Substring(self).unicodeScalars.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest)
  }

  /// Whether every character is ASCII.
  package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

  /// The words of a list that spaces separate.
  package var words: [String] { split(separator: " ").map { String($0) } }
}

extension String {
  /// Reads UTF-8; `nil` if the bytes are not UTF-8.
  ///
  /// As `String(validating:as:)`, which takes ten times as long for a short text in ASCII.
  package init?(utf8 bytes: UnsafeRawBufferPointer) {
    if bytes.allSatisfy({ $0 < 0x80 }) {
      self = String(decoding: bytes, as: UTF8.self)
    } else {
      self.init(validating: bytes, as: UTF8.self)
    }
  }

  /// Whether both texts are the same but for the case of ASCII letters.
  package func equalsIgnoringCase(_ other: String) -> Bool {
    var (one, two) = (self, other)
    guard one.utf8.count == two.utf8.count else { return false }
    return one.withUTF8 { one in
      two.withUTF8 { two in
        one.indices.allSatisfy { one[$0].asciiLowercased == two[$0].asciiLowercased }
      }
    }
  }

  /// Whether the text contains another one, compared byte by byte.
  ///
  /// The library's `contains(_:)` for text brings the regular expression engine into the program: a
  /// megabyte that every process would relocate.
  package func containsText(_ other: String) -> Bool { self[...].containsText(other) }
}

extension Substring {
  /// Whether the text contains another one, compared byte by byte.
  package func containsText(_ other: String) -> Bool {
    let wanted = Array(other.utf8)
    guard let first = wanted.first else { return true }
    var rest = utf8[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: wanted) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
