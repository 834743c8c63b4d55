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
    let own = try OwnProgram(context.environment, to: "print the configuration")
    let user = context.globals.userID.map { ["--user-id", $0.description] } ?? []
    words = [own.path, "-p", profile.description] + user + helper
    store = own.store
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

/// This program, as another program can run it from another environment.
struct OwnProgram {
  let path: String
  /// The store of this environment, if it is not the usual one.
  let store: String?

  init(_ environment: Environment, to action: String) throws(Failure) {
    guard let path = Paths.executable else {
      throw Failure(.localData, "could not \(action): the path of this program is not known")
    }
    self.path = path
    let home = environment["SDKCTL_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    do throws(SystemError) { store = try home.map(Paths.absolute) } catch {
      throw Failure(.localData, "could not \(action): SDKCTL_HOME: \(error)")
    }
  }
}
