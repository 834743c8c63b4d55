import JSON
import Primitives

/// What an authenticator must have (dictionary `MatchCriteria`); an absent member restricts nothing.
package struct MatchCriteria: Sendable, Hashable {
  package var aaids: [String]?
  package var vendorIDs: [String]?
  /// In base64url.
  package var keyIDs: [String]?
  package var userVerification: UInt32?
  package var keyProtection: UInt16?
  package var matcherProtection: UInt16?
  package var attachmentHint: UInt32?
  package var tcDisplay: UInt16?
  package var authenticationAlgorithms: [UInt16]?
  package var assertionSchemes: [String]?
  package var attestationTypes: [UInt16]?
  /// The lowest version of the authenticator.
  package var authenticatorVersion: UInt16?
  package var extensions: [MessageExtension] = []

  package init() {}

  init(_ value: JSON) throws(UAFError) {
    let reader = try MessageReader(value, "a criterion of the policy")
    aaids = try reader.optionalTexts("aaid")
    vendorIDs = try reader.optionalTexts("vendorID")
    keyIDs = try reader.optionalTexts("keyIDs")
    userVerification = try reader.optionalNumber("userVerification")
    keyProtection = try reader.optionalNumber("keyProtection")
    matcherProtection = try reader.optionalNumber("matcherProtection")
    attachmentHint = try reader.optionalNumber("attachmentHint")
    tcDisplay = try reader.optionalNumber("tcDisplay")
    authenticationAlgorithms = try reader.optionalNumbers("authenticationAlgorithms")
    assertionSchemes = try reader.optionalTexts("assertionSchemes")
    attestationTypes = try reader.optionalNumbers("attestationTypes")
    authenticatorVersion = try reader.optionalNumber("authenticatorVersion")
    extensions = try reader.extensions()
    for keyID in keyIDs ?? [] where Base64.decode(keyID.utf8, alphabet: .url) == nil {
      throw .malformed("an element of 'keyIDs' of the policy is not base64url")
    }
    try checkCombination(of: reader)
  }

  /// `aaid` stands for the other properties of the model; without it, algorithm and scheme are
  /// needed (FIDO UAF Protocol 1.1, MatchCriteria).
  private func checkCombination(of reader: MessageReader) throws(UAFError) {
    guard aaids != nil else {
      for name in ["authenticationAlgorithms", "assertionSchemes"]
      where !reader.has(name) {
        throw .malformed("\(reader.subject) has neither 'aaid' nor '\(name)'")
      }
      return
    }
    for name in Self.excludedByAAID where reader.has(name) {
      throw .malformed("\(reader.subject) has both 'aaid' and '\(name)'")
    }
  }

  private static let excludedByAAID = [
    "vendorID", "userVerification", "keyProtection", "matcherProtection", "tcDisplay",
    "authenticationAlgorithms", "assertionSchemes", "attestationTypes",
  ]
}
