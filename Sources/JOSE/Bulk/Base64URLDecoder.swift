/// Decodes base64url into a buffer that is used again.
///
/// A table for each place of four digits has the bits at the places where they belong in three
/// bytes, so that a group is decoded with four lookups.
struct Base64URLDecoder {
  private var buffer = [UInt8](repeating: 0, count: 4096)
  /// Four tables of 256 rows.
  private let tables: [UInt32]

  init() {
    var tables = [UInt32](repeating: Self.outside, count: 1024)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for (number, digit) in digits.utf8.enumerated() {
      let (value, row) = (UInt32(number), Int(digit))
      tables[row] = value << 2
      tables[256 + row] = value >> 4 | (value & 0xF) << 12
      tables[512 + row] = (value >> 2) << 8 | (value & 3) << 22
      tables[768 + row] = value << 16
    }
    self.tables = tables
  }

  /// Marks a character outside the alphabet.
  private static let outside: UInt32 = 0x8000_0000

  /// Passes the decoded bytes to the body; `nil` if the text is not strict base64url.
  mutating func decode<Value>(
    _ text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value? {
    guard text.count & 3 != 1, text.count > 0 else { return nil }
    // A group is written as four bytes, the last of which is overwritten by the next group.
    if buffer.count < text.count + 4 {
      buffer = [UInt8](repeating: 0, count: text.count + 4)
    }
    return tables.withUnsafeBufferPointer { tables -> Value? in
      buffer.withUnsafeMutableBufferPointer { output -> Value? in
        guard let count = Self.decode(text, tables, UnsafeMutableRawBufferPointer(output)) else {
          return nil
        }
        return body(UnsafeBufferPointer(rebasing: output[..<count]))
      }
    }
  }

  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>, _ tables: UnsafeBufferPointer<UInt32>,
    _ output: UnsafeMutableRawBufferPointer
  ) -> Int? {
    let input = UnsafeRawBufferPointer(text)
    var seen: UInt32 = 0
    var written = 0
    var index = 0
    while index + 4 <= text.count {
      let group = UInt32(
        littleEndian: input.loadUnaligned(fromByteOffset: index, as: UInt32.self))
      let bits =
        tables[Int(group & 0xFF)] | tables[256 + Int(group >> 8 & 0xFF)]
        | tables[512 + Int(group >> 16 & 0xFF)] | tables[768 + Int(group >> 24)]
      seen |= bits
      output.storeBytes(of: bits.littleEndian, toByteOffset: written, as: UInt32.self)
      written += 3
      index += 4
    }
    guard index < text.count else { return seen & outside == 0 ? written : nil }
    let third = index + 2 < text.count
    let bits =
      tables[Int(text[index])] | tables[256 + Int(text[index + 1])]
      | (third ? tables[512 + Int(text[index + 2])] : 0)
    // No bit may be set behind the last byte.
    guard (seen | bits) & outside == 0, bits >> (third ? 16 : 8) == 0 else { return nil }
    output.storeBytes(of: bits.littleEndian, toByteOffset: written, as: UInt32.self)
    return written + (third ? 2 : 1)
  }
}
