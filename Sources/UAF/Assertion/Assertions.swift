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
}

/// What the user did (`AuthenticationMode` of TAG_ASSERTION_INFO).
package enum AuthenticationMode: UInt8, Sendable, Hashable {
  case verified = 0x01
  case transactionConfirmed = 0x02
}

/// What an authenticator says of a verified user (TAG_UAFV1_AUTH_ASSERTION).
package struct AuthenticationAssertion: Sendable, Hashable {
  package let data: SignedData
  package let signature: [UInt8]

  package init(_ data: SignedData, signature: [UInt8]) {
    self.data = data
    self.signature = signature
  }

  package func encoded() throws(UAFError) -> [UInt8] {
    try TLV(
      TLVTag.authenticationAssertion,
      of: [try data.element(), try TLV(TLVTag.signature, signature)]
    ).encoded
  }
}

/// The signed part of an authentication (TAG_UAFV1_SIGNED_DATA).
package struct SignedData: Sendable, Hashable {
  package let aaid: AAID
  package let authenticatorVersion: UInt16
  package let encoding: AssertionEncoding
  /// Random bytes of the authenticator, at least eight.
  package let nonce: [UInt8]
  package let finalChallengeHash: [UInt8]
  /// SHA-256 of the content of the transaction that the user confirmed; `nil` without one.
  package let transactionHash: [UInt8]?
  package let keyID: [UInt8]
  package let signCounter: UInt32

  package init(
    aaid: AAID, authenticatorVersion: UInt16, encoding: AssertionEncoding, nonce: [UInt8],
    finalChallengeHash: [UInt8], transactionHash: [UInt8]?, keyID: [UInt8], signCounter: UInt32
  ) {
    self.aaid = aaid
    self.authenticatorVersion = authenticatorVersion
    self.encoding = encoding
    self.nonce = nonce
    self.finalChallengeHash = finalChallengeHash
    self.transactionHash = transactionHash
    self.keyID = keyID
    self.signCounter = signCounter
  }

  private var mode: AuthenticationMode {
    transactionHash == nil ? .verified : .transactionConfirmed
  }

  package func element() throws(UAFError) -> TLV {
    let info =
      authenticatorVersion.littleEndianBytes + [mode.rawValue]
      + encoding.signatureAlgorithm.littleEndianBytes
    return try TLV(
      TLVTag.signedData,
      of: [
        try TLV(TLVTag.aaid, Array(aaid.description.utf8)),
        try TLV(TLVTag.assertionInfo, info),
        try TLV(TLVTag.nonce, nonce),
        try TLV(TLVTag.finalChallengeHash, finalChallengeHash),
        try TLV(TLVTag.transactionContentHash, transactionHash ?? []),
        try TLV(TLVTag.keyID, keyID),
        try TLV(TLVTag.counters, signCounter.littleEndianBytes),
      ])
  }
}
