import OpenSSL

/// What an authenticator says of a new key (TAG_UAFV1_REG_ASSERTION).
package struct RegistrationAssertion: Sendable, Hashable {
  /// Who vouches for the key.
  package enum Attestation: Sendable, Hashable {
    /// The attestation key of the authenticator, with its certificate and those above it, DER.
    case basicFull(signature: [UInt8], certificates: [[UInt8]])
    /// The new key itself.
    case surrogate(signature: [UInt8])
  }

  /// What is signed.
  package let data: KeyRegistrationData
  package let attestation: Attestation

  package init(_ data: KeyRegistrationData, _ attestation: Attestation) {
    self.data = data
    self.attestation = attestation
  }

  /// The assertion in UAFV1TLV.
  package func encoded() throws(UAFError) -> [UInt8] {
    let proof: TLV
    switch attestation {
    case .basicFull(let signature, let certificates):
      var elements = [try TLV(TLVTag.signature, signature)]
      for certificate in certificates {
        elements.append(try TLV(TLVTag.attestationCertificate, certificate))
      }
      proof = try TLV(TLVTag.attestationBasicFull, of: elements)
    case .surrogate(let signature):
      proof = try TLV(
        TLVTag.attestationBasicSurrogate, of: [try TLV(TLVTag.signature, signature)])
    }
    return try TLV(TLVTag.registrationAssertion, of: [try data.element(), proof]).encoded
  }

  /// Reads an assertion, strictly; signatures are not checked.
  package init(parsing bytes: [UInt8]) throws(UAFError) {
    var reader = try TLVReader(try TLV.only(TLVTag.registrationAssertion, in: bytes))
    data = try KeyRegistrationData(try reader.take(TLVTag.keyRegistrationData))
    if let full = reader.takeAll(TLVTag.attestationBasicFull) {
      attestation = try Self.basicFull(full)
    } else {
      var proof = try TLVReader(try reader.take(TLVTag.attestationBasicSurrogate))
      attestation = .surrogate(signature: try proof.take(TLVTag.signature).value)
      try proof.end()
    }
    try reader.end()
  }

  private static func basicFull(_ elements: [TLV]) throws(UAFError) -> Attestation {
    guard elements.count == 1 else { throw .malformed("the assertion has two attestations") }
    var proof = try TLVReader(elements[0])
    let signature = try proof.take(TLVTag.signature).value
    guard let certificates = proof.takeAll(TLVTag.attestationCertificate) else {
      throw .malformed("the attestation has no certificate")
    }
    try proof.end()
    return .basicFull(signature: signature, certificates: certificates.map(\.value))
  }
}

/// The signed part of a registration (TAG_UAFV1_KRD).
package struct KeyRegistrationData: Sendable, Hashable {
  package let aaid: AAID
  package let authenticatorVersion: UInt16
  package let encoding: AssertionEncoding
  /// SHA-256 of `fcParams` of the response.
  package let finalChallengeHash: [UInt8]
  package let keyID: [UInt8]
  package let signCounter: UInt32
  package let registrationCounter: UInt32
  /// The public key in ``encoding``.
  package let publicKey: [UInt8]

  package init(
    aaid: AAID, authenticatorVersion: UInt16, encoding: AssertionEncoding,
    finalChallengeHash: [UInt8], keyID: [UInt8], signCounter: UInt32, registrationCounter: UInt32,
    publicKey: [UInt8]
  ) {
    self.aaid = aaid
    self.authenticatorVersion = authenticatorVersion
    self.encoding = encoding
    self.finalChallengeHash = finalChallengeHash
    self.keyID = keyID
    self.signCounter = signCounter
    self.registrationCounter = registrationCounter
    self.publicKey = publicKey
  }

  /// What is signed: the element with its tag and length.
  package func element() throws(UAFError) -> TLV {
    let info =
      authenticatorVersion.littleEndianBytes + [AuthenticationMode.verified.rawValue]
      + encoding.signatureAlgorithm.littleEndianBytes + encoding.keyEncoding.littleEndianBytes
    return try TLV(
      TLVTag.keyRegistrationData,
      of: [
        try TLV(TLVTag.aaid, Array(aaid.description.utf8)),
        try TLV(TLVTag.assertionInfo, info),
        try TLV(TLVTag.finalChallengeHash, finalChallengeHash),
        try TLV(TLVTag.keyID, keyID),
        try TLV(
          TLVTag.counters,
          signCounter.littleEndianBytes + registrationCounter.littleEndianBytes),
        try TLV(TLVTag.publicKey, publicKey),
      ])
  }

  init(_ element: TLV) throws(UAFError) {
    var reader = try TLVReader(element)
    aaid = try reader.takeAAID()
    let info = try reader.take(TLVTag.assertionInfo, count: 7...7)
    authenticatorVersion = UInt16(littleEndian: info[0..<2])
    guard info[2] == AuthenticationMode.verified.rawValue else {
      throw .malformed("the registration has the authentication mode \(info[2])")
    }
    guard
      let encoding = AssertionEncoding(
        signatureAlgorithm: UInt16(littleEndian: info[3..<5]),
        keyEncoding: UInt16(littleEndian: info[5..<7]))
    else { throw .malformed("the registration has unknown algorithms") }
    self.encoding = encoding
    finalChallengeHash = try reader.take(TLVTag.finalChallengeHash, count: 32...32)
    keyID = try reader.take(TLVTag.keyID, count: Limits.keyID)
    let counters = try reader.take(TLVTag.counters, count: 8...8)
    signCounter = UInt32(littleEndian: counters[0..<4])
    registrationCounter = UInt32(littleEndian: counters[4..<8])
    publicKey = try reader.take(TLVTag.publicKey, count: 1...Int(UInt16.max))
    try reader.end()
  }
}

/// What the user did (`AuthenticationMode` of TAG_ASSERTION_INFO).
package enum AuthenticationMode: UInt8, Sendable, Hashable {
  /// The user was verified.
  case verified = 0x01
  /// The user was verified, and confirmed the transaction.
  case transactionConfirmed = 0x02
}

extension TLV {
  /// The one element of a tag that fills the bytes.
  static func only(_ tag: UInt16, in bytes: [UInt8]) throws(UAFError) -> TLV {
    let elements = try elements(of: bytes)
    guard elements.count == 1, elements[0].tag == tag else {
      throw .malformed("the assertion is not one element \(name(tag))")
    }
    return elements[0]
  }
}

extension TLVReader {
  mutating func takeAAID() throws(UAFError) -> AAID {
    let bytes = try take(TLVTag.aaid, count: 9...9)
    guard let aaid = AAID(String(decoding: bytes, as: UTF8.self)) else {
      throw .malformed("the AAID of the assertion is not of the form VVVV#MMMM")
    }
    return aaid
  }
}
