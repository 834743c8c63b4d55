/// What an authenticator says of a verified user (TAG_UAFV1_AUTH_ASSERTION).
package struct AuthenticationAssertion: Sendable, Hashable {
  /// What is signed.
  package let data: SignedData
  package let signature: [UInt8]

  package init(_ data: SignedData, signature: [UInt8]) {
    self.data = data
    self.signature = signature
  }

  /// The assertion in UAFV1TLV.
  package func encoded() throws(UAFError) -> [UInt8] {
    try TLV(
      TLVTag.authenticationAssertion,
      of: [try data.element(), try TLV(TLVTag.signature, signature)]
    ).encoded
  }

  /// Reads an assertion, strictly; the signature is not checked.
  package init(parsing bytes: [UInt8]) throws(UAFError) {
    var reader = try TLVReader(try TLV.only(TLVTag.authenticationAssertion, in: bytes))
    data = try SignedData(try reader.take(TLVTag.signedData))
    signature = try reader.take(TLVTag.signature).value
    try reader.end()
  }
}

/// The signed part of an authentication (TAG_UAFV1_SIGNED_DATA).
package struct SignedData: Sendable, Hashable {
  package let aaid: AAID
  package let authenticatorVersion: UInt16
  package let encoding: AssertionEncoding
  /// Random bytes of the authenticator, at least eight.
  package let nonce: [UInt8]
  /// SHA-256 of `fcParams` of the response.
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

  /// What is signed: the element with its tag and length.
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

  init(_ element: TLV) throws(UAFError) {
    var reader = try TLVReader(element)
    aaid = try reader.takeAAID()
    let info = try reader.take(TLVTag.assertionInfo, count: 5...5)
    authenticatorVersion = UInt16(littleEndian: info[0..<2])
    guard let mode = AuthenticationMode(rawValue: info[2]) else {
      throw .malformed("the authentication has the mode \(info[2])")
    }
    guard let encoding = AssertionEncoding(signatureAlgorithm: UInt16(littleEndian: info[3..<5]))
    else { throw .malformed("the authentication has an unknown algorithm") }
    self.encoding = encoding
    nonce = try reader.take(TLVTag.nonce, count: 8...64)
    finalChallengeHash = try reader.take(TLVTag.finalChallengeHash, count: 32...32)
    let hash = try reader.take(TLVTag.transactionContentHash, count: 0...32)
    switch (mode, hash.count) {
    case (.verified, 0): transactionHash = nil
    case (.transactionConfirmed, 32): transactionHash = hash
    default:
      throw .malformed("the hash of the transaction does not fit the mode \(mode.rawValue)")
    }
    keyID = try reader.take(TLVTag.keyID, count: Limits.keyID)
    signCounter = UInt32(littleEndian: try reader.take(TLVTag.counters, count: 4...4))
    try reader.end()
  }
}
