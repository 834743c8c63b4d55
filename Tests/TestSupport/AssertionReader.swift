package import OpenSSL
package import UAF

/// What is no assertion of UAF.
package struct NoAssertion: Error {}

extension RegistrationAssertion {
  /// Reads an assertion, as a server does; signatures are not checked.
  package init(parsing bytes: [UInt8]) throws {
    let assertion = try Elements(Elements(bytes).only(TLVTag.registrationAssertion))
    let data = try KeyRegistrationData(Elements(assertion.only(TLVTag.keyRegistrationData)))
    if let full = try? Elements(assertion.only(TLVTag.attestationBasicFull)) {
      self.init(
        data,
        .basicFull(
          signature: try full.only(TLVTag.signature),
          certificates: full.all(TLVTag.attestationCertificate)))
    } else {
      let proof = try Elements(assertion.only(TLVTag.attestationBasicSurrogate))
      self.init(data, .surrogate(signature: try proof.only(TLVTag.signature)))
    }
  }
}

extension KeyRegistrationData {
  fileprivate init(_ elements: Elements) throws {
    let info = try elements.only(TLVTag.assertionInfo, count: 7)
    let counters = try elements.only(TLVTag.counters, count: 8)
    guard let encoding = AssertionEncoding(signature: info[3...4]),
      encoding.keyEncoding == number(info[5...6])
    else { throw NoAssertion() }
    self.init(
      aaid: try elements.aaid(), authenticatorVersion: number(info[...1]), encoding: encoding,
      finalChallengeHash: try elements.only(TLVTag.finalChallengeHash, count: 32),
      keyID: try elements.only(TLVTag.keyID), signCounter: number(counters[...3]),
      registrationCounter: number(counters[4...]), publicKey: try elements.only(TLVTag.publicKey))
  }
}

extension AuthenticationAssertion {
  /// Reads an assertion, as a server does; the signature is not checked.
  package init(parsing bytes: [UInt8]) throws {
    let assertion = try Elements(Elements(bytes).only(TLVTag.authenticationAssertion))
    self.init(
      try SignedData(Elements(assertion.only(TLVTag.signedData))),
      signature: try assertion.only(TLVTag.signature))
  }
}

extension SignedData {
  fileprivate init(_ elements: Elements) throws {
    let info = try elements.only(TLVTag.assertionInfo, count: 5)
    let hash = try elements.only(TLVTag.transactionContentHash)
    let mode: AuthenticationMode = hash.isEmpty ? .verified : .transactionConfirmed
    guard let encoding = AssertionEncoding(signature: info[3...4]), info[2] == mode.rawValue else {
      throw NoAssertion()
    }
    self.init(
      aaid: try elements.aaid(), authenticatorVersion: number(info[...1]), encoding: encoding,
      nonce: try elements.only(TLVTag.nonce),
      finalChallengeHash: try elements.only(TLVTag.finalChallengeHash, count: 32),
      transactionHash: hash.isEmpty ? nil : hash, keyID: try elements.only(TLVTag.keyID),
      signCounter: number(try elements.only(TLVTag.counters, count: 4)[...]))
  }
}

extension AssertionEncoding {
  fileprivate init?(signature: ArraySlice<UInt8>) {
    let found = Self.allCases.first { $0.signatureAlgorithm == number(signature) }
    guard let found else { return nil }
    self = found
  }

  /// Reads a public key of P-256.
  package func key(_ bytes: [UInt8]) throws(CryptoError) -> PublicKey {
    guard self == .raw else { return try PublicKey(spki: bytes) }
    return try PublicKey(.ec(.p256, x: Array(bytes[1..<33]), y: Array(bytes[33...])))
  }

  /// Whether the key made the signature.
  package func verify(signature: [UInt8], message: [UInt8], with key: PublicKey) -> Bool {
    let der = self == .der ? signature : ECDSASignature.der(raw: signature, curve: .p256)
    return der.map { key.verify(signature: $0, message: message, .ecdsa(.sha256)) } ?? false
  }
}

/// The elements of a composite in UAFV1TLV.
private struct Elements {
  private var values: [(tag: UInt16, value: [UInt8])] = []

  init(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let (tag, head): (UInt16, _) = (number(rest.prefix(2)), rest.dropFirst(2))
      let count = Int(number(head.prefix(2)) as UInt16)
      let value = head.dropFirst(2).prefix(count)
      guard rest.count >= 4, value.count == count else { throw NoAssertion() }
      values.append((tag, Array(value)))
      rest = rest[value.endIndex...]
    }
  }

  func all(_ tag: UInt16) -> [[UInt8]] { values.filter { $0.tag == tag }.map(\.value) }

  func only(_ tag: UInt16, count: Int? = nil) throws -> [UInt8] {
    let found = all(tag)
    guard found.count == 1, found[0].count == count ?? found[0].count else { throw NoAssertion() }
    return found[0]
  }

  func aaid() throws -> AAID {
    guard let aaid = AAID(String(decoding: try only(TLVTag.aaid), as: UTF8.self)) else {
      throw NoAssertion()
    }
    return aaid
  }
}

/// A number, its least significant byte first.
private func number<Number: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>) -> Number {
  bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
}
