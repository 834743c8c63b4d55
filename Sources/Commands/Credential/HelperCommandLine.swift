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
        .failure, .localData,
        "could not print the configuration: the path of this program is not known")
    }
    let user = context.globals.userID.map { ["--user-id", $0.description] } ?? []
    words = [program, "-p", profile.description] + user + helper
    guard let home = context.environment["SDKCTL_HOME"], !home.isEmpty else {
      store = nil
      return
    }
    do throws(SystemError) {
      store = try Paths.absolute(home)
    } catch {
      throw Failure(
        .failure, .localData, "could not print the configuration: SDKCTL_HOME: \(error)")
    }
  }

  /// A script for programs that run a helper by its name alone.
  var script: String {
    let store = store.map { "export SDKCTL_HOME=\(ShellWord.quoted($0))\n" } ?? ""
    return "#!/bin/sh\n\(store)exec \(ShellWord.line(words)) \"$@\"\n"
  }

  /// The line for a shell.
  var shell: String {
    let line = ShellWord.line(words)
    return store.map { "SDKCTL_HOME=\(ShellWord.quoted($0)) \(line)" } ?? line
  }
}
