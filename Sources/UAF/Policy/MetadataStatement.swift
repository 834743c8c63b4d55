package import JSON
import Primitives

/// What a server must know of an authenticator to accept its attestation (FIDO UAF Authenticator
/// Metadata Statements 1.1).
package struct MetadataStatement: Sendable, Hashable {
  package let authenticator: AuthenticatorDescription
  /// What the authenticator is, for people.
  package let description: String
  /// The certificates that vouch for its attestations, DER; none for surrogate attestation.
  package let attestationRoots: [[UInt8]]
  /// How the user is verified; `nil` if not at all.
  package let passcode: PasscodeAccuracy?

  /// The accuracy of a passcode (dictionary `CodeAccuracyDescriptor`).
  package struct PasscodeAccuracy: Sendable, Hashable {
    /// How many different characters there are.
    package let base: Int64
    package let minLength: Int64
    /// How many wrong passcodes lock the authenticator.
    package let maxRetries: Int64
    /// The seconds for which no passcode is taken after some wrong ones.
    package let blockSlowdown: Int64

    package init(base: Int64, minLength: Int64, maxRetries: Int64, blockSlowdown: Int64) {
      self.base = base
      self.minLength = minLength
      self.maxRetries = maxRetries
      self.blockSlowdown = blockSlowdown
    }
  }

  package init(
    _ authenticator: AuthenticatorDescription, description: String, attestationRoots: [[UInt8]],
    passcode: PasscodeAccuracy?
  ) {
    self.authenticator = authenticator
    self.description = description
    self.attestationRoots = attestationRoots
    self.passcode = passcode
  }

  /// The statement, as a server loads it.
  package var json: JSON {
    [
      "aaid": .string(authenticator.aaid.description),
      "description": .string(description),
      "protocolFamily": "uaf",
      "authenticatorVersion": .int(Int64(authenticator.authenticatorVersion)),
      "upv": .array(ProtocolVersion.supported.sorted().map(\.json)),
      "assertionScheme": .string(AssertionScheme.tlv),
      "authenticationAlgorithm": .int(Int64(authenticator.encoding.signatureAlgorithm)),
      "publicKeyAlgAndEncoding": .int(Int64(authenticator.encoding.keyEncoding)),
      "attestationTypes": .array(authenticator.attestationTypes.map { .int(Int64($0)) }),
      "userVerificationDetails": [[verification]],
      "keyProtection": .int(Int64(authenticator.keyProtection)),
      "matcherProtection": .int(Int64(authenticator.matcherProtection)),
      "attachmentHint": .int(Int64(authenticator.attachmentHint)),
      "isSecondFactorOnly": false,
      "tcDisplay": .int(Int64(authenticator.tcDisplay)),
      "tcDisplayContentType": "text/plain",
      "attestationRootCertificates": .strings(attestationRoots.map { Base64.encode($0) }),
    ]
  }

  private var verification: JSON {
    let code = passcode.map { code -> JSON in
      [
        "base": .int(code.base), "minLength": .int(code.minLength),
        "maxRetries": .int(code.maxRetries), "blockSlowdown": .int(code.blockSlowdown),
      ]
    }
    return .members([
      "userVerification": .int(Int64(authenticator.userVerification)), "caDesc": code,
    ])
  }
}

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

/// The identifier of a model of authenticators: `VVVV#MMMM`, both hexadecimal (FIDO UAF Protocol
/// 1.1, AAID).
public struct AAID: Sendable, Hashable, CustomStringConvertible {
  /// The identifier: four digits of the vendor, `#`, four digits of the model.
  public let description: String

  /// Reads an identifier; `nil` if the text is not of that form.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 9, bytes[4] == UInt8(ascii: "#"),
      (bytes[..<4] + bytes[5...]).allSatisfy({ $0.hexValue != nil })
    else { return nil }
    description = text
  }

  private init(valid text: String) { description = text }

  /// The model of an authenticator that nobody has certified, of a vendor that does not exist.
  public static let development = AAID(valid: "FFFF#0001")

  /// The four digits of the vendor.
  var vendorID: String { String(description.prefix(4)) }

  /// Compares without regard to the case of digits.
  public static func == (left: AAID, right: AAID) -> Bool {
    left.description.equalsIgnoringCase(right.description)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(description.asciiLowercased)
  }
}
