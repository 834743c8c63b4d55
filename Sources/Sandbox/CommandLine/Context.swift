import Arguments
import JSON
import POSIX

/// The options that every command takes.
struct Globals: Sendable {
  var directory: String?

  static let options: [Option<Globals>] = [
    .value("dir", "DIR", \.directory, "Where the sandbox keeps its files")
      .completing(.directory).more("It must be closed to other users.")
  ]
}

/// What the program gives to a command.
struct Context: Sendable {
  let globals: Globals
  let environment: Environment
  /// The words that were typed, without the name of the program.
  let words: [String]

  func directory() throws(Failure) -> StateDirectory {
    try StateDirectory(globals.directory, environment)
  }

  func client() throws(Failure) -> ControlClient { ControlClient(directory: try directory()) }

  func print(_ text: String) { Output.standard.write(text + "\n") }

  func print(_ json: JSON) { print(json.serialized(.pretty)) }
}
