/// Reads the claims of a token without building a document.
///
/// It accepts a part of JSON only: objects without repeated names, strings of ASCII without
/// escapes, whole numbers as times. What it accepts means the same as ``JSON`` makes of it; for
/// anything else the caller uses that.
struct ClaimScanner {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  private(set) var expiration: Int64?
  private(set) var notBefore: Int64?
  private(set) var issuedAt: Int64?
  private(set) var issuer: Bytes?
  private(set) var subject: Bytes?
  private(set) var authorizedParty: Bytes?
  private(set) var nonce: Bytes?
  private(set) var audienceCount = 0
  /// Whether one of the expected audiences was found.
  private(set) var hasAudience = false

  private let bytes: Bytes
  private let audiences: [[UInt8]]
  private var position = 0

  /// Scans the claims; `nil` for what must be read by ``JSON``.
  init?(_ bytes: Bytes, audiences: [[UInt8]]) {
    self.bytes = bytes
    self.audiences = audiences
    guard skip(UInt8(ascii: "{")), claims() else { return nil }
    skipSpace()
    guard position == bytes.count else { return nil }
  }

  private mutating func claims() -> Bool {
    var names = Names()
    if skip(UInt8(ascii: "}")) { return true }
    while true {
      guard let name = string(), names.insert(name), skip(UInt8(ascii: ":")),
        claim(name)
      else { return false }
      if skip(UInt8(ascii: ",")) { continue }
      return skip(UInt8(ascii: "}"))
    }
  }

  /// Reads the value of a claim; a registered one must have the right type (RFC 7519 section 4.1).
  private mutating func claim(_ name: Bytes) -> Bool {
    switch name.count {
    case 3:
      switch (name[0], name[1], name[2]) {
      case (0x65, 0x78, 0x70): return time { $0.expiration = $1 }
      case (0x6E, 0x62, 0x66): return time { $0.notBefore = $1 }
      case (0x69, 0x61, 0x74): return time { $0.issuedAt = $1 }
      case (0x69, 0x73, 0x73): return text { $0.issuer = $1 }
      case (0x73, 0x75, 0x62): return text { $0.subject = $1 }
      case (0x61, 0x7A, 0x70): return text { $0.authorizedParty = $1 }
      case (0x61, 0x75, 0x64): return audience()
      default: return value(depth: 1)
      }
    case 5 where equal(name, "nonce"): return text { $0.nonce = $1 }
    default: return value(depth: 1)
    }
  }

  private mutating func text(_ store: (inout ClaimScanner, Bytes) -> Void) -> Bool {
    guard let text = string() else { return false }
    store(&self, text)
    return true
  }

  private mutating func time(_ store: (inout ClaimScanner, Int64) -> Void) -> Bool {
    skipSpace()
    let start = position
    var value: Int64 = 0
    while position < bytes.count, case let digit = bytes[position] &- 0x30, digit < 10 {
      value = value * 10 + Int64(digit)
      position += 1
      // More digits than a time of this era has.
      if position - start > 11 { return false }
    }
    // A leading zero, a fraction and an exponent are read by `JSON`.
    guard position > start, bytes[start] != 0x30, value < 253_402_300_800, isValueEnd else {
      return false
    }
    store(&self, value)
    return true
  }

  private var isValueEnd: Bool {
    guard position < bytes.count else { return false }
    let byte = bytes[position]
    return byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || isSpace(byte)
  }

  private mutating func audience() -> Bool {
    guard skip(UInt8(ascii: "[")) else { return oneAudience() }
    if skip(UInt8(ascii: "]")) { return true }
    while true {
      guard oneAudience() else { return false }
      if skip(UInt8(ascii: ",")) { continue }
      return skip(UInt8(ascii: "]"))
    }
  }

  private mutating func oneAudience() -> Bool {
    guard let name = string() else { return false }
    audienceCount += 1
    hasAudience = hasAudience || audiences.contains { equal(name, $0) }
    return true
  }

