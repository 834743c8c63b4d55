package import POSIX

/// Where the store is: configuration that can be shared, secret state, and a cache.
public struct StoreLocation: Sendable, Hashable {
  /// Profiles and pins: no secrets, can be shared.
  public let config: String
  /// Registrations and credentials.
  public let state: String
  /// Discovery documents and keys.
  public let cache: String
  /// Sockets of logins that wait; not below the state where the system has a better place.
  package let pending: String
  /// The administrator's profiles and defaults, which are only read; `nil` for none.
  package let site: String?
  /// The directory that holds all of it; `nil` if the XDG directories do.
  package let home: String?

  /// The directory of the site that the command line uses.
  ///
  /// No variable of the environment changes it: who sets the environment must not be able to set
  /// defaults that only a file can set. A program, and a test, passes another one.
  public static let siteDirectory = "/etc/sdkctl"

  /// A store in one directory, as `SDKCTL_HOME` makes it.
  public init(home: String, site: String? = nil) {
    self.init(
      config: home + "/config", state: home + "/state", cache: home + "/cache", site: site,
      home: home)
  }

  /// The store of this process's environment: the one that the command line uses.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the environment names no directory.
  public init() throws(SDKError) { try self.init(Environment.current) }

  /// The store of an environment: `SDKCTL_HOME`, else the XDG base directories.
  ///
  /// Without `HOME`, the user database is asked for the home directory.
  package init(
    _ environment: Environment, site: String? = siteDirectory
  ) throws(SDKError) {
    if let home = try Self.text("SDKCTL_HOME", environment), !home.isEmpty {
      do throws(SystemError) {
        self.init(home: try Paths.absolute(home), site: site)
      } catch {
        throw Self.unusable(error.message)
      }
      return
    }
    let runtime = try Self.text("XDG_RUNTIME_DIR", environment).flatMap {
      $0.hasPrefix("/") ? $0 : nil
    }
    self.init(
      config: try Self.directory("XDG_CONFIG_HOME", "/.config", environment),
      state: try Self.directory("XDG_STATE_HOME", "/.local/state", environment),
      cache: try Self.directory("XDG_CACHE_HOME", "/.cache", environment), site: site,
      pending: runtime.map { $0 + "/sdkctl" })
  }

  private init(
    config: String, state: String, cache: String, site: String?, home: String? = nil,
    pending: String? = nil
  ) {
    self.site = site
    self.home = home
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
    if let base = try text(variable, environment), base.hasPrefix("/") { return base + "/sdkctl" }
    _ = try text("HOME", environment)
    guard let home = environment.home, home.hasPrefix("/") else {
      throw unusable("neither SDKCTL_HOME, \(variable) nor HOME is set")
    }
    return home + fallback + "/sdkctl"
  }

  /// A variable; its bytes must be a text, or the store would be made elsewhere.
  private static func text(
    _ variable: String, _ environment: Environment
  ) throws(SDKError) -> String? {
    guard !environment.isBroken(variable) else { throw unusable("\(variable) is not UTF-8") }
    return environment[variable]
  }

  private static func unusable(_ cause: String) -> SDKError {
    SDKError(.invalidConfiguration, "could not find the store: \(cause)")
  }

  func configFile(_ name: String) -> StorePath { StorePath(name, in: config, of: home) }

  func siteFile(_ name: String) -> StorePath? { site.map { StorePath(name, in: $0, of: nil) } }

  package func stateFile(_ name: String) -> StorePath { StorePath(name, in: state, of: home) }

  /// A document of a user of a profile, by its name without the user.
  func userFile(_ document: String, of user: UserID, _ profile: ProfileName) -> StorePath {
    stateFile("profiles/\(profile)/" + ProfileUser.path(of: document, user))
  }

  func cacheFile(_ name: String) -> StorePath { StorePath(name, in: cache, of: home) }

  var configuration: StorePath { configFile("config.json") }

  var profiles: String { config + "/profiles" }

  func configuration(of name: ProfileName) -> String { "\(profiles)/\(name)" }

  package func state(of name: ProfileName) -> String { "\(state)/profiles/\(name)" }

  func lock(_ lock: ProfileLock, of name: ProfileName) -> StorePath {
    stateFile("profiles/\(name)/locks/\(lock.rawValue).lock")
  }
}

package struct StorePath: Sendable, Hashable, CustomStringConvertible {
  package let text: String
  /// The directory of `config`, `state` or `cache`, below which others may not list secrets.
  private let area: String
  /// The directory of the whole store, if it has one.
  private let home: String?

  init(_ name: String, in area: String, of home: String?) {
    text = "\(area)/\(name)"
    self.area = area
    self.home = home
  }

  package var description: String { text }

  var directory: String { Directory.parent(of: text) }

  package var exists: Bool { FileStatus.exists(text) }

  /// Refuses a file whose directories others may use or replace, from the store's own down to it.
  func requireTrusted(_ trust: DirectoryTrust) throws(SystemError) {
    var levels: [(String, DirectoryTrust)] = []
    var level = directory
    while level.utf8.count >= area.utf8.count {
      levels.append((level, trust))
      level = Directory.parent(of: level)
    }
    // Its own names are no secret: `mkdir` makes it with 0755.
    if let home { levels.append((home, .shared)) }
    try DirectoryTrust.require(levels.reversed())
  }
}
