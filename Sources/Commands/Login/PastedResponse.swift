import POSIX
import SDKCore

/// The address at which a browser somewhere ended, from a person or from standard input.
struct PastedResponse: Sendable {
  let context: Context

  /// On a terminal a person may try again; what is piped comes once.
  var attempts: Int { isTyped ? 3 : 1 }

  /// Asks for it; says first what was wrong with the previous address.
  func ask(_ complaint: String?) async throws(SDKError) -> String {
    guard isTyped else { return try await line() }
    if let complaint {
      context.warn("this address is not the response to this login: \(complaint)")
    }
    let line: String
    do throws(TerminalError) {
      line = try await context.terminal.readLine("Paste the last address of the browser: ")
    } catch {
      throw error.error(Self.action, withoutTerminal: .localData)
    }
    return try Self.present(line)
  }

  /// The line, unless it is empty: then there is no response, and no login that failed.
  private static func present(_ line: String) throws(SDKError) -> String {
    guard line.utf8.contains(where: { $0 > 0x20 }) else {
      throw SDKError(.cancelled, "\(action): no address was given")
    }
    return line
  }

  private var isTyped: Bool { context.terminal.isTerminal(.input) }

  /// One line of standard input; the rest stays unread.
  private func line() async throws(SDKError) -> String {
    let read = OneShot<Result<[UInt8], SystemError>>()
    let input = context.input
    do throws(SystemError) {
      try BackgroundThread.start {
        do throws(SystemError) {
          read.set(.success(try input.readLine(limit: 65_536)))
        } catch {
          read.set(.failure(error))
        }
      }
    } catch {
      read.set(.failure(error))
    }
    // A read cannot be called back, so a cancelled task leaves it behind.
    switch await read.wait() {
    case .success(let bytes): return try Self.present(String(decoding: bytes, as: UTF8.self))
    case .failure(let error):
      throw SDKError(.localData, "\(Self.action): standard input cannot be read: \(error)")
    case nil: throw SDKError(.cancelled, "\(Self.action): cancelled")
    }
  }

  private static let action = "could not log in"
}
