import Arguments
import POSIX

/// What ends the program: its text, a way out, and the exit code.
struct Failure: Error, Equatable {
  enum Exit: Int32, CaseIterable {
    case other = 1
    case usage = 2
    case store = 3
    case network = 6
    case busy = 14

    var summary: String {
      switch self {
      case .other: "another failure; for `status`, the sandbox is not running"
      case .usage: "usage"
      case .store: "the directory or a file in it"
      case .network: "the port is taken, or the sandbox does not answer"
      case .busy: "a sandbox is running on this directory already"
      }
    }
  }

  /// Empty if the output says it.
  let message: String
  var hint: String?
  let exit: Exit

  init(_ message: String, hint: String? = nil, exit: Exit = .other) {
    self.message = message
    self.hint = hint
    self.exit = exit
  }

  /// A failed call: "could not read 'FILE': permission denied".
  init(_ act: String, _ error: SystemError, hint: String? = nil, exit: Exit = .store) {
    self.init("could not \(act): \(error.message)", hint: hint, exit: exit)
  }

  static func usage(_ message: String) -> Failure {
    Failure(message, hint: "sdkctl-sandbox --help", exit: .usage)
  }
}
