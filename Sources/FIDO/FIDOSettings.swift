import HTTP
import JSON
import OpenSSL
import Primitives
public import SDKCore
import UAF

/// The settings of a profile for its FIDO server: the section `fido`.
struct FIDOSettings: Sendable {
  let profile: Profile
  /// The URL of the server, which paths are appended to.
  let base: HTTPURL

  /// Reads the section `fido`, which must have `fido.url`.
  init(_ profile: Profile) throws(SDKError) {
    base = try profile.required(FIDOKeys.url)
    self.profile = profile
  }

  func url(_ path: Key<String>) throws(SDKError) -> HTTPURL {
    try attempt(as: .invalidConfiguration) { try base.appending(profile[path]) }
  }

  /// What this program is to the server.
  var facetID: String { profile[FIDOKeys.facetID] ?? base.origin }

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
  /// How its software authenticator presents itself, and how it verifies its user; the model is that of the profile
  /// unless another is named.
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

/// The settings of FIDO keys: the section `fido`.
enum FIDOKeys {
  static let url = Key<HTTPURL?>(
    "fido.url", .fidoServer, .server, .address,
    "The base URL of the FIDO UAF server, which gets the user's token; the paths are appended",
    example: "https://fido.example.com")
  static let registrationRequestPath = Key<String>(
    "fido.registrationRequestPath", .fidoServer, .urlPath, .harmless,
    default: "/uaf/1.1/request/registration/", "Where a registration is asked for",
    example: "/uaf/1.1/request/registration/")
  static let registrationResponsePath = Key<String>(
    "fido.registrationResponsePath", .fidoServer, .urlPath, .harmless,
    default: "/uaf/1.1/registration/", "Where the response to a registration request is sent",
    example: "/uaf/1.1/registration/")
  static let authenticationRequestPath = Key<String>(
    "fido.authenticationRequestPath", .fidoServer, .urlPath, .harmless,
    default: "/uaf/1.1/request/authentication/", "Where an authentication is asked for",
    example: "/uaf/1.1/request/authentication/")
  static let authenticationResponsePath = Key<String>(
    "fido.authenticationResponsePath", .fidoServer, .urlPath, .harmless,
    default: "/uaf/1.1/authentication/", "Where the response to an authentication request is sent",
    example: "/uaf/1.1/authentication/")
  static let deregistrationRequestPath = Key<String>(
    "fido.deregistrationRequestPath", .fidoServer, .urlPath, .harmless,
    default: "/uaf/1.1/request/deregistration/", "Where a deregistration is asked for",
    example: "/uaf/1.1/request/deregistration/")
  static let dispatchTargetPath = Key<String>(
    "fido.dispatchTargetResourcePath", .fidoServer, .urlPath, .harmless,
    default: "/token/dispatch/targets/", "Where dispatch targets are listed, created and deleted",
    example: "/token/dispatch/targets/")
  static let requestForm = Key<String>(
    "fido.requestForm", .fidoServer, .choice("uaf", "username"), .harmless, default: "uaf",
    "What asks for an authentication: a UAF message, or the user's name as in an Identity Suite",
    example: "username")
  static let appID = Key<String?>(
    "fido.appID", .fidoAuthenticator, .text, .destination,
    "The only application ID that a FIDO request may have",
    example: "https://fido.example.com/facets")
  static let facetID = Key<String?>(
    "fido.facetID", .fidoAuthenticator, .text, .destination,
    "What this program is to the server; the origin of fido.url without it",
    example: "https://fido.example.com")
  static let aaid = Key<AAID?>(
    "fido.aaid", .fidoAuthenticator,
    .text("VVVV#MMMM, of hexadecimal digits") { AAID($0) }, .harmless,
    "The model of the software authenticator, VVVV#MMMM", example: "F1D0#1001")
  static let attestation = Key<String>(
    "fido.attestation", .fidoAuthenticator, .choice("full", "surrogate"), .harmless,
    default: "full", "Whether a certificate or the key itself signs a registration",
    example: "surrogate")
  static let encoding = Key<String>(
    "fido.encoding", .fidoAuthenticator, .choice("der", "raw"), .harmless, default: "der",
    "The form of FIDO keys and signatures: der (0x101, 0x02) or raw (0x100, 0x01)", example: "raw")
  static let allowsNoVerification = Key<Bool>(
    "fido.noVerification", .fidoAuthenticator, .flag, .exposes, default: false,
    "Whether keys without a passcode are allowed, such as those of a CI job", example: "true")
  static let key = Key<String?>(
    "fido.key", .fidoAuthenticator,
    .text("a PKCS #11 URI") { text in
      _ = try PKCS11URI(text)
      return text
    }, .local,
    "The authenticator's key in a security token: a PKCS #11 URI", example: "pkcs11:object=fido")
  static let passcodeFile = Key<String?>(
    "fido.passcodeFile", .fidoPasscode, .path, .local,
    "A file with the passcode, for fido login and for a login after a 401",
    example: "/home/alice/fido-pin")
  static let user = Key<String?>(
    "fido.user", .fidoLogin, .text, .harmless, "The account at the FIDO server, if none is named",
    example: "alice",
    needs: { _, _ in ["fido.url"] })
  static let maximumRetries = Key<Int>(
    "fido.authenticationMaxRetries", .fidoLogin, .count(from: 0), .harmless, default: 3,
    "How often an authentication is repeated while the server does not know the key yet",
    example: "5")
  static let retryInterval = Key<Int64>(
    "fido.authenticationRetryInterval", .fidoLogin, .seconds, .harmless, default: 1,
    "The wait before each of these repetitions", example: "2")
  static let networkTimeout = Key<Int64>(
    "fido.networkTimeout", .fidoLogin, .seconds, .harmless, default: 60,
    "How long a request to the FIDO server may take", example: "30")
  static let interactionTimeout = Key<Int64>(
    "fido.userInteractionTimeout", .fidoLogin, .seconds, .harmless, default: 240,
    "How long a person has to enter the passcode or to confirm a transaction", example: "120")
  static let provider = Key<String?>(
    "fido.provider", .fidoLogin, .choice("cookies", "jwt"), .harmless,
    "What fido login yields; without it, a JWT if there is one, else cookies", example: "jwt")
  static let jwt = Key<ReturnedTokenSource?>(
    "fido.jwt", .fidoLogin, .tokenPlace, .harmless,
    "Where its JWT is: header:NAME, member:NAME or cookie:NAME", example: "cookie:token")
  static let cookies = Key<[String]>(
    "fido.cookies", .fidoLogin, .words, .harmless, default: [],
    "The cookies without which fido login has failed; only they are stored", example: "SESSION")
  /// Which passcodes may be chosen.
  static let passcode = PasscodeKeys(
    "fido", .fidoPasscode, lengths: 6...64, atLimit: "lock the authenticator")

