import HTTP
import JSON
import Primitives
public import SDKCore
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
    base = try profile.required(FIDOKeys.url)
    self.profile = profile
  }

  /// The URL of a path of the profile.
  func url(_ path: Key<String>) throws(SDKError) -> HTTPURL {
    try attempt(as: .invalidConfiguration) { try base.appending(profile[path]) }
  }

  /// What this program is to the server.
  var facetID: String { profile[FIDOKeys.facetID] ?? base.origin }

  /// How long a request may take.
  var networkTimeout: Duration { .seconds(profile[FIDOKeys.networkTimeout]) }

  /// How long a person has to answer a question.
  var interactionTimeout: Duration { .seconds(profile[FIDOKeys.interactionTimeout]) }

  /// The credential in the response to an authentication.
  func returned(
    _ verdict: ServerResponse, _ response: HTTPResponse, _ cookies: [Cookie]
  ) -> ReturnedCredential {
    ReturnedCredential(
      kind: profile[FIDOKeys.provider], place: profile[FIDOKeys.jwt],
      names: profile[FIDOKeys.cookies],
      responses: [response], cookies: cookies,
      token: verdict.additionalTokens.first { $0.type == "JWT" }?.value)
  }

  /// The message that asks for the request of an operation, and its media type.
  ///
  /// An Identity Suite takes the context alone for an authentication.
  func message(_ operation: UAFOperation, _ context: JSON) -> UAFServerClient.Body {
    guard operation == .authentication, profile[FIDOKeys.requestForm] == "username" else {
      return (GetUAFRequest(operation, context: context).encoded, UAFServerClient.mediaType)
    }
    return UAFServerClient.json(context)
  }

  /// The wait before an authentication is repeated.
  var retryInterval: Duration { .seconds(profile[FIDOKeys.retryInterval]) }
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
    try AuthenticatorSettings(
      aaid: aaid ?? self[FIDOKeys.aaid] ?? .development,
      encoding: self[FIDOKeys.encoding] == "raw" ? .raw : .der,
      attestation: self[FIDOKeys.attestation] == "surrogate" ? .surrogate : .basicFull,
      userVerification: verifiesUser
        ? self[FIDOKeys.key].map { .securityToken(uri: $0) } ?? .passcode : .none,
      passcodePolicy: FIDOKeys.passcode.policy(of: self),
      allowsNoVerification: self[FIDOKeys.allowsNoVerification])
  }

  /// Whether the passcode of its FIDO keys is in a file.
  public var hasPasscodeFile: Bool { self[FIDOKeys.passcodeFile] != nil }
}
