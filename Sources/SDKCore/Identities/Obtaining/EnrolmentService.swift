import HTTP
import JSON
import OAuth
import Primitives

/// The service that issues the identities of a profile, as its section `identity` says.
struct EnrolmentService: IdentityObtaining {
  private let kind: EnrolmentKind
  let context: EnrolmentContext

  /// The service that the profile names; `nil` if it names none.
  init?(
    _ environment: SessionEnvironment, _ tokens: any EnrolmentTokens,
    _ questions: EnrolmentQuestions, trace: (@Sendable (String) -> Void)?
  ) {
    guard let kind = environment.profile.identityObtain else { return nil }
    self.kind = kind
    context = EnrolmentContext(
      environment: environment, tokens: tokens, questions: questions, trace: trace)
  }

  var name: String { kind.rawValue }

  func prepare(renewing current: Identity?) async throws(SDKError) {
    try requirePins()
    if let slot = context.tokenSlot(of: kind) {
      try await context.tokens.prepare(slot)
    } else if kind == .est, let user = context.profile.identityUser {
      try await context.preparePassword(of: user)
    } else if kind == .sls {
      try await SecureLoginObtainer(context).prepare(renewing: current)
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
    case .est: try await ESTObtainer(context).obtain(request)
    case .sap: try await CertificateServiceObtainer(context).obtain(request)
    case .sls: try await SecureLoginObtainer(context).obtain(request)
    case .command: try await CommandObtainer(context).obtain(request)
    }
  }
}

extension EnrolmentService {
  func retire(_ identity: Identity) async throws(SDKError) {
    if kind == .sap { try await CertificateServiceObtainer(context).retire(identity) }
  }
}

/// The tokens that an enrolment service gets.
protocol EnrolmentTokens: Sendable {
  /// Asks for the passcode of a sealed token that must be renewed, and for a login that is needed, before a lock is taken.
  func prepare(_ slot: CredentialSlot) async throws(SDKError)

  /// The header field with a valid token of a slot; the user is logged in first if that helps and somebody can be asked.
  func authorization(of slot: CredentialSlot) async throws(SDKError) -> HTTPField
}

/// What an enrolment service may ask a person; `nil` if nobody can be asked.
struct EnrolmentQuestions: Sendable {
  /// The password of a user at the enrolment service.
  var password: (@Sendable (_ user: String) async throws(SDKError) -> String)?
  /// The input that a Secure Login Server requires, by the name of the field.
  var input: (@Sendable (SecureLoginInput) async throws(SDKError) -> [String: String])?
}

/// What an enrolment service may use of its session.
struct EnrolmentContext: Sendable {
  /// Its transport sends requests behind the profile's pins, without observers.
  let environment: SessionEnvironment
  let tokens: any EnrolmentTokens
  let questions: EnrolmentQuestions
  /// Takes lines about what happens.
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
