/// What a policy is compared with: the properties of an authenticator (FIDO UAF ASM 1.1,
/// `AuthenticatorInfo`; the flags are those of the FIDO Registry of Predefined Values 1.1).
package struct AuthenticatorDescription: Sendable, Hashable {
  package let aaid: AAID
  package let authenticatorVersion: UInt16
  package let encoding: AssertionEncoding
  package let attestationTypes: [UInt16]
  package var userVerification: UInt32
  package let keyProtection: UInt16
  package let matcherProtection: UInt16
  package let attachmentHint: UInt32
  package let tcDisplay: UInt16
  /// The keys that it has for the application, in base64url.
  package var keyIDs: [String]

  /// Describes a software authenticator.
  ///
  /// - Parameters:
  ///   - aaid: its model.
  ///   - version: its version.
  ///   - encoding: how it writes signatures and keys.
  ///   - attestation: who vouches for its keys.
  ///   - verifiesUser: whether it asks for a passcode; else it acts without a person.
  ///   - hasHardwareKeys: whether its keys are in a security token.
  ///   - keyIDs: the keys that it has for the application, in base64url.
  package init(
    aaid: AAID, version: UInt16, encoding: AssertionEncoding, attestation: AttestationType,
    verifiesUser: Bool, hasHardwareKeys: Bool, keyIDs: [String] = []
  ) {
    self.aaid = aaid
    authenticatorVersion = version
    self.encoding = encoding
    attestationTypes = [attestation.rawValue]
    userVerification = verifiesUser ? Self.passcode : Self.noVerification
    keyProtection = hasHardwareKeys ? Self.hardware : Self.software
    matcherProtection = Self.software
    attachmentHint = Self.internal
    tcDisplay = Self.anyDisplay
    self.keyIDs = keyIDs
  }

  /// USER_VERIFY_PASSCODE.
  private static let passcode: UInt32 = 0x04
  /// USER_VERIFY_NONE.
  private static let noVerification: UInt32 = 0x200
  /// USER_VERIFY_ALL.
  package static let allVerifications: UInt32 = 0x400
  /// KEY_PROTECTION_SOFTWARE and MATCHER_PROTECTION_SOFTWARE.
  private static let software: UInt16 = 0x01
  /// KEY_PROTECTION_HARDWARE.
  private static let hardware: UInt16 = 0x02
  /// ATTACHMENT_HINT_INTERNAL.
  private static let `internal`: UInt32 = 0x01
  /// TRANSACTION_CONFIRMATION_DISPLAY_ANY.
  private static let anyDisplay: UInt16 = 0x01
}

/// Who vouches for a new key.
public enum AttestationType: UInt16, Sendable, Hashable, CaseIterable {
  /// The attestation key of the authenticator (TAG_ATTESTATION_BASIC_FULL).
  case basicFull = 0x3E07
  /// The new key itself (TAG_ATTESTATION_BASIC_SURROGATE).
  case surrogate = 0x3E08
}
