import OAuth
import POSIX
import Primitives
package import SDKCore

extension Failure {
  /// The exit status and the hints of a library error; nothing else chooses them.
  package init(_ error: SDKError, profile: ProfileName? = nil) {
    self.init(ExitCode(error.code), error.code.description, error.message)
    details = error.details
    resource = error.resource
    isRetryable = error.isRetryable
    hints = Hints(error: error, profile: profile).lines
  }
}

extension ExitCode {
  init(_ code: SDKError.Code) {
    switch code {
    case .noProfile, .invalidConfiguration, .store, .storeVersion, .storePermissions:
      self = .configuration
    case .invalidRequest: self = .usage
    case .notRegistered, .registeredElsewhere, .clientExpired, .notAuthenticated, .sessionExpired,
      .stepUpRequired:
      self = .authenticationRequired
    case .refused: self = .refused
    case .network: self = .network
    case .tls: self = .tls
    case .pin: self = .pin
    case .identity: self = .identity
    case .policy: self = .policy
    case .untrusted: self = .verification
    case .busy: self = .busy
    case .denied, .cancelled: self = .declined
    default: self = .failure
    }
  }
}

/// What a person can do about an error, as lines that can be pasted.
private struct Hints {
  let error: SDKError
  let profile: ProfileName?

  var lines: [String] {
    if let remedy = error.remedy { return [remedy] }
    switch error.code {
    case .noProfile: return ["sdkctl profile list"]
    case .notRegistered: return [command("register")]
    case .registeredElsewhere: return [command("register --force")]
    case .notAuthenticated, .sessionExpired: return [command("login")]
    case .refused where error.serverError == "invalid_client": return clientHints
    case .pin: return pinHints
    case .invalidConfiguration: return configurationHints
    case .unsupported where error.missingEndpoint == .registration:
      return [command("register --client-id ID")]
    default: return []
    }
  }

  /// To pin a host is right when it has no pins, never when its pins do not match.
  private var pinHints: [String] {
    guard let host = error.subject else { return [] }
    if error.details.isEmpty { return [command("pin add \(ShellWord.quoted(host))")] }
    return [command("pin check \(ShellWord.quoted(host))")]
  }

  /// A client that somebody gave is not to be replaced by a new one.
  private var clientHints: [String] {
    switch error.refusedClient {
    case .encoded: [command("profile set basicEncoding=raw")]
    case .given: ["compare the client id and its secret with those at the provider"]
    // The server has forgotten this installation, or never knew it.
    case .registered, nil: [command("register --force")]
    }
  }

  private var configurationHints: [String] {
    switch error.subject {
    case "issuer", "resourceURL":
      [command("profile set \(error.subject ?? "")=https://HOST/PATH")]
    case "insecureLoopback": [command("profile set insecureLoopback=true")]
    default: []
    }
  }

  private func command(_ rest: String) -> String {
    profile.map { "sdkctl -p \($0) \(rest)" } ?? "sdkctl \(rest)"
  }
}
