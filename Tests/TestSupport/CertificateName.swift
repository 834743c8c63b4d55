/// The names in a certificate, as a server sends those of its authorities (RFC 8446 section 4.2.4).
package enum CertificateName {
  /// The issuer's name as DER.
  package static func issuer(ofDER certificate: [UInt8]) -> [UInt8] { field(3, of: certificate) }

  /// The subject's name as DER.
  package static func subject(ofDER certificate: [UInt8]) -> [UInt8] { field(5, of: certificate) }

  /// An element of the signed part (RFC 5280 section 4.1); 0 is the version.
  private static func field(_ index: Int, of certificate: [UInt8]) -> [UInt8] {
    var rest = content(of: content(of: certificate[...]))
    for _ in 0..<index { rest = rest.dropFirst(size(of: rest)) }
    return Array(rest.prefix(size(of: rest)))
  }

  private static func content(of element: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    element.prefix(size(of: element)).dropFirst(headSize(of: element))
  }

  private static func size(of element: ArraySlice<UInt8>) -> Int {
    let count = headSize(of: element)
    let head = Array(element.prefix(count))
    return count + (count == 2 ? Int(head[1]) : head.dropFirst(2).reduce(0) { $0 << 8 | Int($1) })
  }

  private static func headSize(of element: ArraySlice<UInt8>) -> Int {
    let length = element[element.startIndex + 1]
    return length < 0x80 ? 2 : 2 + Int(length & 0x7F)
  }
}
