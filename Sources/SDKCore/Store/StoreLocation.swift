package import POSIX

/// Where the store lies: configuration to share, state to guard, cache to lose.
public struct StoreLocation: Sendable, Hashable {
  /// Profiles and pins: no secret, fit to commit.
  public let config: String
  /// Registrations and credentials.
  public let state: String
  /// Discovery documents and keys.
  public let cache: String
  /// Sockets of logins that wait; not below the state where the system has a better place.
  package let pending: String

  /// A store in one directory, as `SDKCTL_HOME` makes it.
  public init(home: String) {
    self.init(config: home + "/config", state: home + "/state", cache: home + "/cache")
  }

  /// The store of an environment: `SDKCTL_HOME`, else the XDG base directories.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` when neither these nor `HOME` are set.
  package init(_ environment: Environment) throws(SDKError) {
    if let home = environment["SDKCTL_HOME"], !home.isEmpty {
      self.init(home: Paths.absolute(home))
      return
    }
    let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    self.init(
      config: try Self.directory("XDG_CONFIG_HOME", "/.config", environment),
      state: try Self.directory("XDG_STATE_HOME", "/.local/state", environment),
      cache: try Self.directory("XDG_CACHE_HOME", "/.cache", environment),
      pending: runtime.map { $0 + "/sdkctl" })
  }

  private init(config: String, state: String, cache: String, pending: String? = nil) {
    self.config = config
    self.state = state
    self.cache = cache
    self.pending = pending ?? state + "/pending"
  }

  /// Where a login may wait: a desktop has a directory for it that a shell may not know of.
  var pendingPlaces: [String] {
    let own = state + "/pending"
    return pending == own ? [own] : [pending, own]
  }

  private static func directory(
    _ variable: String, _ fallback: String, _ environment: Environment
  ) throws(SDKError) -> String {
    // The XDG specification tells programs to ignore relative paths.
    if let base = environment[variable], base.hasPrefix("/") { return base + "/sdkctl" }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw SDKError(
        .invalidConfiguration,
        "could not find the store: neither SDKCTL_HOME, \(variable) nor HOME is set")
    }
    return home + fallback + "/sdkctl"
  }

  /// The file that names the current profile.
  var configuration: String { config + "/config.json" }

  /// The directory of all profiles' configuration.
  var profiles: String { config + "/profiles" }

  /// The directory of one profile's configuration.
  func configuration(of name: ProfileName) -> String { "\(profiles)/\(name)" }

  /// The directory of one profile's state.
  func state(of name: ProfileName) -> String { "\(state)/profiles/\(name)" }

  /// The file of one lock of a profile.
  func lock(_ lock: ProfileLock, of name: ProfileName) -> String {
    "\(state(of: name))/locks/\(lock.rawValue).lock"
  }
}
