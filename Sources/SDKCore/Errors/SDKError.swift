public import HTTP
import OAuth
import Primitives

/// The error that the library throws; more codes may be added.
///
/// A program decides by ``code`` and shows ``message`` to people; ``resource`` has the number of
/// the same failure in the vendors' SDKs.
public struct SDKError: Error, Sendable, Hashable, CustomStringConvertible {
  struct Members: Sendable, Hashable {
    var code: Code
    var message: String
    /// Whether the message is only the cause, without the action that failed.
    var isCause = false
    var isAboutHost = false
    var isTimeout = false
    var localCause: LocalCause?
    var details: [String]
    var resource: ResourceError
    let serverError: String?
    let subject: String?
    var givenRemedy: Remedy?
    var reason: OAuthError.Reason?
    var detailCode: DetailCode?
    var metrics: TransferMetrics?
    var pause: Int64?
  }

  /// In an object: every function that may fail has memory for an error.
  private var shared: Shared<Members>
  var members: Members {
    get { shared.value }
    set { shared = Shared(newValue) }
  }

  /// The kind of failure.
  public var code: Code { members.code }
  /// `could not VERB the NOUN: cause`, in lower case, without a period and without secrets.
  public var message: String { members.message }
  /// The message.
  public var description: String { message }
  var isAboutHost: Bool { members.isAboutHost }
  package var isTimeout: Bool { members.isTimeout }
  /// What of this machine is the cause, so that no server is to blame; `nil` if that is not known.
  package var localCause: LocalCause? { members.localCause }
  /// Further lines for people, such as the keys of a chain and the pinned keys.
  public var details: [String] { members.details }
  /// The vendors' domain and number.
  public var resource: ResourceError { members.resource }
  /// The server's OAuth error code (RFC 6749 section 5.2), when it sent one.
  public var serverError: String? { members.serverError }
  /// The host, profile or file that the failure is about.
  public var subject: String? { members.subject }
  /// The remedy, if it does not follow from the code.
  var givenRemedy: Remedy? { members.givenRemedy }
  /// What a server's response tells beyond the kind of failure.
  var reason: OAuthError.Reason? { members.reason }
  /// What has failed more exactly than ``code`` says, if who has made the error knows it.
  package var detailCode: DetailCode? { members.detailCode }
  /// The seconds that the server asks to wait before another try; `nil` if it does not say.
  public var pause: Int64? { members.pause }
  /// The metrics of the transfer that failed; `nil` if none was begun.
  public var metrics: TransferMetrics? { members.metrics }

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, details: [String] = [], resource: ResourceError? = nil,
    serverError: String? = nil, subject: String? = nil, remedy: Remedy? = nil
  ) {
    shared = Shared(
      Members(
        code: code, message: message, details: details, resource: resource ?? ResourceError(code),
        serverError: serverError, subject: subject, givenRemedy: remedy))
  }

  /// The same error with another code, and the vendors' number of another access.
  func with(_ code: Code, resource: ResourceError) -> SDKError {
    var error = self
    error.members.givenRemedy = remedy
    (error.members.code, error.members.resource) = (code, resource)
    return error
  }

  package func with(remedy: Remedy) -> SDKError {
    var error = self
    error.members.givenRemedy = remedy
    return error
  }

  func adding(_ detail: String) -> SDKError {
    var error = self
    error.members.givenRemedy = remedy
    error.members.details.append(detail)
    return error
  }

  /// Makes an error with only its cause; ``during(_:)`` adds the action that failed.
  package init(
    _ code: Code, cause: String, details: [String] = [], resource: ResourceError? = nil,
    serverError: String? = nil, subject: String? = nil, remedy: Remedy? = nil
  ) {
    self.init(
      code, cause, details: details, resource: resource, serverError: serverError,
      subject: subject, remedy: remedy)
    members.isCause = true
  }

  /// The error of an action, "could not VERB the NOUN", that failed for this cause.
  ///
  /// An error that names its action stays as it is. The host of a connection is named, if neither
  /// the action nor the cause does.
  package func during(_ action: String) -> SDKError {
    guard members.isCause else { return self }
    var cause = message
    if isAboutHost, let subject, !action.containsText(subject), !cause.containsText(subject) {
      cause = "\(subject): \(cause)"
    }
    var error = self
    error.members.message = "\(action): \(cause)"
    error.members.isCause = false
    return error
  }

  /// The same error, with the part of the action that failed before its cause.
  package func naming(_ part: String) -> SDKError {
    guard members.isCause else { return self }
    var error = self
    error.members.message = "\(part): \(message)"
    return error
  }

  /// Whether the same request may succeed later.
  public var isRetryable: Bool { [.network, .busy, .changedElsewhere].contains(code) }

  /// Whether a document of the store cannot be understood.
  var isDamage: Bool { code == .store || code == .invalidConfiguration }

  /// Whether the cause is a missing or expired login.
  package var asksForLogin: Bool { code == .notAuthenticated || code == .sessionExpired }
}

