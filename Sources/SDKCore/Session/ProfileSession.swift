public import HTTP
import OAuth
import POSIX
public import Pinning
package import Primitives

/// One opened profile, and the services that work with it.
///
/// Opening reads the profile and its pins. The transport is made for the first request, so that
/// work without network does not load libcurl.
public struct ProfileSession: Sendable {
  let environment: SessionEnvironment

  /// Opens a profile.
  ///
  /// - Parameters:
  ///   - name: the profile.
  ///   - store: where it is stored.
  ///   - injectedToken: an access token that is used in place of the stored one of the user.
  ///   - options: the caller's choices for requests, with its time limits.
  ///   - now: returns the time.
  ///   - pause: waits; throws if the task is cancelled.
  ///   - network: how the session reaches servers.
  /// - Throws: ``SDKError`` if the profile or its pins cannot be read.
  package init(
    _ name: ProfileName, in store: ProfileStore, injectedToken: String? = nil,
    options: SessionOptions = SessionOptions(),
    now: @escaping @Sendable () -> Timestamp = { SystemClock.now() },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    network: Network
  ) throws(SDKError) {
    self.init(
      try SessionEnvironment(
        name, in: store, injectedToken: injectedToken, options: options, limits: nil, now: now,
        pause: pause, network: network))
  }

  init(_ environment: SessionEnvironment) { self.environment = environment }

  /// Opens a profile that reaches servers by libcurl.
  ///
  /// - Throws: ``SDKError`` if the profile or its pins cannot be read.
  public init(
    opening name: ProfileName, in store: ProfileStore, injectedToken: String? = nil,
    options: SessionOptions = SessionOptions()
  ) throws(SDKError) {
    try self.init(
      name, in: store, injectedToken: injectedToken, options: options, network: .curl)
  }

  /// Opens a profile that reaches servers by a transport of the caller.
  ///
  /// For tests, and for programs with a network stack of their own. The transport must check the
  /// pins of the profile and the trust settings itself; ``PinService/probe(host:port:)`` uses libcurl,
  /// and a login does not check the host of the authorization endpoint before a browser opens.
  ///
  /// - Throws: ``SDKError`` if the profile or its pins cannot be read.
  public init(
    opening name: ProfileName, in store: ProfileStore, injectedToken: String? = nil,
    options: SessionOptions = SessionOptions(), transport: any Transport
  ) throws(SDKError) {
    let curl = Network.curl
    try self.init(
      name, in: store, injectedToken: injectedToken, options: options,
      network: Network(
        makeTransport: { _, _ in transport },
        makeHandshakes: { settings, options in
          Handshakes(probe: curl.makeHandshakes(settings, options).probe)
        }, version: curl.version))
  }

  /// The profile.
  public var profile: Profile { environment.profile }

  /// The pins of the profile.
  public var pins: PinSets { environment.pins }

  /// An access token from outside the store, which is used as the user's (CI).
  public var injectedToken: String? { environment.injectedToken }

  /// The tokens of the profile: valid, refreshed or narrowed.
  public var tokens: TokenService { TokenService(environment) }

  /// Login and logout.
  public var login: LoginService { LoginService(environment) }

  /// The registration of this installation at the authorization server.
  public var registration: RegistrationService { RegistrationService(environment) }

  /// The user's account at the provider: sign-up and password reset.
  public var account: AccountService { AccountService(environment) }

  /// Requests to resource servers.
  public var resources: ResourceService { ResourceService(environment) }

  /// Changes to the pins, and the certificates that servers present.
  public var pinning: PinService { PinService(environment) }

  /// The client certificates of the profile.
  public var identities: IdentityService { IdentityService(environment) }

  /// The authorization server of the profile.
  var server: AuthorizationServer { AuthorizationServer(environment) }

  /// The directories of the profile's files: configuration first, then state.
  public var directories: [String] {
    let location = environment.location
    return [location.configuration(of: profile.name), location.state(of: profile.name)]
  }

  /// The file or directory of the trusted authorities; `nil` for libcurl's own choice.
  public var authorities: String? {
    let settings = environment.transportSettings
    return settings.caFile(environment.options) ?? settings.caDirectory(environment.options)
  }

  /// By how many seconds this machine's clock is behind the authorization server's.
  ///
  /// Negative if it is ahead; `nil` if both agree to the minute, and before the first response.
  /// No decision depends on it.
  public var clockDelay: Int64? { environment.clock.behind }
}
