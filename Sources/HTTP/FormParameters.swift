internal import Primitives

/// Name-value pairs in the `application/x-www-form-urlencoded` format.
///
/// Used for bodies (RFC 6749 appendix B) and for queries; order is kept and names
/// may repeat.
public struct FormParameters: Sendable, Hashable, Sequence, ExpressibleByDictionaryLiteral {
  /// One name and its value, decoded.
  public struct Pair: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String
  }

  private var pairs: [Pair] = []

  /// Makes an empty list.
  public init() {}

  /// Makes a list of pairs.
  public init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements.map { Pair(name: $0.0, value: $0.1) }
  }

  /// Reads an encoded query or body.
  ///
  /// `nil` if a `%` is not followed by two hexadecimal digits, or the decoded bytes are not UTF-8. With
  /// `takesLatin1` a value that is not UTF-8 is read as Latin-1, in which every byte is a character.
  public init?(encoded text: String, takesLatin1: Bool = false) {
    for part in text.utf8.split(separator: UInt8(ascii: "&")) {
      let halves = part.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(halves.first ?? part[...]).flatMap(Self.utf8),
        let bytes = halves.count > 1 ? decoded(halves[1]) : [],
        let value = takesLatin1 ? bytes.withUnsafeBytes(receivedText) : Self.utf8(bytes)
      else { return nil }
      pairs.append(Pair(name: name, value: value))
    }
  }

  private static func utf8(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }

  /// Whether there is no pair.
  public var isEmpty: Bool { pairs.isEmpty }

  /// Walks over the pairs in order.
  public func makeIterator() -> IndexingIterator<[Pair]> { pairs.makeIterator() }

  /// The first value of that name; setting a value replaces all, `nil` removes them.
  public subscript(name: String) -> String? {
    get { pairs.first { sameIdentifier($0.name, name) }?.value }
    set {
      pairs.removeAll { sameIdentifier($0.name, name) }
      if let newValue { pairs.append(Pair(name: name, value: newValue)) }
    }
  }

  /// All values of that name.
  public func values(of name: String) -> [String] {
    pairs.filter { sameIdentifier($0.name, name) }.map(\.value)
  }

  /// Adds a pair after the others.
  public mutating func append(_ name: String, _ value: String) {
    pairs.append(Pair(name: name, value: value))
  }

  /// The encoded form, with `%20` for a space, which every server accepts.
  public var encoded: String {
    pairs.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }.joined(separator: "&")
  }

  /// One text with everything but unreserved characters percent-encoded.
  public static func encode(_ text: String) -> String { encode(Array(text.utf8)) }

  /// Bytes of a text in any encoding, with everything but unreserved characters percent-encoded.
  package static func encode(_ bytes: [UInt8]) -> String {
    var encoded = ""
    for byte in bytes {
      if isUnreserved(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += percentEncoded(byte)
      }
    }
    return encoded
  }
}

private func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
  var bytes: [UInt8] = []
  var rest = text
  while let byte = rest.popFirst() {
    switch byte {
    case UInt8(ascii: "+"): bytes.append(0x20)
    case UInt8(ascii: "%"):
      guard let high = rest.popFirst().flatMap(\.hexValue),
        let low = rest.popFirst().flatMap(\.hexValue)
      else { return nil }
      bytes.append(high << 4 | low)
    default: bytes.append(byte)
    }
  }
  return bytes
}

/// RFC 3986 section 2.3.
func isUnreserved(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
  default: byte.isDigit || byte.isLetter
  }
}

func percentEncoded(_ byte: UInt8) -> String {
  "%" + Hex.encode([byte], uppercase: true)
}
