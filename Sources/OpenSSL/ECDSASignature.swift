internal import COpenSSL

/// The two forms of an ECDSA signature: DER of X.509, and r‖s of JOSE (RFC 7518 section 3.4).
package enum ECDSASignature {
  /// Turns r‖s into DER; `nil` unless both halves have the length of the curve.
  package static func der(raw: [UInt8], curve: EllipticCurve) -> [UInt8]? {
    let count = curve.coordinateByteCount
    guard raw.count == 2 * count, let signature = ECDSA_SIG_new() else { return nil }
    defer { ECDSA_SIG_free(signature) }
    let halves = raw.withUnsafeBufferPointer { bytes -> (OpaquePointer?, OpaquePointer?) in
      (
        BN_bin2bn(bytes.baseAddress, Int32(count), nil),
        BN_bin2bn(bytes.baseAddress.map { $0 + count }, Int32(count), nil)
      )
    }
    guard let r = halves.0, let s = halves.1, ECDSA_SIG_set0(signature, r, s) == 1 else {
      BN_free(halves.0)
      BN_free(halves.1)
      return nil
    }
    return encodeDER { i2d_ECDSA_SIG(signature, $0) }
  }

  /// Turns DER into r‖s; `nil` if it is malformed or too large for the curve.
  package static func raw(der: [UInt8], curve: EllipticCurve) -> [UInt8]? {
    let decoded = try? decodeDER(der, as: "signature", releasing: ECDSA_SIG_free) {
      d2i_ECDSA_SIG(nil, &$0, $1)
    }
    guard let decoded else { return nil }
    defer { ECDSA_SIG_free(decoded) }
    let count = Int32(curve.coordinateByteCount)
    var raw = [UInt8](repeating: 0, count: Int(2 * count))
    let fits = raw.withUnsafeMutableBufferPointer { bytes in
      let start = bytes.baseAddress
      return BN_is_negative(ECDSA_SIG_get0_r(decoded)) == 0
        && BN_is_negative(ECDSA_SIG_get0_s(decoded)) == 0
        && BN_bn2binpad(ECDSA_SIG_get0_r(decoded), start, count) == count
        && BN_bn2binpad(ECDSA_SIG_get0_s(decoded), start.map { $0 + Int(count) }, count) == count
    }
    return fits ? raw : nil
  }

  /// Passes r‖s as DER to the body, without allocating memory.
  ///
  /// The halves have equal lengths of at most 66 bytes.
  package static func withDER<Value>(
    raw: UnsafeBufferPointer<UInt8>, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 160) { output in
      let half = min(raw.count / 2, 66)
      // Room for the header of the sequence, whose length has one byte or two.
      var end = 3
      for start in [0, half] {
        var number = UnsafeBufferPointer(rebasing: raw[start..<(start + half)])
        while number.count > 1, number[0] == 0 {
          number = UnsafeBufferPointer(rebasing: number.dropFirst())
        }
        let isPadded = !number.isEmpty && number[0] >= 0x80
        output[end] = 0x02
        output[end + 1] = UInt8(number.count + (isPadded ? 1 : 0))
        end += 2
        if isPadded {
          output[end] = 0
          end += 1
        }
        for byte in number {
          output[end] = byte
          end += 1
        }
      }
      let count = end - 3
      let start = count < 0x80 ? 1 : 0
      output[start] = 0x30
      if count < 0x80 {
        output[2] = UInt8(count)
      } else {
        output[1] = 0x81
        output[2] = UInt8(count)
      }
      return body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: output[start..<end])))
    }
  }
}
