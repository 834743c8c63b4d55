import TestSupport

@testable import OpenSSL

struct KeyTests {
  private static let kinds: [(KeyKind, SignatureAlgorithm)] = [
    (.rsa(bits: 2048), .rsaPKCS1(.sha256)), (.rsa(bits: 2048), .rsaPKCS1(.sha512)),
    (.rsa(bits: 2048), .rsaPSS(.sha256)), (.rsa(bits: 2048), .rsaPSS(.sha384)),
    (.ec(.p256), .ecdsa(.sha256)), (.ec(.p384), .ecdsa(.sha384)), (.ec(.p521), .ecdsa(.sha512)),
    (.ed25519, .eddsa), (.ed448, .eddsa),
  ]

  @Test("a key of each kind signs, and verifies only what it signed", arguments: kinds)
  func signatures(kind: KeyKind, algorithm: SignatureAlgorithm) throws {
    let key = try PrivateKey.generate(kind)
    #expect(key.kind == kind)
    let publicKey = try key.publicKey
    #expect(publicKey.kind == kind)
    let message = Array("the message".utf8)
    let signature = try key.sign(message, algorithm)
    for _ in 0..<3 {
      #expect(publicKey.verify(signature: signature, message: message, algorithm))
      #expect(!publicKey.verify(signature: signature, message: message + [0], algorithm))
      #expect(!publicKey.verify(signature: signature, message: [], algorithm))
      #expect(!publicKey.verify(signature: [], message: message, algorithm))
    }
    let other = try PrivateKey.generate(kind).publicKey
    #expect(!other.verify(signature: signature, message: message, algorithm))
    var dice = Dice(state: 3)
    for _ in 0..<200 {
      let mutated = dice.mutated(signature)
      guard mutated != signature else { continue }
      #expect(!publicKey.verify(signature: mutated, message: message, algorithm))
    }
    #expect(try key.sign([], algorithm).isEmpty == false)
  }

  @Test("keys survive their encodings", arguments: kinds.map(\.0) + [.x25519, .x448])
  func encodings(kind: KeyKind) throws {
    let key = try PrivateKey.generate(kind)
    let publicKey = try key.publicKey
    #expect(try PrivateKey(der: key.pkcs8).publicKey == publicKey)
    #expect(try PrivateKey(pem: Array(key.pem.utf8)).publicKey == publicKey)
    #expect(try PublicKey(spki: publicKey.spki) == publicKey)
    #expect(try KeyMaterial.items(in: Array(publicKey.pem.utf8)).map(\.spki) == [publicKey.spki])
    let again = try PublicKey(#require(publicKey.parameters))
    #expect(again == publicKey)
    #expect(again.kind == kind)
    #expect(again.spki == publicKey.spki)
    #expect(again.parameters == publicKey.parameters)
    // The private number is elsewhere, as that of a security token; each of the two is freed by one owner.
    let half = PrivateKey(adopting: Unmanaged.passRetained(again).takeUnretainedValue().raw)
    #expect(half.parameters == nil)
  }

  @Test("equal keys have equal hashes, however they are encoded")
  func identity() throws {
    let key = try PrivateKey.generate(.ec(.p256)).publicKey
    guard case .ec(_, let x, let y) = key.parameters else { throw Unmet("no point") }
    // SEC 1 section 2.3.3: the x coordinate, and whether y is even or odd.
    let compressed: [UInt8] =
      [
        0x30, 0x39, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
        0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x22, 0x00, 2 + (y[31] & 1),
      ] + x
    let same = try PublicKey(spki: compressed)
    #expect(same.spki != key.spki)
    #expect(same == key)
    #expect(Set([same, key]).count == 1)
    #expect(try PrivateKey.generate(.ec(.p256)).publicKey != key)
    #expect(try PrivateKey.generate(.ed25519).publicKey != key)
  }

  @Test("a key does not verify with the algorithm of another kind", arguments: kinds)
  func foreignAlgorithms(kind: KeyKind, algorithm: SignatureAlgorithm) throws {
    let key = try PrivateKey.generate(kind)
    let message = Array("m".utf8)
    let signature = try key.sign(message, algorithm)
    let publicKey = try key.publicKey
    for other in Self.kinds.map(\.1) where other != algorithm {
      // The digest is no part of an EdDSA key, but it is of every other algorithm.
      #expect(!publicKey.verify(signature: signature, message: message, other))
      guard !other.fits(kind) else { continue }
      #expect(throws: CryptoError.self) { try key.sign(message, other) }
    }
  }

  @Test("an RSA signature that is shorter than the modulus is refused")
  func shortSignature() throws {
    let key = try PrivateKey.generate(.rsa(bits: 1024))
    let publicKey = try key.publicKey
    for attempt in 0..<8192 {
      let message = Array("\(attempt)".utf8)
      let signature = try key.sign(message, .rsaPSS(.sha256))
      guard signature.first == 0 else { continue }
      #expect(publicKey.verify(signature: signature, message: message, .rsaPSS(.sha256)))
      let short = Array(signature.dropFirst())
      #expect(!publicKey.verify(signature: short, message: message, .rsaPSS(.sha256)))
      #expect(!publicKey.verify(signature: [0] + signature, message: message, .rsaPSS(.sha256)))
      return
    }
    Issue.record("no signature began with zero")
  }

  @Test("numbers that are not an RSA key are refused")
  func badRSA() throws {
    let key = try PrivateKey.generate(.rsa(bits: 2048)).publicKey
    guard case .rsa(let modulus, let exponent) = key.parameters else {
      throw Unmet("no RSA parameters")
    }
    #expect(exponent == [1, 0, 1])
    let even = modulus.dropLast() + [modulus[modulus.count - 1] & 0xFE]
    let table: [([UInt8], [UInt8])] = [
      ([], exponent), (modulus, []), (modulus, [1]), (modulus, [2]), (Array(even), exponent),
      ([0xFF], exponent), ([UInt8](repeating: 0xFF, count: 2049), exponent),
      (modulus, [UInt8](repeating: 0xFF, count: 9)),
    ]
    for (n, e) in table {
      #expect(throws: CryptoError.self) { try PublicKey(.rsa(modulus: n, exponent: e)) }
    }
    #expect(try PublicKey(.rsa(modulus: [0] + modulus, exponent: exponent)) == key)
  }

  @Test("points that are not on the curve are refused", arguments: EllipticCurve.allCases)
  func badPoint(curve: EllipticCurve) throws {
    let whole = try PrivateKey.generate(.ec(curve))
    guard case .ec(_, let x, let y, let d) = whole.parameters else { throw Unmet("no numbers") }
    let key = try whole.publicKey
    let count = curve.coordinateByteCount
    let zero = [UInt8](repeating: 0, count: count)
    var flipped = y
    flipped[count - 1] ^= 1
    let table: [([UInt8], [UInt8])] = [
      (x, flipped), (zero, zero), (x, zero), ([UInt8](repeating: 0xFF, count: count), y),
      (Array(x.dropLast()), x.suffix(1) + y), (x, Array(y.dropLast())), ([0] + x, y), ([], []),
    ]
    for (x, y) in table {
      #expect(throws: CryptoError.self) { try PublicKey(.ec(curve, x: x, y: y)) }
    }
    for other in EllipticCurve.allCases where other != curve {
      #expect(throws: CryptoError.self) { try PublicKey(.ec(other, x: x, y: y)) }
    }
    #expect(try PublicKey(.ec(curve, x: x, y: y)) == key)
    #expect(throws: CryptoError.self) { try PrivateKey(.ec(curve, x: x, y: y, d: [0] + d)) }
  }

  @Test("octet keys of the wrong length are refused", arguments: OctetKeyCurve.allCases)
  func badOctetKey(curve: OctetKeyCurve) {
    for count in [0, 31, 33, 55, 58] {
      #expect(throws: CryptoError.self) {
        try PublicKey(.okp(curve, x: [UInt8](repeating: 9, count: count)))
      }
    }
  }

