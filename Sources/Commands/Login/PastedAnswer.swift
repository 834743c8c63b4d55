import POSIX
import SDKCore

/// The address at which a browser somewhere ended, from a person or from standard input.
enum PastedAnswer {
  /// On a terminal a person may try again; what is piped comes once.
  static var attempts: Int { isTyped ? 3 : 1 }

  /// Asks for it, with what was wrong with the answer before.
  static func ask(_ complaint: String?) async throws(SDKError) -> String {
    guard isTyped else { return try await line() }
    let again = complaint.map { "That is not the answer: \($0).\n" } ?? ""
    do throws(TerminalError) {
      return try await Terminal.readLine(
        prompt: again + "Paste the address at which the browser ended: ")
    } catch {
      switch error {
      case .cancelled: throw SDKError(.cancelled, "\(action): cancelled")
      case .endOfInput: throw SDKError(.denied, "\(action): nothing was pasted")
      case .noTerminal: throw SDKError(.localData, "\(action): there is no terminal")
      case .tooLong: throw SDKError(.localData, "\(action): the pasted address is too long")
      case .system(let error): throw SDKError(.localData, "\(action): \(error)")
      }
    }
  }

  private static var isTyped: Bool { Terminal.isTerminal(0) }

  /// One line of standard input; the rest stays unread.
  private static func line() async throws(SDKError) -> String {
    let read = Latch<Result<[UInt8], SystemError>>()
    BackgroundThread.start {
      do throws(SystemError) {
        read.open(.success(try blockingLine()))
      } catch {
        read.open(.failure(error))
      }
    }
    // A read cannot be called back, so a cancelled task leaves it behind.
    switch await read.wait() {
    case .success(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .failure(let error):
      throw SDKError(.localData, "\(action): standard input cannot be read: \(error)")
    case nil: throw SDKError(.cancelled, "\(action): cancelled")
    }
  }

  private static func blockingLine() throws(SystemError) -> [UInt8] {
    let input = try FileDescriptor.open("/dev/stdin")
    var line: [UInt8] = []
    while line.count < longest {
      let byte = try input.read(upTo: 1)
      if byte.isEmpty || byte == [UInt8(ascii: "\n")] { break }
      line += byte
    }
    return line
  }

  private static let action = "could not log in"
  private static let longest = 65_536
}
