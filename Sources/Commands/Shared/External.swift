import Arguments
import JSON
import POSIX
import SDKCore

/// The names of the aliases and of the external commands.
func extensions(_ context: Context) -> [String] {
  let aliases = (try? context.store().aliases()) ?? [:]
  return aliases.keys + externalCommands(context.environment)
}

/// The names of the programs in PATH that extend this one.
func externalCommands(_ environment: Environment) -> [String] {
  Spawn.names(beginningWith: "sdkctl-", in: environment).map {
    String($0.dropFirst("sdkctl-".count))
  }
}

/// Replaces this process with `sdkctl-NAME`; returns only if that failed, with the reason.
///
/// The program gets the chosen profile, the chosen user and the path of this program in its environment.
func runExternal(_ external: External, _ context: Context) -> Failure {
  let program = "sdkctl-\(external.name)"
  guard !external.name.contains("/"), let path = Spawn.find(program, in: context.environment) else {
    let error = commandTable.catalog.unknownCommand(
      external.name, alsoKnown: extensions(context),
      following: external.trailing.first.map { String(decoding: $0, as: UTF8.self) })
    return Failure(.usage, error.message, hints: [error.hint])
  }
  var environment = context.environment
  if let profile = context.globals.profile { environment["SDKCTL_PROFILE"] = profile }
  if let user = context.globals.userID { environment["SDKCTL_USER_ID"] = user.description }
  environment["SDKCTL_EXECUTABLE"] = Paths.executable
  let error = Spawn.replace(path, rawArguments: external.trailing, environment: environment)
  return Failure(.commandFailed, "could not run '\(path)': \(error.message)")
}