extension SDKError {
  /// The kinds of failure.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, as `--json` errors carry it.
    public let description: String

    /// There is no such profile, or none is chosen.
    public static let noProfile = Code(description: "no_profile")
    /// A configured value is missing or invalid.
    public static let invalidConfiguration = Code(description: "invalid_configuration")
    /// A store file cannot be read, understood or written.
    public static let store = Code(description: "store_failed")
    /// A store file is of a newer version than this program supports.
    public static let storeVersion = Code(description: "store_version")
    /// Other users own a store file, or can read or change it.
    public static let storePermissions = Code(description: "store_permissions")
    /// The program that keeps the secrets failed; of the documents nothing is known.
    public static let storeUnavailable = Code(description: "store_unavailable")
    /// The request is not valid; nothing was sent.
    public static let invalidRequest = Code(description: "invalid_request")
    /// This installation is not registered at the server.
    public static let notRegistered = Code(description: "not_registered")
    /// This installation is registered, but at another server than the profile names.
    public static let registeredElsewhere = Code(description: "registered_elsewhere")
    /// The client's secret has expired.
    public static let clientExpired = Code(description: "client_expired")
    /// The slot has no credential.
    public static let notAuthenticated = Code(description: "not_authenticated")
    /// The credential of the slot is void or expired, and cannot be renewed.
    public static let sessionExpired = Code(description: "session_expired")
    /// The resource requires a new login of the user, or another way to authenticate (RFC 9470).
    public static let stepUpRequired = Code(description: "step_up_required")
    /// The server refused the request.
    public static let refused = Code(description: "refused")
    /// The user refused.
    public static let denied = Code(description: "denied")
    /// The server responded with an HTTP status of 400 or more.
    public static let httpStatus = Code(description: "http_status")
    /// The network failed, or the server could not be reached or failed.
    public static let network = Code(description: "network")
    /// TLS refused the server.
    public static let tls = Code(description: "tls")
    /// The pins refused the server, or there are none for it.
    public static let pin = Code(description: "pin")
    /// A client certificate is needed or was refused.
    public static let identity = Code(description: "identity")
    /// The profile has no service that issues client certificates.
    public static let noEnrolment = Code(description: "no_enrolment")
    /// A password or passphrase is missing or wrong.
    public static let wrongPassword = Code(description: "wrong_password")
    /// The passcode of an authenticator is wrong.
    public static let wrongPasscode = Code(description: "wrong_passcode")
    /// A file uses old algorithms, which must be allowed.
    public static let legacyAlgorithm = Code(description: "legacy_algorithm")
    /// The profile does not allow it.
    public static let policy = Code(description: "policy")
    /// Something that must be verified did not verify.
    public static let untrusted = Code(description: "untrusted")
    /// The server's response does not follow the protocol.
    public static let malformedResponse = Code(description: "malformed_response")
    /// The server does not offer what is needed.
    public static let unsupported = Code(description: "unsupported")
    /// Another process holds the lock.
    public static let busy = Code(description: "busy")
    /// Another machine has changed the document meanwhile, so that the result was not stored.
    public static let changedElsewhere = Code(description: "changed_elsewhere")
    /// The task was cancelled.
    public static let cancelled = Code(description: "cancelled")
    /// The data could not be read from or written to where the caller wanted it.
    public static let localData = Code(description: "local_data")
    /// A library that this one needs is missing or unsuitable.
    public static let unavailable = Code(description: "unavailable")
  }
}

extension SDKError {
  package static let cancelled = SDKError(.cancelled, cause: "cancelled")
}

package enum LocalCause: Sendable, Hashable {
  /// The file of authorities, and why it cannot be used.
  case authorities(String)
  /// The proxy, and why it cannot be used.
  case proxy(String)

  init?(_ error: TransportError) {
    switch error.code {
    case .caFile: self = .authorities(error.message)
    case .proxy, .proxyUnusable: self = .proxy(error.message)
    default: return nil
    }
  }
}
