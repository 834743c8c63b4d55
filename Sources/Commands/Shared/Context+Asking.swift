import POSIX
import SDKCore

extension Context {
  /// Shows what a question is about; `--quiet` silences it only if the question is not asked.
  func show(_ lines: [String], isAgreed: Bool) {
    for line in lines { if isAgreed { note(line) } else { warn(line) } }
  }

  /// Throws unless a person agrees, or agreed with `--yes`.
  func confirm(_ question: String, isAgreed: Bool) async throws {
    if isAgreed { return }
    guard isInteractive else { throw Self.noTerminal }
    let answer: Bool
    do throws(TerminalError) {
      answer = try await terminal.confirm(question)
    } catch {
      switch error {
      case .endOfInput, .cancelled: answer = false
      case .noTerminal: throw Self.noTerminal
      case .tooLong: throw Self.failure("the answer is too long")
      case .system(let error): throw Self.failure("\(error)")
      }
    }
    guard answer else { throw Failure(.declined, "declined", "could not go on: you declined") }
  }

  private static let noTerminal = Failure.usage(
    "could not ask for consent: there is no terminal, and --yes is missing")

  private static func failure(_ cause: String) -> Failure {
    Failure(.failure, "local_data", "could not ask for consent: \(cause)")
  }

  /// A secret from standard input or a file: never from the command line.
  ///
  /// One final line break is not part of it.
  func secret(_ what: String, standardInput: Bool, file: String?) throws -> String? {
    guard standardInput || file != nil else { return nil }
    var bytes = try secretBytes(what, file: file)
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self),
      bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), bytes.contains(where: { $0 != 0x20 })
    else {
      throw Failure(
        .usage, "secret_invalid", "could not use the \(what): it is empty or not one line of text")
    }
    return text
  }

  /// The bytes of a secret: of a file, or of standard input if there is none.
  func secretBytes(_ what: String, file: String?) throws -> [UInt8] {
    do throws(SystemError) {
      return if let file { try FileReader.readSecretFile(file, limit: 1 << 16) } else {
        try input.readAll(limit: 1 << 16)
      }
    } catch {
      throw Failure.unreadableSecret(what, error)
    }
  }
}
