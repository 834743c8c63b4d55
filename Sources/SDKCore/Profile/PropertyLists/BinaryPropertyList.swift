import Primitives

/// Reads a binary property list: `Info.plist` of a built app (Apple's CFBinaryPList, version 00).
///
/// libplist copies each object as often as it is referred to, so that a document of some hundred bytes can fill the
/// memory. Here the number of objects is bounded, each time that one is referred to.
struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let offsets: (start: Int, size: Int, count: Int)
  private let referenceSize: Int
  private var left = 100_000

  /// Reads the document.
  ///
  /// - Throws: ``DocumentError`` for what is malformed, has more than 100,000 values or 64 levels.
  static func value(of bytes: [UInt8]) throws(DocumentError) -> PropertyList {
    guard bytes.starts(with: Array("bplist00".utf8)), bytes.count >= 40 else { throw malformed }
    let trailer = bytes.count - 32
    var reader = BinaryPropertyList(
      bytes: bytes,
      offsets: (
        try number(bytes, trailer + 24, 8), Int(bytes[trailer + 6]),
        try number(bytes, trailer + 8, 8)
      ), referenceSize: Int(bytes[trailer + 7]))
    let root = try number(bytes, trailer + 16, 8)
    return try reader.object(root, depth: 0)
  }

  private init(bytes: [UInt8], offsets: (Int, Int, Int), referenceSize: Int) {
    self.bytes = bytes
    self.offsets = offsets
    self.referenceSize = referenceSize
  }

  private static let malformed = DocumentError(cause: "the binary property list is malformed")

  /// A number of so many bytes, with the most significant first; never negative.
  private static func number(
    _ bytes: [UInt8], _ start: Int, _ size: Int
  ) throws(DocumentError) -> Int {
    guard (1...8).contains(size), start <= bytes.count - size else { throw malformed }
    let value = bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let number = Int(exactly: value) else { throw malformed }
    return number
  }

  private mutating func object(_ index: Int, depth: Int) throws(DocumentError) -> PropertyList {
    guard index < offsets.count, depth < 64, left > 0 else { throw Self.malformed }
    left -= 1
    let (place, overflow) = index.multipliedReportingOverflow(by: offsets.size)
    let (entry, second) = offsets.start.addingReportingOverflow(place)
    guard !overflow, !second else { throw Self.malformed }
    let start = try Self.number(bytes, entry, offsets.size)
    guard start < bytes.count else { throw Self.malformed }
    let (kind, low) = (bytes[start] >> 4, Int(bytes[start] & 0x0F))
    switch (kind, low) {
    case (0, 8): return .boolean(false)
    case (0, 9): return .boolean(true)
    case (1, 0...3):
      let size = 1 << low
      let value = try data(start + 1, size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      // Eight bytes are signed; fewer are not.
      return .integer(Int64(bitPattern: value))
    case (5, _):
      let (count, first) = try length(low, start)
      return .string(String(decoding: try data(first, count), as: UTF8.self))
    case (6, _):
      let (count, first) = try length(low, start)
      guard count <= bytes.count else { throw Self.malformed }
      let units = try data(first, count * 2)
      let pairs = stride(from: units.startIndex, to: units.endIndex, by: 2).map {
        UInt16(units[$0]) << 8 | UInt16(units[$0 + 1])
      }
      return .string(String(decoding: pairs, as: UTF16.self))
    case (10, _):
      let (count, first) = try length(low, start)
      var values: [PropertyList] = []
      for number in try references(first, count) {
        values.append(try object(number, depth: depth + 1))
      }
      return .array(values)
    case (13, _): return .dictionary(try members(low, start, depth))
    default: return .other("binary object")
    }
  }

  private mutating func members(
    _ low: Int, _ start: Int, _ depth: Int
  ) throws(DocumentError) -> [String: PropertyList] {
    let (count, first) = try length(low, start)
    guard count <= bytes.count else { throw Self.malformed }
    let all = try references(first, count * 2)
    var members: [String: PropertyList] = [:]
    for position in 0..<count {
      guard case .string(let key) = try object(all[position], depth: depth + 1) else {
        throw Self.malformed
      }
      guard members[key] == nil else {
        throw DocumentError(cause: "the key '\(key)' appears twice")
      }
      members[key] = try object(all[count + position], depth: depth + 1)
    }
    return members
  }

  /// The number of elements of an object, and where they begin.
  private func length(_ low: Int, _ start: Int) throws(DocumentError) -> (Int, Int) {
    guard low == 15 else { return (low, start + 1) }
    guard start + 1 < bytes.count, bytes[start + 1] >> 4 == 1 else { throw Self.malformed }
    let size = 1 << Int(bytes[start + 1] & 0x0F)
    return (try Self.number(bytes, start + 2, size), start + 2 + size)
  }

  private func data(_ start: Int, _ count: Int) throws(DocumentError) -> ArraySlice<UInt8> {
    guard start <= bytes.count - count else { throw Self.malformed }
    return bytes[start..<start + count]
  }

  private func references(_ start: Int, _ count: Int) throws(DocumentError) -> [Int] {
    guard count <= bytes.count else { throw Self.malformed }
    var numbers: [Int] = []
    for position in 0..<count {
      numbers.append(
        try Self.number(bytes, start + position * max(1, referenceSize), referenceSize))
    }
    return numbers
  }
}
