import Primitives
public import SDKCore
public import UAF

/// How the software authenticator of a profile presents itself, and how it verifies its user.
public struct AuthenticatorSettings: Sendable, Hashable {
  /// How the user proves to be the one who registered.
  public enum UserVerification: Sendable, Hashable {
    /// By a passcode, under which the keys are encrypted.
    case passcode
    /// By the PIN of a security token, which has the key (RFC 7512).
    case securityToken(uri: String)
    /// Not at all: whoever can read the file can act for the user.
    case none
  }

  /// The model of the authenticator, as the server knows it.
  public var aaid: AAID
  /// How signatures and public keys are written.
  public var encoding: AssertionEncoding
  /// Who vouches for new keys.
  public var attestation: AttestationType
  /// How the user is verified.
  public let userVerification: UserVerification
  /// Which passcodes may be chosen, and how many wrong ones lock the authenticator.
  public var passcodePolicy: PasscodePolicy

  /// Makes settings.
  ///
  /// - Parameters:
  ///   - aaid: the model; `FFFF#0001` stands for one that nobody has certified.
  ///   - encoding: how signatures and public keys are written.
  ///   - attestation: who vouches for new keys.
  ///   - userVerification: how the user is verified.
  ///   - passcodePolicy: which passcodes may be chosen.
  ///   - allowsNoVerification: whether the profile allows an authenticator that verifies nobody.
  /// - Throws: ``SDKError/Code/policy`` for no verification, if the profile does not allow it.
  public init(
    aaid: AAID = .development, encoding: AssertionEncoding = .der,
    attestation: AttestationType = .basicFull,
    userVerification: UserVerification = .passcode,
    passcodePolicy: PasscodePolicy = PasscodePolicy(),
    allowsNoVerification: Bool = false
  ) throws(SDKError) {
    guard userVerification != .none || allowsNoVerification else {
      throw SDKError(
        .policy, "could not use the authenticator: the profile requires that it verifies the user")
    }
    self.aaid = aaid
    self.encoding = encoding
    self.attestation = attestation
    self.userVerification = userVerification
    self.passcodePolicy = passcodePolicy
  }

  /// The version of the authenticator (`authenticatorVersion`).
  static let version: UInt16 = 1

  /// What a policy of a server is compared with.
  ///
  /// - Parameters:
  ///   - encoding: that of the key in question; `nil` for a new key.
  ///   - keyIDs: the keys in question, in base64url.
  /// - Returns: the description.
  func description(
    encoding: AssertionEncoding? = nil, keyIDs: [String] = []
  ) -> AuthenticatorDescription {
    var hasHardwareKeys = false
    if case .securityToken = userVerification { hasHardwareKeys = true }
    return AuthenticatorDescription(
      aaid: aaid, version: Self.version, encoding: encoding ?? self.encoding,
      attestation: attestation, verifiesUser: userVerification != .none,
      hasHardwareKeys: hasHardwareKeys, keyIDs: keyIDs)
  }
}