  /// Skips any value.
  private mutating func value(depth: Int) -> Bool {
    skipSpace()
    guard position < bytes.count, depth < 16 else { return false }
    switch bytes[position] {
    case UInt8(ascii: "\""): return string() != nil
    case UInt8(ascii: "{"):
      position += 1
      var names = Names()
      if skip(UInt8(ascii: "}")) { return true }
      while true {
        guard let name = string(), names.insert(name), skip(UInt8(ascii: ":")),
          value(depth: depth + 1)
        else { return false }
        if skip(UInt8(ascii: ",")) { continue }
        return skip(UInt8(ascii: "}"))
      }
    case UInt8(ascii: "["):
      position += 1
      if skip(UInt8(ascii: "]")) { return true }
      while true {
        guard value(depth: depth + 1) else { return false }
        if skip(UInt8(ascii: ",")) { continue }
        return skip(UInt8(ascii: "]"))
      }
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    case UInt8(ascii: "n"): return word("null")
    default: return number()
    }
  }

  /// Skips a whole number.
  private mutating func number() -> Bool {
    let start = position
    while position < bytes.count, bytes[position] &- 0x30 < 10 { position += 1 }
    let count = position - start
    guard count > 0, count == 1 || bytes[start] != 0x30, position < bytes.count else {
      return false
    }
    return ![UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(bytes[position])
  }

  private mutating func word(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard position + count <= bytes.count,
      (0..<count).allSatisfy({ bytes[position + $0] == word.utf8Start[$0] })
    else { return false }
    position += count
    return true
  }

  /// A string without escapes, of printable ASCII.
  private mutating func string() -> Bytes? {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
    position += 1
    let start = position
    position += plainByteCount(UnsafeBufferPointer(rebasing: bytes[start...]))
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let text = Bytes(rebasing: bytes[start..<position])
        position += 1
        return text
      }
      guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") else { return nil }
      position += 1
    }
    return nil
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while position < bytes.count, isSpace(bytes[position]) { position += 1 }
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

/// The names of an object, to find a repeated one.
private struct Names {
  private var names: [ClaimScanner.Bytes] = []

  init() { names.reserveCapacity(16) }

  /// Adds a name; `false` if it is there already, or if there are many.
  mutating func insert(_ name: ClaimScanner.Bytes) -> Bool {
    guard names.count < 64 else { return false }
    for other in names where equal(other, name) { return false }
    names.append(name)
    return true
  }
}

/// How many bytes at the start are certainly part of a string: printable ASCII without quotation
/// marks and backslashes.
///
/// Eight bytes are looked at together; the rest is left to the caller.
private func plainByteCount(_ text: UnsafeBufferPointer<UInt8>) -> Int {
  let bytes = UnsafeRawBufferPointer(text)
  let ones: UInt64 = 0x0101_0101_0101_0101
  var count = 0
  while count + 8 <= bytes.count {
    let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: count, as: UInt64.self))
    var stops = word | (word &- 0x20 &* ones) & ~word
    // A byte that is equal becomes 0, and the subtraction sets its highest bit.
    let (quote, backslash, delete) = (word ^ 0x22 &* ones, word ^ 0x5C &* ones, word ^ 0x7F &* ones)
    stops |= (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
    stops |= (delete &- ones) & ~delete
    stops &= 0x80 &* ones
    guard stops == 0 else { return count + (stops.trailingZeroBitCount >> 3) }
    count += 8
  }
  return count
}

/// Whether both have the same bytes.
func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  let (one, other) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
  var index = 0
  while index + 8 <= left.count {
    guard
      one.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        == other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    else { return false }
    index += 8
  }
  while index < left.count {
    guard left[index] == right[index] else { return false }
    index += 1
  }
  return true
}

func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: [UInt8]) -> Bool {
  right.withUnsafeBufferPointer { equal(left, $0) }
}

private func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: StaticString) -> Bool {
  equal(left, UnsafeBufferPointer(start: right.utf8Start, count: right.utf8CodeUnitCount))
}
