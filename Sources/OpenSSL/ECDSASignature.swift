internal import COpenSSL

/// The two forms of an ECDSA signature: DER of X.509, and r‖s of JOSE (RFC 7518 section 3.4).
package enum ECDSASignature {
  /// Turns r‖s into DER; `nil` unless both halves have the length of the curve.
  package static func der(raw: [UInt8], curve: EllipticCurve) -> [UInt8]? {
    let count = curve.coordinateByteCount
    guard raw.count == 2 * count, (try? CryptoLibrary.begin()) != nil,
      let signature = crypto.ECDSA_SIG_new()
    else { return nil }
    defer { crypto.ECDSA_SIG_free(signature) }
    let halves = raw.withUnsafeBufferPointer { bytes -> (OpaquePointer?, OpaquePointer?) in
      (
        crypto.BN_bin2bn(bytes.baseAddress, Int32(count), nil),
        crypto.BN_bin2bn(bytes.baseAddress.map { $0 + count }, Int32(count), nil)
      )
    }
    guard let r = halves.0, let s = halves.1, crypto.ECDSA_SIG_set0(signature, r, s) == 1 else {
      crypto.BN_free(halves.0)
      crypto.BN_free(halves.1)
      return nil
    }
    return encodeDER { crypto.i2d_ECDSA_SIG(signature, $0) }
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
