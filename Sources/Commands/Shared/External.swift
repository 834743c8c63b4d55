import Arguments
import JSON
import POSIX
import SDKCore

/// The external commands and aliases there are.
private func known(_ context: Context) -> [String] {
  let aliases = (try? context.store().aliases()) ?? [:]
  return aliases.keys + externalCommands(context.environment)
}

/// The names of the programs in PATH that extend this one.
func externalCommands(_ environment: Environment) -> [String] {
  Spawn.names(beginningWith: "sdkctl-", in: environment).map {
    String($0.dropFirst("sdkctl-".count))
  }
}

/// Puts `sdkctl-NAME` in the place of this process; returns only if that failed, with the reason.
///
/// The child learns which profile was chosen and where this program is.
func runExternal(_ external: External, _ context: Context) -> Failure {
  let program = "sdkctl-\(external.name)"
  guard !external.name.contains("/"), let path = Spawn.find(program, in: context.environment) else {
    let error = commandTable.catalog.unknownCommand(external.name, alsoKnown: known(context))
    return Failure(.usage, "usage", error.message, hints: [error.hint])
  }
  var environment = context.environment
  if let profile = context.globals.profile { environment["SDKCTL_PROFILE"] = profile }
  environment["SDKCTL_EXECUTABLE"] = Paths.executable
  let error = Spawn.replace(path, rawArguments: external.trailing, environment: environment)
  return Failure(.failure, "external", "could not run '\(path)': \(error.message)")
}
