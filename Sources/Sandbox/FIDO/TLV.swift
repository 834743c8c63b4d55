/// One element of UAFV1TLV: tag and length, each 16 bits in little-endian, then the value.
struct TLV: Sendable {
  let tag: UInt16
  let value: ArraySlice<UInt8>
  /// Tag, length and value: what a signature covers.
  let encoded: ArraySlice<UInt8>

  /// Reads elements to the end of the bytes.
  static func all(in bytes: ArraySlice<UInt8>) throws(UAFRefusal) -> [TLV] {
    var rest = bytes
    var elements: [TLV] = []
    while !rest.isEmpty {
      guard rest.count >= 4 else { throw .content("bytes follow the last element") }
      let head = rest.prefix(4)
      let value = rest.dropFirst(4).prefix(Int(head.littleEndian(at: 2, as: UInt16.self)))
      guard value.count == head.littleEndian(at: 2, as: UInt16.self) else {
        throw .content("an element is longer than what contains it")
      }
      let encoded = rest[rest.startIndex..<value.endIndex]
      elements.append(
        TLV(tag: head.littleEndian(at: 0, as: UInt16.self), value: value, encoded: encoded))
      rest = rest[value.endIndex...]
    }
    return elements
  }

  /// Reads one element that is all there is.
  static func only(_ tag: Tag, in bytes: ArraySlice<UInt8>) throws(UAFRefusal) -> TLV {
    let elements = try all(in: bytes)
    guard elements.count == 1, elements[0].tag == tag.rawValue else {
      throw .content("the assertion is not one element \(tag)")
    }
    return elements[0]
  }

  enum Tag: UInt16, Sendable {
    case registration = 0x3E01
    case authentication = 0x3E02
    case registrationData = 0x3E03
    case signedData = 0x3E04
    case certificate = 0x2E05
    case signature = 0x2E06
    case basicFull = 0x3E07
    case surrogate = 0x3E08
    case keyID = 0x2E09
    case challengeHash = 0x2E0A
    case aaid = 0x2E0B
    case publicKey = 0x2E0C
    case counters = 0x2E0D
    case info = 0x2E0E
    case nonce = 0x2E0F
    case transactionHash = 0x2E10
    case extension_ = 0x3E12
  }
}

/// The elements of a composite by their tags: each once, no other, except extensions that may be
/// ignored.
struct TLVFields: Sendable {
  private var byTag: [TLV.Tag: ArraySlice<UInt8>] = [:]

  init(_ elements: [TLV], tags: Set<TLV.Tag>) throws(UAFRefusal) {
    for element in elements {
      let tag = TLV.Tag(rawValue: element.tag)
      if tag == .extension_ { continue }
      guard let tag, tags.contains(tag) else {
        throw .content("the tag 0x\(String(element.tag, radix: 16)) does not belong there")
      }
      guard byTag.updateValue(element.value, forKey: tag) == nil else {
        throw .content("there are two elements \(tag)")
      }
    }
    if let missing = tags.first(where: { byTag[$0] == nil }) {
      throw .content("the element \(missing) is missing")
    }
  }

  /// The value of a tag, of a length that it may have.
  func value(_ tag: TLV.Tag, _ lengths: ClosedRange<Int>) throws(UAFRefusal) -> [UInt8] {
    let value = byTag[tag] ?? []
    guard lengths.contains(value.count) else {
      throw .content("the length of the element \(tag) is wrong")
    }
    return Array(value)
  }
}

extension Collection<UInt8> where Index == Int {
  /// An unsigned number in little-endian, at an offset from the start.
  func littleEndian<T: FixedWidthInteger & UnsignedInteger>(at offset: Int, as: T.Type) -> T {
    (0..<T.bitWidth / 8).reduce(0) { $0 | T(self[startIndex + offset + $1]) << ($1 * 8) }
  }
}
