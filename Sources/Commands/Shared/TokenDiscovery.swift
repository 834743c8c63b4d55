import POSIX
import SDKCore

/// The file in which programs look for a user's token (WLCG Bearer Token Discovery).
enum TokenDiscovery {
  /// The file, if no variable names another one: of the session of the user, else in `/tmp`.
  static func file(_ environment: Environment) -> String {
    let session = environment["XDG_RUNTIME_DIR"] ?? ""
    return "\(session.isEmpty ? "/tmp" : session)/bt_u\(Environment.userNumber)"
  }

  /// Where a token is written for other programs.
  static func target(_ environment: Environment) -> String {
    let chosen = environment["BEARER_TOKEN_FILE"] ?? ""
    return chosen.isEmpty ? file(environment) : chosen
  }
}

extension Context {
  /// An access token that the environment has for the user: of a variable, or of the file of the discovery if
  /// the profile uses it; `nil` without any.
  func environmentToken() throws -> EnvironmentToken? {
    if let token = try EnvironmentToken.find(environment) { return token }
    let file = TokenDiscovery.file(environment)
    guard ports.discoversToken, FileStatus.exists(file),
      try store().profile(try profileName()).discoversToken
    else { return nil }
    return try EnvironmentToken(discoveredIn: file)
  }

  /// The context of a command that writes a token for other programs: it takes none from where it writes.
  func withoutDiscovery() -> Context {
    var ports = ports
    ports.environment = ports.environment.removing(["BEARER_TOKEN", "BEARER_TOKEN_FILE"])
    ports.discoversToken = false
    return Context(globals: globals, ports: ports, field: field)
  }
}
