/// A tag of UAFV1TLV (FIDO UAF Registry of Predefined Values 1.1).
package enum TLVTag {
  package static let registrationAssertion: UInt16 = 0x3E01
  package static let authenticationAssertion: UInt16 = 0x3E02
  package static let keyRegistrationData: UInt16 = 0x3E03
  package static let signedData: UInt16 = 0x3E04
  package static let attestationCertificate: UInt16 = 0x2E05
  package static let signature: UInt16 = 0x2E06
  package static let attestationBasicFull: UInt16 = 0x3E07
  package static let attestationBasicSurrogate: UInt16 = 0x3E08
  package static let keyID: UInt16 = 0x2E09
  package static let finalChallengeHash: UInt16 = 0x2E0A
  package static let aaid: UInt16 = 0x2E0B
  package static let publicKey: UInt16 = 0x2E0C
  package static let counters: UInt16 = 0x2E0D
  package static let assertionInfo: UInt16 = 0x2E0E
  package static let nonce: UInt16 = 0x2E0F
  package static let transactionContentHash: UInt16 = 0x2E10
  package static let `extension`: UInt16 = 0x3E11
  package static let nonCriticalExtension: UInt16 = 0x3E12
}

/// One element: a tag and a length of two bytes each, little-endian, and the value.
package struct TLV: Sendable, Hashable {
  package let tag: UInt16
  package let value: [UInt8]

  /// Makes an element; its value has at most 65535 bytes.
  package init(_ tag: UInt16, _ value: [UInt8]) throws(UAFError) {
    guard value.count <= Int(UInt16.max) else {
      throw .malformed("the element \(Self.name(tag)) has more than 65535 bytes")
    }
    self.tag = tag
    self.value = value
  }

  /// Makes an element of elements, in their order.
  package init(_ tag: UInt16, of elements: [TLV]) throws(UAFError) {
    try self.init(tag, elements.flatMap(\.encoded))
  }

  /// Tag, length and value.
  package var encoded: [UInt8] {
    tag.littleEndianBytes + UInt16(value.count).littleEndianBytes + value
  }

  /// Reads elements that fill the bytes.
  ///
  /// - Throws: ``UAFError`` for an element that is cut off, and for bytes after the last one.
  package static func elements(of bytes: [UInt8]) throws(UAFError) -> [TLV] {
    var elements: [TLV] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard rest.count >= 4 else { throw .malformed("the assertion has \(rest.count) stray bytes") }
      let tag = UInt16(littleEndian: rest.prefix(2))
      let count = Int(UInt16(littleEndian: rest.dropFirst(2).prefix(2)))
      rest = rest.dropFirst(4)
      guard rest.count >= count else {
        throw .malformed("the element \(name(tag)) of the assertion is cut off")
      }
      elements.append(try TLV(tag, Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
    }
    return elements
  }

  /// A tag as the specification writes it.
  static func name(_ tag: UInt16) -> String {
    let digits = String(tag, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}

/// The elements of a composite, each of which must be taken exactly once.
struct TLVReader {
  private var elements: [TLV]
  private let tag: UInt16

  /// Reads the elements of a composite.
  init(_ composite: TLV) throws(UAFError) {
    tag = composite.tag
    elements = try TLV.elements(of: composite.value)
  }

  /// Takes the one element of a tag; their order is free.
  mutating func take(_ wanted: UInt16) throws(UAFError) -> TLV {
    guard let index = elements.firstIndex(where: { $0.tag == wanted }) else {
      throw .malformed("the element \(TLV.name(tag)) has no \(TLV.name(wanted))")
    }
    return elements.remove(at: index)
  }

  /// Takes all elements of a tag, in their order; `nil` if there is none.
  mutating func takeAll(_ wanted: UInt16) -> [TLV]? {
    let found = elements.filter { $0.tag == wanted }
    elements.removeAll { $0.tag == wanted }
    return found.isEmpty ? nil : found
  }

  /// Takes the one element of a tag, whose value has a number of bytes.
  mutating func take(_ wanted: UInt16, count: ClosedRange<Int>) throws(UAFError) -> [UInt8] {
    let value = try take(wanted).value
    guard count.contains(value.count) else {
      throw .malformed("the element \(TLV.name(wanted)) has \(value.count) bytes")
    }
    return value
  }

  /// Refuses elements that were not taken: of an unknown tag, or repeated.
  ///
  /// An extension that is not critical is passed over.
  func end() throws(UAFError) {
    if let other = elements.first(where: { $0.tag != TLVTag.nonCriticalExtension }) {
      throw .malformed("the element \(TLV.name(tag)) has an unexpected \(TLV.name(other.tag))")
    }
  }
}

extension FixedWidthInteger {
  /// The bytes, the least significant one first.
  var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }

  /// Reads as many bytes as the number has, the least significant one first.
  init(littleEndian bytes: some Collection<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | Self($1) }
  }
}
