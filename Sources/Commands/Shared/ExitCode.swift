import Arguments

/// The exit status of every command: one for each decision that a script takes.
///
/// The manual's tables are made from this one.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case failure = 1
  case usage = 2
  case configuration = 3
  case authenticationRequired = 4
  case refused = 5
  case network = 6
  case tls = 7
  case pin = 8
  case identity = 9
  case policy = 10
  case verification = 11
  case clientError = 12
  case serverError = 13
  case busy = 14
  case declined = 15
  case notValidNow = 16
  case notExecutable = 126
  case notFound = 127
  case interrupted = 130
  case brokenPipe = 141
  case terminated = 143

  var summary: String {
    switch self {
    case .success: "Success"
    case .failure: "Another failure"
    case .usage: "The command line is wrong; nothing was done"
    case .configuration: "No profile, an invalid value, or a store that cannot be used"
    case .authenticationRequired: "Not registered, not logged in, or the login expired"
    case .refused: "The server refused"
    case .network: "Name, connection, timeout, or a server that fails"
    case .tls: "TLS refused the server: chain, host name or protocol"
    case .pin: "No pinned key in the server's chain, or no pins for the host"
    case .identity: "A client certificate is needed, was refused or has expired"
    case .policy: "The profile does not allow it"
    case .verification: "A token, a signature or another check did not verify"
    case .clientError: "The resource server returned an HTTP status 4xx"
    case .serverError: "The resource server returned an HTTP status 5xx"
    case .busy: "A lock was not free in time"
    case .declined: "A person declined or cancelled"
    case .notValidNow: "A token is genuine, but expired or not yet valid"
    case .notExecutable: "`exec` or `proxy` could not run the command, which exists"
    case .notFound: "`exec` or `proxy` did not find the command"
    case .interrupted: "Ended by SIGINT"
    case .brokenPipe: "Ended by SIGPIPE: the reader of the output closed it"
    case .terminated: "Ended by SIGTERM"
    }
  }

  /// What a script does about it.
  var advice: String {
    switch self {
    case .usage, .configuration: "stops: the command line or the profile must be corrected"
    case .authenticationRequired: "runs `sdkctl login` or `sdkctl register`"
    case .notValidNow: "runs `sdkctl token refresh` or `sdkctl login`"
    case .network, .serverError, .busy: "tries again later"
    case .pin: "does not retry; it runs `sdkctl pin check`"
    default: ""
    }
  }

  /// What a command needs that may end with it; `nil` for those that name it.
  private var needs: Needs? {
    switch self {
    case .success, .failure, .usage, .configuration: []
    case .network, .tls, .pin: .network
    case .authenticationRequired, .refused, .identity, .policy, .verification, .busy: .session
    case .declined: .terminal
    case .clientError, .serverError, .notValidNow, .notExecutable, .notFound, .interrupted,
      .brokenPipe, .terminated:
      nil
    }
  }

  static let rows: [ExitCodeRow] = allCases.map {
    ExitCodeRow(
      code: $0.rawValue, name: "\($0)", summary: $0.summary, advice: $0.advice, needs: $0.needs)
  }
}
