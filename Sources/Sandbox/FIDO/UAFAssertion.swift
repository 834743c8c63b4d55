/// What the assertion of a registration says (FIDO UAF Authenticator Commands 1.1, section 5.2.1).
struct RegistrationAssertion: Sendable {
  enum Attestation: Sendable {
    case basicFull(signature: [UInt8], certificates: [[UInt8]])
    case surrogate(signature: [UInt8])
  }

  let aaid: String
  let info: AssertionInfo
  let challengeHash: [UInt8]
  let keyID: [UInt8]
  let signCounter: UInt32
  let registrationCounter: UInt32
  let publicKey: [UInt8]
  let keyEncoding: UInt16
  let attestation: Attestation
  /// What the attestation signs.
  let signed: [UInt8]

  init(_ bytes: [UInt8]) throws(UAFRefusal) {
    let parts = try TLV.all(in: try TLV.only(.registration, in: bytes[...]).value)
    guard parts.count == 2, parts[0].tag == TLV.Tag.registrationData.rawValue else {
      throw .content("the assertion does not have registration data and one attestation")
    }
    signed = Array(parts[0].encoded)
    let fields = try TLVFields(
      try TLV.all(in: parts[0].value),
      tags: [.aaid, .info, .challengeHash, .keyID, .counters, .publicKey])
    aaid = try fields.aaid()
    let info = try fields.value(.info, 7...7)
    self.info = AssertionInfo(info)
    keyEncoding = info.littleEndian(at: 5, as: UInt16.self)
    challengeHash = try fields.value(.challengeHash, 32...32)
    keyID = try fields.value(.keyID, 32...2048)
    let counters = try fields.value(.counters, 8...8)
    signCounter = counters.littleEndian(at: 0, as: UInt32.self)
    registrationCounter = counters.littleEndian(at: 4, as: UInt32.self)
    publicKey = try fields.value(.publicKey, 1...2048)
    attestation = try Self.attestation(parts[1])
  }

  private static func attestation(_ part: TLV) throws(UAFRefusal) -> Attestation {
    let elements = try TLV.all(in: part.value)
    guard let first = elements.first, first.tag == TLV.Tag.signature.rawValue,
      elements.dropFirst().allSatisfy({ $0.tag == TLV.Tag.certificate.rawValue })
    else { throw .content("the attestation is not a signature with certificates") }
    let certificates = elements.dropFirst().map { Array($0.value) }
    switch TLV.Tag(rawValue: part.tag) {
    case .basicFull where !certificates.isEmpty:
      return .basicFull(signature: Array(first.value), certificates: certificates)
    case .surrogate where certificates.isEmpty:
      return .surrogate(signature: Array(first.value))
    default: throw .content("there is no such attestation")
    }
  }
}

/// What the assertion of an authentication says (section 5.2.2).
struct AuthenticationAssertion: Sendable {
  let aaid: String
  let info: AssertionInfo
  let challengeHash: [UInt8]
  let transactionHash: [UInt8]
  let keyID: [UInt8]
  let signCounter: UInt32
  let signed: [UInt8]
  let signature: [UInt8]

  init(_ bytes: [UInt8]) throws(UAFRefusal) {
    let parts = try TLV.all(in: try TLV.only(.authentication, in: bytes[...]).value)
    guard parts.count == 2, parts[0].tag == TLV.Tag.signedData.rawValue,
      parts[1].tag == TLV.Tag.signature.rawValue
    else { throw .content("the assertion does not have signed data and a signature") }
    signed = Array(parts[0].encoded)
    signature = Array(parts[1].value)
    let fields = try TLVFields(
      try TLV.all(in: parts[0].value),
      tags: [.aaid, .info, .nonce, .challengeHash, .transactionHash, .keyID, .counters])
    aaid = try fields.aaid()
    info = AssertionInfo(try fields.value(.info, 5...5))
    challengeHash = try fields.value(.challengeHash, 32...32)
    _ = try fields.value(.nonce, 8...64)
    transactionHash = try fields.value(.transactionHash, 0...32)
    keyID = try fields.value(.keyID, 32...2048)
    signCounter = try fields.value(.counters, 4...4).littleEndian(at: 0, as: UInt32.self)
  }
}

/// The element ASSERTION_INFO, as far as both assertions have it.
struct AssertionInfo: Sendable {
  let authenticatorVersion: UInt16
  /// 1: the user was verified; 2: the user saw the transaction too.
  let mode: UInt8
  let signatureAlgorithm: UInt16

  fileprivate init(_ value: [UInt8]) {
    authenticatorVersion = value.littleEndian(at: 0, as: UInt16.self)
    mode = value[2]
    signatureAlgorithm = value.littleEndian(at: 3, as: UInt16.self)
  }
}

extension TLVFields {
  fileprivate func aaid() throws(UAFRefusal) -> String {
    let bytes = try value(.aaid, 9...9)
    guard FIDOAuthenticator.isAAID(String(decoding: bytes, as: UTF8.self)) else {
      throw .content("the AAID is not four digits, '#' and four digits")
    }
    return String(decoding: bytes, as: UTF8.self).uppercased()
  }
}