  static let rows: [ProfileKey] =
    [
      url.row, registrationRequestPath.row, registrationResponsePath.row,
      authenticationRequestPath.row, authenticationResponsePath.row, deregistrationRequestPath.row,
      dispatchTargetPath.row, requestForm.row, appID.row, facetID.row, aaid.row, attestation.row,
      encoding.row, allowsNoVerification.row, key.row, passcodeFile.row,
    ] + passcode.rows + [
      user.row, maximumRetries.row, retryInterval.row, networkTimeout.row, interactionTimeout.row,
      provider.row, jwt.row, cookies.row,
    ]
}

extension SettingHeading {
  fileprivate static let fidoServer = SettingHeading("FIDO server")
  fileprivate static let fidoAuthenticator = SettingHeading("FIDO authenticator")
  fileprivate static let fidoPasscode = SettingHeading("FIDO passcode")
  fileprivate static let fidoLogin = SettingHeading("FIDO login")
}

extension ModuleSettings {
  /// The section `fido` of a profile.
  public static let fido = ModuleSettings(.fido, at: FIDOKeys.url, keys: FIDOKeys.rows)
}

/// How the software authenticator of a profile presents itself, and how it verifies its user.
struct AuthenticatorSettings: Sendable, Hashable {
  /// How the user proves to be the one who registered.
  enum UserVerification: Sendable, Hashable {
    /// By a passcode, under which the keys are encrypted.
    case passcode
    /// By the PIN of a security token, which has the key (RFC 7512).
    case securityToken(uri: String)
    /// Not at all: whoever can read the file can act for the user.
    case none
  }

  /// The model of the authenticator, as the server knows it.
  var aaid: AAID
  /// How signatures and public keys are written.
  var encoding: AssertionEncoding
  /// Who vouches for new keys.
  var attestation: AttestationType
  /// How the user is verified.
  let userVerification: UserVerification
  /// Which passcodes may be chosen, and how many wrong ones lock the authenticator.
  var passcodePolicy: PasscodePolicy

  /// - Throws: ``SDKError/Code/policy`` for no verification, if the profile does not allow it.
  init(
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
