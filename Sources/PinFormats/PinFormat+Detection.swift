import Primitives

extension PinFormat {
  /// The formats, each with a text that its documents have and those before it do not.
  private static let marks: [(String, PinFormat)] = [
    ("TSKConfiguration", .trustkit), ("TSKPinnedDomains", .trustkit), ("NSPinnedDomains", .apple),
    ("<plist", .apple), ("network-security-config", .android), ("<pin-set", .android),
    ("sha256//", .curl),
  ]

  /// The format of a document, by what is in it; `nil` if it is none of those that are known.
  public static func detected(in bytes: [UInt8]) -> PinFormat? {
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") { return .json }
    let text = String(decoding: bytes.prefix(1 << 20), as: UTF8.self)
    if LinePins.isLikely(text) { return .lines }
    if let mark = marks.first(where: { text.containsText($0.0) }) { return mark.1 }
    return bytes.starts(with: Array("bplist".utf8)) ? .apple : nil
  }
}
