import Primitives

extension String {
  /// The text without a secret, in whatever form it was quoted.
  ///
  /// Both are compared decoded: a byte of the secret may be unencoded, percent-encoded once or
  /// twice, or, if it is a space, as `+`. Bytes are compared, not characters: a combining mark
  /// after the secret hides nothing.
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
      let mayBegin = text[position] == first || "%+".utf8.contains(text[position])
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
  guard text[start] == UInt8(ascii: "%") else { return ends }
  // `%41`, and `%2541` where a form was encoded again.
  for digits in text[start...].starts(with: "%25".utf8) ? [start + 1, start + 3] : [start + 1] {
    guard digits + 2 <= text.count, let high = text[digits].hexValue,
      let low = text[digits + 1].hexValue, high << 4 | low == byte
    else { continue }
    ends.append(digits + 2)
  }
  return ends
}
