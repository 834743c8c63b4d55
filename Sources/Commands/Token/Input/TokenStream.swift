import JOSE
import JSON
import POSIX
import Primitives
import SDKCore

/// A part of the input: the only token or token response, or lines with a token each.
enum TokenPart: Sendable {
  case whole([FoundToken])
  case lines(LineBlock)

  /// Calls the body with the tokens of each line and its number, which is `nil` for the whole input; with
  /// an error for a line that is longer than a token may be.
  func forEachLine(_ body: (Int?, Result<[FoundToken], JOSEError>) -> Void) {
    switch self {
    case .whole(let tokens): body(nil, .success(tokens))
    case .lines(let block) where block.isTooLong: body(block.firstLine, .failure(JWS.tooLong))
    case .lines(let block):
      block.forEachLine { line, number in
        body(number, .success(TokenText.tokens(in: Array(line))))
      }
    }
  }
}

/// Tokens of a file or standard input: one text, or one token a line.
final class TokenStream {
  /// The tokens, if the whole input is one token or one token response; `nil` for many lines.
  let single: [FoundToken]?
  /// Whether the input begins with a line that is longer than a token may be.
  let isTooLong: Bool
  private var blocks: LineBlocks
  private var queue: [LineBlock] = []
  /// Why the input could not be read on.
  private var failure: SystemError?

  /// Opens a file, or standard input for `-`, and reads its beginning.
  init(_ operand: String, _ context: Context) throws {
    do throws(SystemError) {
      blocks = try LineBlocks(operand: operand, context.input, limit: JWS.maximumByteCount)
      guard let first = try blocks.next() else {
        (single, isTooLong) = ([], false)
        return
      }
      queue = [first]
      isTooLong = first.isTooLong
      if !first.isTooLong, Self.isPartOfDocument(first) {
        single = TokenText.tokens(in: first.bytes + (try blocks.rest()))
        return
      }
      let tokens = first.isTooLong ? [] : Self.lines(of: first)
      guard tokens.count < 2 else {
        single = nil
        return
      }
      do throws(SystemError) {
        if let second = try blocks.next() {
          queue.append(second)
          single = nil
          return
        }
      } catch {
        // What came before is worked on first.
        failure = error
        single = nil
        return
      }
      single = first.isTooLong ? nil : tokens.first.map { TokenText.tokens(in: $0) } ?? []
    } catch {
      throw Failure.unreadableInput(error, operand: operand)
    }
  }

  /// Works on the lines, on all processors if there are several.
  ///
  /// `work` makes the result of some lines and runs on any thread; `consume` takes the results in the
  /// order of the input.
  func forEach<Value: Sendable>(
    _ work: @escaping @Sendable (TokenPart) -> Value,
    consume: (TokenPart, Value) async throws -> Void
  ) async throws {
    if let single {
      let part = TokenPart.whole(single)
      return try await consume(part, work(part))
    }
    let width = 2 * Processors.count + 1
    let result = await withTaskGroup(of: (Int, TokenPart, Value).self) {
      (group) -> Result<Void, any Error> in
      var (started, finished) = (0, 0)
      // What was read before is worked on first.
      var unreadable: (any Error)?
      var waiting: [Int: (TokenPart, Value)] = [:]
      do {
        while !Task.isCancelled {
          while started - finished < width, unreadable == nil {
            do {
              guard let block = try next(waits: started == finished) else { break }
              let (index, part) = (started, TokenPart.lines(block))
              group.addTask(executorPreference: globalConcurrentExecutor) {
                (index, part, work(part))
              }
              started += 1
            } catch {
              unreadable = error
            }
          }
          guard let done = await group.next() else { break }
          waiting[done.0] = (done.1, done.2)
          while let ready = waiting.removeValue(forKey: finished) {
            finished += 1
            try await consume(ready.0, ready.1)
          }
        }
        return unreadable.map { .failure($0) } ?? .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// The next block; `nil` at the end, or if the writer must be waited for.
  private func next(waits: Bool) throws -> LineBlock? {
    guard queue.isEmpty else { return queue.removeFirst() }
    if let failure { throw Failure.unreadableInput(failure) }
    do throws(SystemError) {
      if !waits, try !blocks.isReadable() { return nil }
      return try blocks.next()
    } catch {
      throw Failure.unreadableInput(error)
    }
  }

  /// Whether the text is JSON that goes on behind its first line.
  private static func isPartOfDocument(_ block: LineBlock) -> Bool {
    guard let line = lines(of: block).first,
      line.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "{")
    else { return false }
    return (try? JSON(parsing: line)) == nil
  }

  /// The first two lines that are not empty.
  private static func lines(of block: LineBlock) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    block.forEachLine { line, _ in
      if lines.count < 2, line.contains(where: { $0 > 0x20 }) { lines.append(Array(line)) }
    }
    return lines
  }
}
