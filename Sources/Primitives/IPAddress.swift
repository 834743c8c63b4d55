internal import CPOSIX

/// An IP address, read from its usual spellings and from no other.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// 4 bytes, or 16.
  public let bytes: [UInt8]

  /// Takes the bytes of an address; `nil` unless there are 4 or 16.
  public init?(bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Reads an address: four decimal parts, or IPv6 (RFC 4291 section 2.2) without zone and brackets.
  public init?(_ text: String) {
    // The text of C would end there.
    guard !text.utf8.contains(0) else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      count = Int(cposix_address_read(text, buffer.baseAddress))
    }
    self.init(bytes: bytes)
  }

  /// Whether it is this machine: 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
  }

  /// Dotted decimal, or the spelling of RFC 5952.
  public var description: String {
    var text = [CChar](repeating: 0, count: 46)
    cposix_address_write(bytes, Int32(bytes.count), &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