  @Test("ECDSA signatures change their form and back", arguments: EllipticCurve.allCases)
  func ecdsaForms(curve: EllipticCurve) throws {
    let key = try PrivateKey.generate(.ec(curve))
    for index in 0..<50 {
      let der = try key.sign([UInt8(index)], .ecdsa(.sha256))
      let raw = try #require(ECDSASignature.raw(der: der, curve: curve))
      #expect(raw.count == 2 * curve.coordinateByteCount)
      #expect(ECDSASignature.der(raw: raw, curve: curve) == der)
      #expect(ECDSASignature.der(raw: raw + [0], curve: curve) == nil)
      #expect(ECDSASignature.der(raw: Array(raw.dropLast()), curve: curve) == nil)
      #expect(ECDSASignature.raw(der: der + [0], curve: curve) == nil)
    }
    #expect(ECDSASignature.raw(der: [], curve: curve) == nil)
    #expect(ECDSASignature.der(raw: [], curve: curve) == nil)
  }

  @Test("a signature too large for the curve has no raw form")
  func tooLarge() throws {
    let der = try PrivateKey.generate(.ec(.p521)).sign([1], .ecdsa(.sha256))
    #expect(ECDSASignature.raw(der: der, curve: .p256) == nil)
    // Negative numbers: SEQUENCE { INTEGER -1, INTEGER 1 }.
    let negative: [UInt8] = [0x30, 6, 2, 1, 0xFF, 2, 1, 1]
    #expect(ECDSASignature.raw(der: negative, curve: .p256) == nil)
  }

  @Test("one key verifies on many threads at once")
  func concurrency() async throws {
    let key = try PrivateKey.generate(.ec(.p256))
    let publicKey = try key.publicKey
    let signature = try key.sign([1], .ecdsa(.sha256))
    let results = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<64 {
        group.addTask {
          let message: [UInt8] = [index % 2 == 0 ? 1 : 2]
          return publicKey.verify(signature: signature, message: message, .ecdsa(.sha256))
            == (index % 2 == 0)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results == Array(repeating: true, count: 64))
  }

  static let weak: [(OctetKeyCurve, String)] =
    [
      // Points of order 1, 2, 4 and 8, and coordinates that are not less than the prime.
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0100000000000000000000000000000000000000000000000000000000000000",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ].map { (.ed25519, $0) }
    + [
      String(repeating: "00", count: 57), "01" + String(repeating: "00", count: 56),
      "fe" + String(repeating: "ff", count: 27) + "fe" + String(repeating: "ff", count: 27) + "00",
      String(repeating: "ff", count: 28) + "fe" + String(repeating: "ff", count: 27) + "00",
    ].map { (.ed448, $0) }

  @Test("keys for which everybody can sign are refused, whatever the sign", arguments: weak)
  func smallOrder(curve: OctetKeyCurve, digits: String) throws {
    var x = try #require(Hex.decode(digits.utf8))
    for _ in 0..<2 {
      let error = #expect(throws: CryptoError.self) { try PublicKey(.okp(curve, x: x)) }
      #expect(
        error?.description.contains("everybody can sign for it") == true,
        "\(String(describing: error))")
      x[x.count - 1] ^= 0x80
    }
  }
}
