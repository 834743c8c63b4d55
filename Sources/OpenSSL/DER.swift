import COpenSSL

/// Reads one DER structure that fills its bytes to the end.
///
/// `decode` is a `d2i_…` function over a cursor and a length; the caller owns its result.
func decodeDER(
  _ bytes: [UInt8], as noun: String, releasing release: (OpaquePointer) -> Void,
  _ decode: (inout UnsafePointer<UInt8>?, Int) -> OpaquePointer?
) throws(CryptoError) -> OpaquePointer {
  try CryptoLibrary.begin()
  var consumed = 0
  let decoded = bytes.withUnsafeBufferPointer { buffer in
    var cursor = buffer.baseAddress
    let decoded = decode(&cursor, buffer.count)
    if let cursor, let start = buffer.baseAddress { consumed = cursor - start }
    return decoded
  }
  guard let decoded else { throw CryptoError(draining: "read the \(noun)") }
  ErrorQueue.clear()
  guard consumed == bytes.count else {
    release(decoded)
    throw CryptoError("read the \(noun)", reasons: ["unexpected bytes after its end"])
  }
  return decoded
}

/// Writes one structure as DER; empty when libcrypto cannot.
///
/// `encode` is an `i2d_…` function, which allocates its output.
func encodeDER(
  _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
) -> [UInt8] {
  var output: UnsafeMutablePointer<UInt8>?
  let count = encode(&output)
  guard let output else {
    ErrorQueue.clear()
    return []
  }
  defer { copenssl_clear_free(output, Int(count)) }
  return Array(UnsafeBufferPointer(start: output, count: Int(count)))
}

/// One value of a DER document: its tag and its content (X.690 section 8).
///
/// Only what enrolment messages use: tags of one byte, definite lengths.
package struct DERValue: Sendable, Hashable {
  package let tag: UInt8
  package let content: [UInt8]

  package static let sequence: UInt8 = 0x30

  /// Reads one value that fills the bytes; `nil` for anything else.
  package init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    guard let value = DERValue(from: &rest), rest.isEmpty else { return nil }
    self = value
  }

  /// The bytes of the first of several values; empty if it is malformed.
  static func first(in bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    return DERValue(from: &rest) == nil ? [] : Array(bytes[..<rest.startIndex])
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

/// Writes the DER types that keys consist of (X.690).
enum DERWriter {
  static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element(0x30, Array(elements.joined())) }

  /// A number that is not negative, from its big-endian bytes.
  static func integer(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
    return element(0x02, digits)
  }

  static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

  static func bits(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

  static func explicit(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    element(0xA0 | number, content)
  }

  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
    var length: [UInt8] = []
    var rest = content.count
    while rest > 0 {
      length.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length + content
  }
}

extension EllipticCurve {
  /// The name of the curve in DER (RFC 5480, SEC 2).
  var objectIdentifier: [UInt8] {
    switch self {
    case .p256: [0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]
    case .p384: [0x06, 5, 0x2B, 0x81, 4, 0, 0x22]
    case .p521: [0x06, 5, 0x2B, 0x81, 4, 0, 0x23]
    case .secp256k1: [0x06, 5, 0x2B, 0x81, 4, 0, 0x0A]
    }
  }
}

/// The two forms of an ECDSA signature: DER of X.509, and r‖s of JOSE (RFC 7518 section 3.4).
package enum ECDSASignature {
  /// Turns r‖s into DER; `nil` unless both halves have the length of the curve.
  package static func der(raw: [UInt8], curve: EllipticCurve) -> [UInt8]? {
    let count = curve.coordinateByteCount
    guard raw.count == 2 * count else { return nil }
    return DERWriter.sequence([raw.prefix(count), raw.suffix(count)].map(DERWriter.integer))
  }

  /// Turns DER into r‖s; `nil` if it is malformed or too large for the curve.
  package static func raw(der: [UInt8], curve: EllipticCurve) -> [UInt8]? {
    let decoded = try? decodeDER(der, as: "signature", releasing: { crypto.ECDSA_SIG_free($0) }) {
      crypto.d2i_ECDSA_SIG(nil, &$0, $1)
    }
    guard let decoded else { return nil }
    defer { crypto.ECDSA_SIG_free(decoded) }
    let count = Int32(curve.coordinateByteCount)
    var raw = [UInt8](repeating: 0, count: Int(2 * count))
    let fits = raw.withUnsafeMutableBufferPointer { bytes in
      let start = bytes.baseAddress
      return crypto.BN_is_negative(crypto.ECDSA_SIG_get0_r(decoded)) == 0
        && crypto.BN_is_negative(crypto.ECDSA_SIG_get0_s(decoded)) == 0
        && crypto.BN_bn2binpad(crypto.ECDSA_SIG_get0_r(decoded), start, count) == count
        && crypto.BN_bn2binpad(
          crypto.ECDSA_SIG_get0_s(decoded), start.map { $0 + Int(count) }, count) == count
    }
    return fits ? raw : nil
  }
}
