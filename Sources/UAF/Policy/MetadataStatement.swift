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
