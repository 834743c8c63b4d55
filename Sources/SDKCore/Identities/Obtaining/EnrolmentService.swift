import HTTP
import JSON
import OAuth
import Primitives
import Synchronization

/// The service that issues the identities of a profile, as its section `identity` says.
struct EnrolmentService: IdentityObtaining {
  private let kind: EnrolmentKind
  let context: EnrolmentContext

  init?(
    _ environment: SessionEnvironment, _ questions: EnrolmentQuestions,
    trace: (@Sendable (String) -> Void)?
  ) {
    guard let kind = environment.profile.identityObtain else { return nil }
    self.kind = kind
    context = EnrolmentContext(
      environment: environment, questions: questions, trace: trace)
  }

  var name: String { kind.rawValue }

  func prepare(renewing current: Identity?) async throws(SDKError) {
    try requirePins()
    if let slot = context.tokenSlot(of: kind) {
      try await context.questions.prepareToken(slot)
    } else if kind == .est, let user = context.profile.identityUser {
      try await context.preparePassword(of: user)
    } else if kind == .sls {
      try await SecureLoginObtainer(context: context).prepare(renewing: current)
    }
  }

  func requirePins() throws(SDKError) {
    let profile = context.profile
    try context.environment.requirePins(
      of: [profile.identityURL, profile.identityAttributesURL, profile.identityRequestURL]
        .compactMap { $0 })
  }

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    try requirePins()
    return switch kind {
    case .est: try await ESTObtainer(context: context).obtain(request)
    case .sap: try await CertificateServiceObtainer(context: context).obtain(request)
    case .sls: try await SecureLoginObtainer(context: context).obtain(request)
    case .command: try await CommandObtainer(context: context).obtain(request)
    }
  }

  func retire(_ identity: Identity) async throws(SDKError) {
    if kind == .sap { try await CertificateServiceObtainer(context: context).retire(identity) }
  }
}

struct EnrolmentQuestions: Sendable {
  var password: (@Sendable (_ user: String) async throws(SDKError) -> String)?
  /// The input that a Secure Login Server requires, by the name of the field.
  var input: (@Sendable (SecureLoginInput) async throws(SDKError) -> [String: String])?
  /// Asks for the passcode of a sealed token that must be renewed, and for a login that is needed, before a lock is taken.
  var prepareToken: @Sendable (CredentialSlot) async throws(SDKError) -> Void = { _ in }
  /// The header field with a valid token of a slot; the user is logged in first if that helps and somebody can be asked.
  var token: @Sendable (CredentialSlot) async throws(SDKError) -> HTTPField = {
    (_) throws(SDKError) in throw SDKError(.unavailable, cause: "there is no token")
  }
}

struct EnrolmentContext: Sendable {
  /// Its transport sends requests behind the profile's pins, without observers.
  let environment: SessionEnvironment
  let questions: EnrolmentQuestions
  let trace: (@Sendable (String) -> Void)?
  /// What a person was asked for before a lock was taken.
  let prepared = PreparedEnrolment()
  var profile: Profile { environment.profile }
  func now() -> Timestamp { environment.now() }

  /// The slot whose token the service gets; `nil` for none.
  func tokenSlot(of kind: EnrolmentKind) -> CredentialSlot? {
    profile.identityToken ?? (kind == .sap ? .user : nil)
  }
}

extension EnrolmentContext {
  /// What a client shows beside a certificate: the password of `identity.user` from `identity.passwordFile`, or the
  /// token of the slot `identity.token`; nothing if the profile names neither.
  func credential() async throws(SDKError) -> HTTPFields {
    if let slot = profile.identityToken { return [try await questions.token(slot)] }
    guard let user = profile.identityUser else { return [] }
    let pair = Base64.encode(Array("\(user):\(try await password(of: user))".utf8))
    return [HTTPField(known: "Authorization", "Basic \(pair)")]
  }

  /// Asks a person for the password, which ``password(of:)`` then returns once.
  func preparePassword(of user: String) async throws(SDKError) {
    guard profile.identityPasswordFile == nil, questions.password != nil else { return }
    let known = prepared.password.withLock { $0 }
    if known == nil {
      let password = try await password(of: user)
      prepared.password.withLock { $0 = password }
    }
  }

  /// The password of a user at the enrolment service: of a file, or of a person.
  func password(of user: String) async throws(SDKError) -> String {
    if let password = prepared.password.withLock({ $0.take() }) { return password }
    if let path = profile.identityPasswordFile {
      return try await SecretFile.line(of: path, "password (identity.passwordFile)")
    }
    guard let ask = questions.password else {
      throw SDKError(
        .invalidConfiguration,
        cause: "there is no password for '\(user)': no identity.passwordFile",
        subject: "identity.passwordFile")
    }
    return try await ask(user)
  }
}

/// What a person has given for an enrolment, until it is used.
final class PreparedEnrolment: Sendable {
  let password = Mutex<String?>(nil)
  /// Logins at a Secure Login Server, by the identity that each renews; `nil` for a new one.
  let logins = Mutex<[IdentityName?: SecureLogin]>([:])
}
