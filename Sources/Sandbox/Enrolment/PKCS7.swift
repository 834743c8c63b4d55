/// A PKCS #7 message that holds certificates and no signature ("certs-only"), in the order of the list.
enum PKCS7 {
  static func encode(_ certificates: [Certificate]) -> [UInt8] {
    let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    let content = node(
      0x30,
      node(0x02, [1]) + node(0x31, []) + node(0x30, node(0x06, data))
        + node(0xA0, certificates.flatMap(\.der)) + node(0x31, []))
    return node(0x30, node(0x06, signedData) + node(0xA0, content))
  }

  /// A value of DER with its tag.
  private static func node(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    guard content.count > 127 else { return [tag, UInt8(content.count)] + content }
    let length = withUnsafeBytes(of: content.count.bigEndian) { Array($0.drop { $0 == 0 }) }
    return [tag, 0x80 | UInt8(length.count)] + length + content
  }
}
