import HTTP
import Primitives
public import SDKCore
import Synchronization

extension EnrolmentServices {
  /// All services of this module, of profiles with the setting `identity.obtain`; `questions` says who is asked for
  /// what a service wants of a person.
  public static func all(
    asking questions: EnrolmentQuestions = EnrolmentQuestions()
  ) -> EnrolmentServices {
    EnrolmentServices(.enrolment) { EnrolmentService($0, questions) }
  }
}

/// Who is asked for what an enrolment service wants of a person; `nil` if nobody can be asked.
public struct EnrolmentQuestions: Sendable {
  /// Returns the password of a user at the service.
  public var password: (@Sendable (_ user: String) async throws(SDKError) -> String)?
  /// Returns the input that a Secure Login Server requires, by the name of the field.
  public var input: (@Sendable (SecureLoginInput) async throws(SDKError) -> [String: String])?

  /// Makes questions that nobody is asked, unless closures are given.
  public init(
    password: (@Sendable (_ user: String) async throws(SDKError) -> String)? = nil,
    input: (@Sendable (SecureLoginInput) async throws(SDKError) -> [String: String])? = nil
  ) {
    (self.password, self.input) = (password, input)
  }
}

/// The service that issues the identities of a profile, as its section `identity` says.
struct EnrolmentService: IdentityObtaining {
  private let kind: EnrolmentKind
  let context: EnrolmentContext

  init?(_ session: EnrolmentServices.Context, _ questions: EnrolmentQuestions) {
    guard let kind = session.environment.profile[EnrolmentKeys.obtain] else { return nil }
    self.kind = kind
    context = EnrolmentContext(session: session, questions: questions)
  }

  var name: String { kind.rawValue }

  func prepare(renewing current: Identity?) async throws(SDKError) {
    try requirePins()
    if let slot = context.tokenSlot(of: kind) {
      try await context.session.tokens.prepare(slot, of: context.profile[EnrolmentKeys.profile])
    } else if kind == .est, let user = context.profile[EnrolmentKeys.user] {
      try await context.preparePassword(of: user)
    } else if kind == .sls {
      try await SecureLoginObtainer(context: context).prepare(renewing: current)
    }
  }

  func requirePins() throws(SDKError) {
    let keys = [EnrolmentKeys.url, EnrolmentKeys.attributesURL, EnrolmentKeys.requestURL]
    try context.environment.requirePins(of: keys.compactMap { context.profile[$0] })
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

struct EnrolmentContext: Sendable {
  let session: EnrolmentServices.Context
  let questions: EnrolmentQuestions
  /// What a person was asked for before a lock was taken.
  let prepared = PreparedEnrolment()
  var environment: SessionEnvironment { session.environment }
  var profile: Profile { environment.profile }
  func now() -> Timestamp { environment.now() }

  /// The slot whose token the service gets; `nil` for none.
  func tokenSlot(of kind: EnrolmentKind) -> CredentialSlot? {
    profile[EnrolmentKeys.token] ?? (kind == .sap ? .user : nil)
  }
}

extension EnrolmentContext {
  /// What a client shows beside a certificate: the password of `identity.user` from `identity.passwordFile`, or the
  /// token of the slot `identity.token`; nothing if the profile names neither.
  func credential() async throws(SDKError) -> HTTPFields {
    if let slot = profile[EnrolmentKeys.token] { return [try await token(slot)] }
    guard let user = profile[EnrolmentKeys.user] else { return [] }
    let pair = Base64.encode(Array("\(user):\(try await password(of: user))".utf8))
    return [HTTPField(known: "Authorization", "Basic \(pair)")]
  }

  /// The header field with a valid token of a slot; the user is logged in first if that helps and somebody can be asked.
  func token(_ slot: CredentialSlot) async throws(SDKError) -> HTTPField {
    try await session.tokens.authorization(of: slot, of: profile[EnrolmentKeys.profile])
  }

  /// Reads the password, or asks a person for it, which ``password(of:)`` then returns once.
  func preparePassword(of user: String) async throws(SDKError) {
    let known = prepared.password.withLock { $0 }
    if known == nil {
      let password = try await password(of: user)
      prepared.password.withLock { $0 = password }
    }
  }

  /// The password of a user at the enrolment service: of a file, or of a person.
  func password(of user: String) async throws(SDKError) -> String {
    if let password = prepared.password.withLock({ $0.take() }) { return password }
    if let path = profile[EnrolmentKeys.passwordFile] {
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
