import Primitives

extension String {
  /// The text without a secret, in whatever form it was quoted.
  ///
  /// Both are compared decoded: a byte of the secret may be unencoded, percent-encoded once or
  /// twice, escaped as in JSON, a character reference of HTML, or, if it is a space, `+`. Bytes are
  /// compared, not characters: a combining mark after the secret hides nothing.
  package func redacting(_ secret: String) -> String {
    let secret = Array(secret.utf8)
    guard let first = secret.first else { return self }
    let text = Array(utf8)
    var kept: [UInt8] = []
    kept.reserveCapacity(text.count)
    var position = 0
    // Server and text may be hostile: a text that almost matches everywhere would take too long.
    var budget = 1 << 20
    while position < text.count {
      if budget < 0 {
        kept += "‹redacted›".utf8
        break
      }
      let mayBegin = text[position] == first || "%+\\&".utf8.contains(text[position])
      if mayBegin, let end = endOfMatch(of: secret, in: text, at: position, &budget) {
        kept += "‹redacted›".utf8
        position = end
      } else {
        kept.append(text[position])
        position += 1
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}

/// Where the longest form of the secret ends that begins at a position; `nil` if none does.
///
/// Every compared byte costs a unit of the budget; without one left there is no match.
private func endOfMatch(
  of secret: [UInt8], in text: [UInt8], at start: Int, _ budget: inout Int
) -> Int? {
  // A percent sign may be itself or begin an encoded byte, so that several ends are possible.
  var ends: Set<Int> = [start]
  for byte in secret {
    budget -= ends.count
    ends = Set(ends.flatMap { forms(of: byte, in: text, at: $0) })
    if ends.isEmpty || budget < 0 { return nil }
  }
  return ends.max()
}

/// The positions behind each form of one byte.
private func forms(of byte: UInt8, in text: [UInt8], at start: Int) -> [Int] {
  guard start < text.count else { return [] }
  var ends: [Int] = []
  if text[start] == byte || (byte == 0x20 && text[start] == UInt8(ascii: "+")) {
    ends.append(start + 1)
  }
  switch text[start] {
  case UInt8(ascii: "%"): break
  case UInt8(ascii: "\\"): return ends + endOfEscape(of: byte, in: text[start...])
  case UInt8(ascii: "&"): return ends + endOfReference(to: byte, in: text[start...])
  default: return ends
  }
  // `%41`, and `%2541` where a form was encoded again.
  for digits in text[start...].starts(with: "%25".utf8) ? [start + 1, start + 3] : [start + 1] {
    guard digits + 2 <= text.count, let high = text[digits].hexValue,
      let low = text[digits + 1].hexValue, high << 4 | low == byte
    else { continue }
    ends.append(digits + 2)
  }
  return ends
}

/// The position behind an escape of JSON that stands for the byte (RFC 8259 section 7); else nothing.
private func endOfEscape(of byte: UInt8, in text: ArraySlice<UInt8>) -> [Int] {
  let rest = text.dropFirst()
  guard let mark = rest.first else { return [] }
  if mark == UInt8(ascii: "u") {
    let digits = rest.dropFirst().prefix(4)
    let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    return digits.count == 4 && byte < 0x80 && scalar == UInt32(byte) ? [digits.endIndex] : []
  }
  let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
    UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]
  let isItself = "\"\\/".utf8.contains(mark) && mark == byte
  return isItself || escapes[mark] == byte ? [rest.startIndex + 1] : []
}

/// The position behind a character reference that stands for the byte, such as `&amp;`, `&#39;` or
/// `&#x27;`; else nothing.
private func endOfReference(to byte: UInt8, in text: ArraySlice<UInt8>) -> [Int] {
  let name = text.dropFirst().prefix(8).prefix { $0 != UInt8(ascii: ";") }
  guard byte < 0x80, name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: ";") else {
    return []
  }
  let word = String(decoding: name, as: UTF8.self).asciiLowercased
  let named: [String: UInt32] = ["amp": 0x26, "apos": 0x27, "gt": 0x3E, "lt": 0x3C, "quot": 0x22]
  let scalar =
    word.hasPrefix("#x")
    ? UInt32(word.dropFirst(2), radix: 16)
    : word.hasPrefix("#") ? UInt32(word.dropFirst()) : named[word]
  return scalar == UInt32(byte) ? [name.endIndex + 1] : []
}
