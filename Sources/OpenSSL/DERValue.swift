/// One value of a DER document: its tag and its content (X.690 section 8).
///
/// Only what enrolment messages use: tags of one byte, definite lengths.
package struct DERValue: Sendable, Hashable {
  package let tag: UInt8
  package let content: [UInt8]

  /// The tag of SEQUENCE and SEQUENCE OF.
  package static let sequence: UInt8 = 0x30

  /// Reads one value that fills the bytes; `nil` for anything else.
  package init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    guard let value = DERValue(from: &rest), rest.isEmpty else { return nil }
    self = value
  }

  /// The values that a constructed one holds; `nil` if it holds none or is malformed.
  package var children: [DERValue]? {
    guard tag & 0x20 != 0 else { return nil }
    var rest = content[...]
    var values: [DERValue] = []
    while !rest.isEmpty {
      guard let value = DERValue(from: &rest) else { return nil }
      values.append(value)
    }
    return values
  }

  /// The value of a small INTEGER that is not negative.
  package var integer: Int? {
    guard tag == 0x02, let first = content.first, first < 0x80, content.count <= 7 else {
      return nil
    }
    return content.reduce(0) { $0 << 8 | Int($1) }
  }

  private init?(from rest: inout ArraySlice<UInt8>) {
    guard let tag = rest.popFirst(), tag & 0x1F != 0x1F, let length = Self.length(&rest),
      length <= rest.count
    else { return nil }
    self.tag = tag
    content = Array(rest.prefix(length))
    rest = rest.dropFirst(length)
  }

  private static func length(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard let first = rest.popFirst() else { return nil }
    guard first >= 0x80 else { return Int(first) }
    let count = Int(first & 0x7F)
    guard (1...4).contains(count), rest.count >= count else { return nil }
    let length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
    rest = rest.dropFirst(count)
    return length
  }
}
