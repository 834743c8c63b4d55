/// The parts of a DER SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7).
package enum SubjectPublicKeyInfo {
  /// The content of its BIT STRING, without the count of unused bits.
  ///
  /// A pin is the hash of the whole structure; some tools print the hash of this part.
  ///
  /// - Returns: `nil` if the bytes are not such a structure.
  package static func keyBits(of spki: [UInt8]) -> [UInt8]? {
    guard let whole = element(spki[...], tag: 0x30), whole.rest.isEmpty,
      let algorithm = element(whole.content, tag: 0x30),
      let bits = element(algorithm.rest, tag: 0x03), bits.rest.isEmpty, bits.content.first == 0
    else { return nil }
    return Array(bits.content.dropFirst())
  }

  /// Reads one element with a definite length, and what follows it.
  private static func element(
    _ bytes: ArraySlice<UInt8>, tag: UInt8
  ) -> (content: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    var rest = bytes
    guard rest.popFirst() == tag, let first = rest.popFirst() else { return nil }
    var length = Int(first)
    if first >= 0x80 {
      let count = Int(first & 0x7F)
      guard (1...3).contains(count), rest.count >= count else { return nil }
      length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(count)
    }
    guard rest.count >= length else { return nil }
    return (rest.prefix(length), rest.dropFirst(length))
  }
}

extension Certificate {
  /// The bits of its key without their type; `nil` if they cannot be found.
  package var keyBits: [UInt8]? { SubjectPublicKeyInfo.keyBits(of: spki) }
}
