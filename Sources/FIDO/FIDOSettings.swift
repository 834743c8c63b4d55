import HTTP
import JSON
import Primitives
import SDKCore
import UAF

/// The settings of a profile for its FIDO server: the section `fido`.
struct FIDOSettings: Sendable {
  let profile: Profile
  /// The URL of the server, which paths are appended to.
  let base: HTTPURL

  /// Reads the section `fido`.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` without `fido.url`.
  init(_ profile: Profile) throws(SDKError) {
    guard let url = profile.fidoURL else {
      throw SDKError(
        .invalidConfiguration, cause: "the profile has no fido.url", subject: "fido.url",
        remedy: .setProfile(key: "fido.url", value: nil))
    }
    self.profile = profile
    base = url
  }

  /// The URL of a path of the profile.
  func url(_ path: KeyPath<ProfileKeys, Key<String>>) throws(SDKError) -> HTTPURL {
    try attempt(as: .invalidConfiguration) {
      try base.appending(profile[dynamicMember: path])
    }
  }

  /// What this program is to the server.
  var facetID: String { profile.fidoFacetID ?? base.origin }

  /// How long a request may take.
  var networkTimeout: Duration { .seconds(profile.fidoNetworkTimeout) }

  /// How long a person has to answer a question.
  var interactionTimeout: Duration { .seconds(profile.fidoInteractionTimeout) }

  /// The credential in the response to an authentication.
  func returned(
    _ verdict: ServerResponse, _ response: HTTPResponse, _ cookies: [Cookie]
  ) -> ReturnedCredential {
    ReturnedCredential(
      kind: profile.fidoProvider, place: profile.fidoJWT, names: profile.fidoCookies,
      responses: [response], cookies: cookies,
      token: verdict.additionalTokens.first { $0.type == "JWT" }?.value)
  }

  /// The message that asks for the request of an operation, and its media type.
  ///
  /// An Identity Suite takes the context alone for an authentication.
  func message(_ operation: UAFOperation, _ context: JSON) -> UAFServerClient.Body {
    guard operation == .authentication, profile.fidoRequestForm == "username" else {
      return (GetUAFRequest(operation, context: context).encoded, UAFServerClient.mediaType)
    }
    return UAFServerClient.json(context)
  }

  /// The wait before an authentication is repeated.
  var retryInterval: Duration { .seconds(profile.fidoRetryInterval) }
}

extension Profile {
  /// How its software authenticator presents itself and verifies its user.
  ///
  /// - Parameters:
  ///   - aaid: the model; `nil` for that of the profile.
  ///   - verifiesUser: whether the user has a passcode.
  /// - Returns: the settings.
  /// - Throws: ``SDKError/Code/policy`` for no passcode, if the profile does not allow it.
  func authenticatorSettings(
    _ aaid: AAID?, verifiesUser: Bool
  ) throws(SDKError) -> AuthenticatorSettings {
    let policy = PasscodePolicy(
      minimumLength: self.fidoPasscodeMinimum, maximumLength: self.fidoPasscodeMaximum,
      similarDigits: self.fidoPasscodeSimilarDigits, sequences: self.fidoPasscodeSequences,
      blocked: self.fidoPasscodeBlocked, attempts: self.fidoPasscodeAttempts)
    return try AuthenticatorSettings(
      aaid: aaid ?? self.fidoAAID.flatMap { AAID($0) } ?? .development,
      encoding: self.fidoEncoding == "raw" ? .raw : .der,
      attestation: self.fidoAttestation == "surrogate" ? .surrogate : .basicFull,
      userVerification: verifiesUser
        ? self.fidoKey.map { .securityToken(uri: $0) } ?? .passcode : .none,
      passcodePolicy: policy, allowsNoVerification: self.fidoAllowsNoVerification)
  }
}
