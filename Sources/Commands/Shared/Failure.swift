import JSON
package import POSIX
package import SDKCore

/// Why a command did not do its work: what to say, and which status to exit with.
package struct Failure: Error, Sendable, Hashable {
  package let exit: ExitCode
  /// The name of the failure in `--json` errors.
  package let code: ErrorCode
  /// "could not VERB the NOUN: cause".
  package let message: String
  /// Further lines for people.
  package var details: [String] = []
  /// Actions that can be pasted.
  package var hints: [String] = []
  /// The vendors' domain and number.
  package var resource: ResourceError
  package var isRetryable = false
  /// The seconds that the server asks to wait before another try.
  package var pause: Int64?
  /// Whether everything has been said already, so that only the status counts.
  package var isSilent = false
  /// How a command ended that this program ran in its place; then that is how this program ends.
  package private(set) var commandStatus: ExitStatus?

  package init(
    _ code: ErrorCode, exit: ExitCode? = nil, _ message: String, hints: [String] = []
  ) {
    let exit = exit ?? code.exit
    self.exit = exit
    self.code = code
    self.message = message
    self.hints = hints
    resource =
      switch exit {
      case .usage: .requestInvalid
      case .configuration: .configurationInvalid
      default: .unknown
      }
    isRetryable = [.network, .busy, .serverError].contains(exit)
  }

  /// A status without a message: the output has reported it.
  package static func silent(_ exit: ExitCode) -> Failure {
    var failure = Failure(.failed, exit: exit, "")
    failure.isSilent = true
    return failure
  }

  /// A command that ran in place of this program has ended so.
  static func ended(_ status: ExitStatus) -> Failure {
    var failure = silent(.failure)
    failure.commandStatus = status
    return failure
  }

  /// A file, or standard input, that could not be read; the error names a file.
  static func unreadable(_ what: String, _ error: SystemError) -> Failure {
    Failure(.inputUnreadable, "could not read \(what): \(error)")
  }

  /// A file that could not be written; the error names it.
  static func unwritable(_ error: SystemError) -> Failure {
    Failure(.outputFailed, "could not write the file \(error)")
  }

  /// Runs the body, which writes a file.
  static func writing<Value>(
    _ body: () throws(SystemError) -> Value
  ) throws(Failure) -> Value {
    do throws(SystemError) { return try body() } catch { throw .unwritable(error) }
  }

  /// The path of a file that a person typed, from the root: a relative one starts in the current directory.
  static func absolutePath(_ path: String) throws(Failure) -> String {
    do throws(SystemError) { return try Paths.absolute(path) } catch {
      throw Failure(.inputUnreadable, "could not find the file \(error)")
    }
  }

  /// A usage error that the table cannot see.
  package static func usage(_ message: String, hints: [String] = []) -> Failure {
    Failure(.usage, message, hints: hints)
  }
}

extension Failure {
  /// The failure as programs read it.
  var json: JSON {
    .members([
      "code": .string(code.word),
      "exit": .int(Int64(exit.rawValue)),
      "message": .string(message),
      "retryable": .bool(isRetryable),
      "hint": JSON(hints.first),
      "domain": .string(resource.domain.rawValue),
      "number": .int(Int64(resource.number)),
      "details": details.isEmpty ? nil : .strings(details),
    ])
  }
}
