import OAuth
package import POSIX

extension SDKError {
  /// What would help, if that is known.
  public var remedy: Remedy? { givenRemedy ?? remedyOfNumber ?? remedyOfCode }

  /// What the vendor says of a number that only a server sends.
  private var remedyOfNumber: Remedy? {
    guard code == .refused, serverError != "invalid_client" else { return nil }
    return switch resource {
    case .deviceDeregistered: .registerAnew
    case .userDeregistered: .login
    case .outdatedApplication: .updateApplication
    case .outdatedOS: .updateSystem
    default: nil
    }
  }

  private var remedyOfCode: Remedy? {
    switch code {
    case .noProfile: .chooseProfile
    // A missing passcode or key is another registration than that of the client.
    case .notRegistered:
      detailCode == nil && resource == .deviceNotAuthenticated ? .register : nil
    case .registeredElsewhere: .registerAnew
    case .notAuthenticated, .sessionExpired: .login
    case .refused where serverError == "invalid_client": clientRemedy
    case .refused where serverError == "unauthorized_client": grantRemedy
    case .pin: pinRemedy
    case .invalidConfiguration: configurationRemedy
    case .untrusted, .unsupported: serverRemedy
    default: nil
    }
  }

  private var serverRemedy: Remedy? {
    switch reason {
    // Often only the final slash differs.
    case .namedIssuer(let name): .setProfile(key: "issuer", value: name)
    case .missingEndpoint(.registration): .register(Remedy.Registering(client: .existing(nil)))
    case .missingEndpoint, .refusedClient, .page, nil: nil
    }
  }

  private var refusedClient: RefusedClient? {
    if case .refusedClient(let client) = reason { client } else { nil }
  }

  /// To pin a host is right if it has no pins, never if its pins do not match.
  private var pinRemedy: Remedy? {
    guard let host = subject else { return nil }
    return details.isEmpty ? .pinHost(host) : .checkPins(host: host)
  }

  /// A client that somebody gave must not be replaced by a new one.
  private var clientRemedy: Remedy {
    switch refusedClient {
    case .encoded: .setProfile(key: "basicEncoding", value: "raw")
    case .given: .compareClient
    // The server has forgotten this installation, or never knew it.
    case .registered, nil: .registerAnew
    }
  }

  /// A new registration would end the login, and may lack the grant again.
  private var grantRemedy: Remedy? {
    switch refusedClient {
    case .registered, .given: .allowGrant
    case .encoded, nil: nil
    }
  }

  private var configurationRemedy: Remedy? {
    switch subject {
    case "issuer", "resourceURL": .setProfile(key: subject ?? "", value: nil)
    case "insecureLoopback": .setProfile(key: "insecureLoopback", value: "true")
    default: nil
    }
  }
}

extension SDKError {
  static func unwritable(_ action: String, _ error: SystemError) -> SDKError {
    SDKError(.store, "\(action): \(error)", remedy: error.isReadOnly ? .writableStore : nil)
  }
}

extension Remedy {
  /// The protection of files that an error of the system asks for.
  package init?(_ error: SystemError) {
    guard !error.protections.isEmpty else { return nil }
    self = .protect(error.protections)
  }
}
