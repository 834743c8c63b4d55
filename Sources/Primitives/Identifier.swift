/// A name or identifier of a protocol, as a key of dictionaries and sets: compared by its bytes.
///
/// Swift's `==` on strings compares by canonical equivalence: U+212A equals `K`, and a composed
/// letter equals the decomposed one. Two issuers, subjects or member names that differ in a byte
/// are not the same (RFC 7519 section 2, RFC 8259 section 8.3, RFC 3986 section 6.2.1).
public struct Identifier: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
  /// The identifier.
  public let text: String

  /// Makes an identifier.
  public init(_ text: String) { self.text = text }

  /// Makes an identifier.
  public init(stringLiteral value: String) { text = value }

  /// Compares the bytes.
  public static func == (left: Identifier, right: Identifier) -> Bool {
    haveSameBytes(left.text, right.text)
  }

  /// Orders by the bytes.
  public static func < (left: Identifier, right: Identifier) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}

/// Whether two identifiers have the same bytes; `nil` equals `nil` only.
package func sameIdentifier(_ left: String?, _ right: String?) -> Bool {
  switch (left, right) {
  case (let left?, let right?): haveSameBytes(left, right)
  case (nil, nil): true
  default: false
  }
}

extension [String] {
  /// Whether one of the elements has the same bytes.
  package func contains(identifier: String) -> Bool {
    contains { haveSameBytes($0, identifier) }
  }
}

private func haveSameBytes(_ one: String, _ two: String) -> Bool {
  var (one, two) = (one, two)
  return one.withUTF8 { one in two.withUTF8 { two in one.elementsEqual(two) } }
}

extension RawRepresentable where RawValue == String {
  /// The case of that name, compared by its bytes: `A128KW` is not `A128` with U+212A and `W`.
  package init?(identifier: String) {
    guard let value = Self(rawValue: identifier), sameIdentifier(value.rawValue, identifier)
    else { return nil }
    self = value
  }
}
