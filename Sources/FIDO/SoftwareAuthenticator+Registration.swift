import JSON
import OpenSSL
import Primitives
import SDKCore
import UAF

/// What an authenticator has done for a server.
struct AuthenticatorResponse: Sendable, Hashable {
  /// The UAF message: an array with one response, as JSON.
  let message: String
  /// The key that was made or used.
  let key: AuthenticatorKey
}

extension SoftwareAuthenticator {
  /// Whether the server's policy accepts a new key of this authenticator.
  func isAccepted(
    by request: UAFRegistrationRequest, facetID: String
  ) throws(SDKError) -> Bool {
    let appID = request.header.application(of: facetID)
    let keyIDs = try keys().filter { sameIdentifier($0.appID, appID) }.map(\.keyID)
    return request.policy.combinations(of: [settings.description(keyIDs: keyIDs)]).contains([0])
  }

  /// Makes a key for a server, after the user was verified or has chosen a passcode.
  ///
  /// Key and counters are on disk before the response is returned. If the server then refuses it, the
  /// caller forgets the key (``forget(_:)``).
  func register(
    _ request: UAFRegistrationRequest, facetID: String,
    channelBinding: ChannelBinding = ChannelBinding(), delegates: AuthenticatorDelegates
  ) async throws(SDKError) -> AuthenticatorResponse {
    guard try isAccepted(by: request, facetID: facetID) else {
      throw failure(
        .noSuitableAuthenticator, "the server does not accept the authenticator \(settings.aaid)")
    }
    let challenge = FinalChallenge(
      appID: request.header.appID, challenge: request.challenge, facetID: facetID,
      channelBinding: channelBinding)
    var token: PrivateKey?
    if case .securityToken(let uri) = settings.userVerification {
      token = try await securityTokens.authenticatorKey(inSecurityToken: uri)
    }
    return try await verifyingUser(request.username, mayEnrol: true, delegates) {
      (user, document) async throws(SDKError) in
      try await register(request, challenge, user, token, &document)
    }
  }

  private func register(
    _ request: UAFRegistrationRequest, _ challenge: FinalChallenge, _ user: VerifiedUser,
    _ token: PrivateKey?, _ document: inout AuthenticatorDocument
  ) async throws(SDKError) -> AuthenticatorResponse {
    let (key, signer) = try newKey(request, challenge.appID, user, token)
    guard document.registrationCounter < .max else { throw exhausted }
    document.registrationCounter += 1
    document.keys.append(key)
    let attestation = settings.attestation == .basicFull ? try attestation(&document) : nil
    try document.write()
    let counter = document.registrationCounter
    let message = try await toItsEnd { () throws(SDKError) in
      try attempt {
        let data = KeyRegistrationData(
          aaid: key.aaid, authenticatorVersion: AuthenticatorSettings.version,
          encoding: key.encoding,
          finalChallengeHash: try FinalChallenge.hash(challenge.encoded),
          keyID: key.keyIDBytes, signCounter: key.signCounter, registrationCounter: counter,
          publicKey: try key.encoding.encode(try signer.publicKey))
        let proof = try attestation?.vouch(for: data) ?? .surrogate(for: data, by: signer)
        let assertion = RegistrationAssertion(data, proof)
        return UAFResponse(
          header: request.header, finalChallenge: challenge.encoded,
          assertions: [try assertion.encoded()]
        ).encoded
      }
    }
    return AuthenticatorResponse(message: message, key: key)
  }

  /// A counter that has reached its end would begin anew, which a server takes for a copy of the key.
  var exhausted: SDKError {
    failure(.insufficientAuthenticatorResources, "a counter of the authenticator is used up")
  }

  private func newKey(
    _ request: UAFRegistrationRequest, _ appID: String, _ user: VerifiedUser, _ token: PrivateKey?
  ) throws(SDKError) -> (AuthenticatorKey, PrivateKey) {
    let signer = try attempt { try token ?? PrivateKey.generate(.ec(.p256)) }
    let keyID = try attempt { try Random.bytes(32) }
    let place: IdentityKey =
      switch (settings.userVerification, user) {
      case (.securityToken(let uri), _): .securityToken(uri: uri)
      case (_, .byPasscode(let secret)):
        .sealed(try .sealing(signer.pem, with: secret, cost: .forRandomKeys))
      case (_, .unverified), (_, .bySecurityToken): .pem(signer.pem)
      }
    let key = AuthenticatorKey(
      aaid: settings.aaid, keyID: Base64.encode(keyID, alphabet: .url), appID: appID,
      username: request.username, createdAt: environment.now(), encoding: settings.encoding,
      signCounter: 1,
      key: place)
    return (key, signer)
  }
}

extension AuthenticatorKey {
  var keyIDBytes: [UInt8] { Base64.decode(keyID.utf8, alphabet: .url) ?? [] }
}

extension ScryptCost {
  /// For passphrases of 32 random bytes, which nobody guesses.
  static let forRandomKeys = ScryptCost(n: 2, r: 1, p: 1)
}

extension AuthenticatorDocument.Attestation {
  /// Signs with the attestation key.
  func vouch(for data: KeyRegistrationData) throws -> RegistrationAssertion.Attestation {
    let signer = try PrivateKey(pem: Array(key.utf8))
    let certificates = try Certificate.list(pem: Array(certificate.utf8)).map(\.der)
    return .basicFull(
      signature: try data.encoding.sign(try data.element().encoded, with: signer),
      certificates: certificates)
  }
}

extension RegistrationAssertion.Attestation {
  /// Signs with the new key itself.
  fileprivate static func surrogate(
    for data: KeyRegistrationData, by signer: PrivateKey
  ) throws -> RegistrationAssertion.Attestation {
    .surrogate(signature: try data.encoding.sign(try data.element().encoded, with: signer))
  }
}

/// What a server must know of the authenticator beforehand.
extension SoftwareAuthenticator {
  /// The certificate of the attestation key as PEM; both are made on first use.
  ///
  /// - Throws: ``SDKError/Code/store`` if the file cannot be written.
  func attestationCertificate() async throws(SDKError) -> String {
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
  func metadataStatement() async throws(SDKError) -> JSON {
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
