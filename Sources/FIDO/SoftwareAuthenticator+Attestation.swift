public import JSON
import OpenSSL
import Primitives
public import SDKCore
import UAF

/// What a server must know of the authenticator beforehand.
extension SoftwareAuthenticator {
  /// The certificate of the attestation key as PEM; both are made on first use.
  ///
  /// - Throws: ``SDKError/Code/store`` if the file cannot be written.
  public func attestationCertificate() async throws(SDKError) -> String {
    if let attestation = try read().attestation { return attestation.certificate }
    return try await locked { () throws(SDKError) in
      var document = try read()
      let attestation = try attestation(&document)
      try document.write()
      return attestation.certificate
    }
  }

  /// The metadata statement of the authenticator, for the server's administrator.
  ///
  /// - Throws: ``SDKError/Code/store`` if the attestation key has to be made and cannot be written.
  public func metadataStatement() async throws(SDKError) -> JSON {
    var roots: [[UInt8]] = []
    if settings.attestation == .basicFull {
      let pem = try await attestationCertificate()
      roots = try attempt { try Certificate.list(pem: Array(pem.utf8)).map(\.der) }
    }
    let policy = settings.passcodePolicy
    let passcode = MetadataStatement.PasscodeAccuracy(
      base: 10, minLength: Int64(policy.minimumLength), maxRetries: Int64(policy.maximumAttempts),
      blockSlowdown: policy.coolDown(after: policy.maximumAttempts - 1))
    return MetadataStatement(
      settings.description(), description: "Software authenticator \(settings.aaid)",
      attestationRoots: roots, passcode: settings.userVerification == .passcode ? passcode : nil
    ).json
  }

  /// The attestation key, which is made if there is none; the caller writes the document.
  func attestation(
    _ document: inout AuthenticatorDocument
  ) throws(SDKError) -> AuthenticatorDocument.Attestation {
    if let attestation = document.attestation { return attestation }
    let made = try attempt {
      let key = try PrivateKey.generate(.ec(.p256))
      let certificate = try Certificate.selfSigned(
        by: key, for: .signature, commonName: "Attestation \(settings.aaid)",
        from: environment.now() - Self.clockSkew,
        to: environment.now() + Self.lifetime)
      return AuthenticatorDocument.Attestation(key: key.pem, certificate: certificate.pem)
    }
    document.attestation = made
    return made
  }

  /// One hour: the clock of the server may be behind.
  private static let clockSkew: Int64 = 3600

  /// Ten years: the server has the certificate in its metadata, so a new one is an effort.
  private static let lifetime: Int64 = 10 * 365 * 86_400
}
