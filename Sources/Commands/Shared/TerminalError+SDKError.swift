import POSIX
import SDKCore

extension TerminalError {
  /// The error of a command whose question was not answered.
  ///
  /// - Parameters:
  ///   - action: what could not be done: `could not ask for the password`.
  ///   - code: the code of the error if there is no terminal.
  ///   - option: the option that replaces the question; `nil` if there is none.
  /// - Returns: the error, with the cause.
  func error(
    _ action: String, withoutTerminal code: SDKError.Code, option: String? = nil
  ) -> SDKError {
    switch self {
    case .cancelled: SDKError(.cancelled, "\(action): cancelled")
    case .endOfInput: SDKError(.denied, "\(action): nothing was typed")
    case .noTerminal:
      SDKError(
        code, "\(action): there is no terminal" + (option.map { ", and \($0) is missing" } ?? ""))
    case .tooLong: SDKError(.localData, "\(action): the line is too long")
    case .system(let error): SDKError(.localData, "\(action): \(error)")
    }
  }
}
