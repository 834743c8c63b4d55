public import JSON
package import OpenSSL
package import POSIX
package import Trace

/// The options of a session: network, questions to a person, reports.
///
/// The members of ``ConnectionOptions`` are members of these options too.
@dynamicMemberLookup
public struct SessionOptions: Sendable {
  /// The user whose slots are used; `nil` for the current one of the profile.
  public var userID: UserID?
  /// The choices for connections.
  public var connections: ConnectionOptions
  /// The name of the program: on the page that a browser shows after a login, as the name of the
  /// client in a registration, and in client certificates that are made here; `nil` for none.
  public var programName: String?
  /// The source of the access token from outside the store, as errors name it; `nil` for "the environment".
  public var injectedTokenName: String?

  package var process: @Sendable () -> ProcessProbe = { .current() }
  /// Loads the libraries that send requests, so that ``process`` sees them.
  package var loadLibraries: @Sendable () -> Void = { _ = try? NetworkLibrary.version() }

  /// What a guess of a passcode costs that protects keys of a way to log in.
  package var passcodeCost = ScryptCost.standard
  /// What a guess of a new passcode of sealed tokens costs; `nil` measures this machine.
  package var sealCost: ScryptCost?

  /// Takes the lines of each exchange when it has ended.
  ///
  /// They contain request, response, decoded parameters and tokens, connection and times. Secrets
  /// are redacted, also those that were just received.
  public var exchangeTrace: (@Sendable ([String]) -> Void)?

  /// Takes each exchange when it has ended, as an entry of an HTTP archive (HAR 1.2), redacted in the same way.
  public var exchangeEntries: (@Sendable (JSON) -> Void)?

  /// What is added to each token request of the session, besides the profile's; those of a login that is
  /// not repeated.
  public var tokenParameters: [TokenParameter] = []

  /// Called once with the seconds by which this machine's clock is behind the server's (negative if
  /// it is ahead), if that may be the reason for a refusal, and at a login.
  public var clockReport: (@Sendable (Int64) -> Void)?

  /// Called with changes to stored tokens that the caller did not request.
  public var noticeReport: (@Sendable (SessionNotice) -> Void)?

  /// The enrolment services that another module adds; a profile that needs one cannot be opened without it.
  public var enrolment: EnrolmentServices?
  /// Obtains and renews identities in place of the profile's enrolment service, which needs its module even so.
  public var identityService: (any IdentityObtaining)?
  /// Which identity resource requests show to servers that ask for one.
  public var identity = IdentityChoice.automatic
  /// Asks for the passphrase of a sealed identity that is needed; `nil` if nobody can be asked.
  public var identityUnlock: IdentityStore.Unlock?
  /// Asks for the PIN of a security token that has the key of an identity; `nil` if nobody can be asked.
  public var identityPIN: IdentityStore.PINSource?

  /// The ways to log in that other modules add; a profile that needs another one cannot be opened.
  public var loginMethods: [LoginMethod] = []

  /// The settings of profiles that a program with these options knows.
  public var settings: SettingTable {
    let modules = [enrolment?.settings].compactMap { $0 } + loginMethods.map(\.settings)
    return modules.isEmpty ? .core : SettingTable(modules)
  }

  /// Who is asked for the passcode of sealed tokens, and for a new one; `nil` if nobody can be asked.
  public var sealPasscode: (any PasscodeEntry)?

  /// Logs the user in if an enrolment service needs a token and there is none; `nil` if nobody can be asked.
  public var identityLogin:
    (@Sendable (ProfileSession, Remedy.Login) async throws(SDKError) -> Void)?

  /// Makes options with the names of the program; everything else has its default.
  public init(programName: String? = nil, userAgent: String = "SDKCore") {
    self.programName = programName
    connections = ConnectionOptions(userAgent: userAgent)
  }

  /// A choice for connections.
  public subscript<Value>(
    dynamicMember member: WritableKeyPath<ConnectionOptions, Value>
  ) -> Value {
    get { connections[keyPath: member] }
    set { connections[keyPath: member] = newValue }
  }
}

/// A way to log in that another module adds to the sessions of a program: ``SessionOptions/loginMethods``.
public struct LoginMethod: Sendable {
  package struct Context: Sendable {
    package let server: AuthorizationServer
    package let slots: TokenSlots
    package let identities: IdentityStore
    /// Learns the secrets that the trace must not show; `nil` without a trace.
    package let traceSecrets: TraceSecrets?
    /// What a guess of a passcode costs that protects keys of the method.
    package let passcodeCost: ScryptCost
  }

  let settings: ModuleSettings
  let learnPage: TraceSecrets.PageReader?
  let renewal: @Sendable (Context) -> any CredentialRenewal

  package init(
    _ settings: ModuleSettings, learnPage: TraceSecrets.PageReader? = nil,
    renewal: @escaping @Sendable (Context) -> any CredentialRenewal
  ) {
    self.settings = settings
    self.learnPage = learnPage
    self.renewal = renewal
  }
}

/// The enrolment services that another module adds to the sessions of a program: ``SessionOptions/enrolment``.
public struct EnrolmentServices: Sendable {
  package struct Context: Sendable {
    /// Its transport sends requests behind the profile's pins, without observers.
    package let environment: SessionEnvironment
    package let tokens: SessionTokens
    package let trace: (@Sendable (String) -> Void)?
  }

  let settings: ModuleSettings
  /// The service that a profile names; `nil` if it names none.
  let service: @Sendable (Context) -> (any IdentityObtaining)?

  package init(
    _ settings: ModuleSettings,
    service: @escaping @Sendable (Context) -> (any IdentityObtaining)?
  ) {
    (self.settings, self.service) = (settings, service)
  }
}
