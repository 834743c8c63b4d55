/// What ends the program with a message: its text, a way out, and the exit code.
struct Failure: Error, Equatable {
  enum Exit: Int32 {
    case other = 1
    case usage = 2
    case store = 3
    case network = 6
    case busy = 14
  }

  let message: String
  var hint: String?
  let exit: Exit

  init(_ message: String, hint: String? = nil, exit: Exit = .other) {
    self.message = message
    self.hint = hint
    self.exit = exit
  }

  static func usage(_ message: String) -> Failure {
    Failure(message, hint: "sdkctl-sandbox --help", exit: .usage)
  }
}
