extension PublicKey {
  /// Why others than its owner can sign for the key; `nil` if no such reason is known.
  package var weakness: String? {
    switch parameters {
    case .rsa(let modulus, _):
      hasROCAFingerprint(modulus)
        ? "the RSA key was made by a device with the flaw ROCA (CVE-2017-15361)" : nil
    case .okp(.ed25519, let x), .okp(.ed448, let x):
      isPointOfSmallOrder(x) ? "the point of the key has a small order" : nil
    case .okp, .ec, nil: nil
    }
  }
}

/// Whether a modulus looks like a product of primes of the form `k * M + 65537^a mod M`.
///
/// M is the product of the first primes, so each residue of the modulus is a power of 65537. Of
/// other moduli, one in 200 million has this property.
private func hasROCAFingerprint(_ modulus: [UInt8]) -> Bool {
  smallPrimes.allSatisfy { prime in
    let residue = modulus.reduce(0) { ($0 << 8 | Int($1)) % prime }
    var power = 1
    for _ in 1..<prime {
      if power == residue { return true }
      power = power * 65537 % prime
    }
    return false
  }
}

/// The odd primes up to 167, without those of which every residue is a power of 65537.
private var smallPrimes: [Int] {
  [
    11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157,
  ]
}

/// Whether the point of an Edwards key (RFC 8032) has an order that divides the cofactor.
///
/// Signatures for such a point can be made for any message, without a private key.
private func isPointOfSmallOrder(_ encoded: [UInt8]) -> Bool {
  // The sign of x is in the highest bit of the last byte.
  let y = encoded.dropLast() + [(encoded.last ?? 0) & 0x7F]
  if encoded.count == 57 { return smallOrderEd448.contains(Array(y)) }
  return smallOrderEd25519.contains(Array(y))
}

/// The y coordinates of points whose order divides 8, also those not below p = 2^255 - 19.
private var smallOrderEd25519: [[UInt8]] {
  let last = { (first: UInt8) in [first] + [UInt8](repeating: 0xFF, count: 30) + [0x7F] }
  return [
    [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31),
    last(0xEC), last(0xED), last(0xEE),
    [
      0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98,
      0xF0, 0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53,
      0xFC, 0x05,
    ],
    [
      0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67,
      0x0F, 0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC,
      0x03, 0x7A,
    ],
  ]
}

/// The y coordinates of points whose order divides 4, also those not below p = 2^448 - 2^224 - 1.
private var smallOrderEd448: [[UInt8]] {
  let last = { (first: UInt8, middle: UInt8) in
    [first] + [UInt8](repeating: first == 0 || first == 1 ? 0 : 0xFF, count: 27) + [middle]
      + [UInt8](repeating: 0xFF, count: 27) + [0]
  }
  return [
    [UInt8](repeating: 0, count: 57), [1] + [UInt8](repeating: 0, count: 56),
    last(0xFE, 0xFE), last(0xFF, 0xFE), last(0x00, 0xFF),
  ]
}
