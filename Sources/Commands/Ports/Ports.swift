package import POSIX
package import Primitives
package import SDKCore
import SharedStore

/// What commands use of the world outside: real in the program, replaced in tests.
///
/// The store is found through `environment`, so a test has one in a directory of its own.
package struct Ports: Sendable {
  package var environment: Environment
  /// The words of the command line without the program's name.
  package var arguments: [String] = []
  package var input: Input = .standard
  package var output: Output = .standard
  package var errors: Output = .errors
  /// The administrator's profiles and defaults.
  package var site: String? = StoreLocation.siteDirectory
  /// The directory in which a file may name the profile.
  package var directory: @Sendable () -> String? = { Paths.current }
  /// The time.
  package var now: @Sendable () -> Timestamp = { SystemClock.now() }
  /// The local time of an instant; `nil` where it is UTC.
  package var localTime: @Sendable (Timestamp) -> String? = { SystemClock.local($0) }
  /// Waits; throws if the task is cancelled.
  package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  package var terminal = TerminalPort()
  package var browser: any BrowserPort = SystemBrowser()
  package var network: Network = .curl
  /// How machines share secrets.
  package var sharing = StoreSharing.etcd
  /// Obtains and renews identities; `nil` for the profile's enrolment service.
  package var identityService: (any IdentityObtaining)?
  /// Changes the options of each session, after all else.
  package var configure: @Sendable (inout SessionOptions) -> Void = { _ in }
  /// Puts a program in the place of this process; returns why that failed.
  package var replace: @Sendable (String, [String], Environment) -> SystemError? = {
    Spawn.replace($0, $1, environment: $2)
  }
  /// Runs a command; a signal that asks the program to end cancels it.
  ///
  /// The first argument is whether signals end the program as usual until the command waits.
  package var cancelling: Cancelling = { try await Signals.cancelling(onceWaiting: $0, $1) }

  /// Returns the signal if there was one.
  package typealias Cancelling =
    @Sendable (Bool, @escaping @Sendable () async -> Void) async throws(SystemError) -> Int32?

  package init(environment: Environment = .current) { self.environment = environment }

  /// The store of the environment; a shared one is reached with the options.
  func store(_ options: SessionOptions = .ofProgram()) throws -> ProfileStore {
    ProfileStore(
      try StoreLocation(environment, site: site), sharing: sharing, over: network, options, now: now
    )
  }
}
