import POSIX
import Primitives
import SDKCore

/// The command line by which another program runs a helper.
struct HelperCommandLine {
  /// The path of this program, then the words.
  let words: [String]
  /// The store of this environment, if it is not the usual one: another program may have
  /// another environment.
  let store: String?

  init(_ helper: [String], of profile: ProfileName, in context: Context) throws {
    guard let program = Paths.executable else {
      throw Failure(
        .failure, "local_data",
        "could not write the configuration: the path of this program is not known")
    }
    words = [program, "-p", profile.description] + helper
    guard let home = context.environment["SDKCTL_HOME"], !home.isEmpty else {
      store = nil
      return
    }
    do throws(SystemError) {
      store = try Paths.absolute(home)
    } catch {
      throw Failure(
        .failure, "local_data", "could not write the configuration: SDKCTL_HOME: \(error)")
    }
  }

  /// The line for a shell.
  var shell: String {
    let line = words.map { ShellWord.quoted($0) }.joined(separator: " ")
    return store.map { "SDKCTL_HOME=\(ShellWord.quoted($0)) \(line)" } ?? line
  }
}

/// A command of another program that changes its configuration.
struct ConfigurationCommand {
  let program: String
  let arguments: [String]

  init(_ words: [String]) {
    program = words.first ?? ""
    arguments = Array(words.dropFirst())
  }

  /// The line to paste.
  var line: String {
    ([program] + arguments).map { ShellWord.quoted($0) }.joined(separator: " ")
  }

  /// Runs it.
  func run(_ context: Context) async throws {
    guard let path = Spawn.find(program, in: context.environment) else {
      throw Failure(
        .failure, "unavailable", "could not write the configuration: \(program) is not installed")
    }
    let ran = try? await Spawn.run(
      path, arguments, environment: context.environment.forHelpers, timeout: .seconds(30))
    guard let ran, ran.status.isSuccess else {
      let cause = ran.map { String(decoding: $0.errors.prefix(200), as: UTF8.self) } ?? ""
      throw Failure(
        .failure, "local_data",
        "could not write the configuration: \(program) failed \(cause.filter { $0 != "\n" })")
    }
  }

  /// Prints commands, or runs them.
  static func apply(
    _ commands: [ConfigurationCommand], writes: Bool, _ context: Context
  ) async throws {
    for command in commands {
      guard writes else {
        context.print(command.line)
        continue
      }
      try await command.run(context)
    }
  }
}
