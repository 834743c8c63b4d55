import Arguments
import JOSE
import JSON
import POSIX
import Primitives
import SDKCore

/// A part of the input: the only token or token response, or lines with a token each.
enum TokenPart: Sendable {
  case whole([FoundToken])
  /// Lines, and the number of the first one, from 1.
  case lines([[UInt8]], first: Int)

  /// Calls the body with the tokens of each line and its number, which is `nil` for the whole input; with
  /// an error for a line that is longer than a token may be.
  /// - Returns: how many lines were skipped, because nothing in them looks like a token.
  func forEachLine(_ body: (Int?, Result<[FoundToken], JOSEError>) -> Void) -> Int {
    var skippedCount = 0
    switch self {
    case .whole(let tokens): body(nil, .success(tokens))
    case .lines(let lines, let first):
      for (index, line) in lines.enumerated() {
        let isTooLong = line.count > JWS.maximumByteCount
        let tokens = isTooLong ? [] : TokenText.tokens(in: line)
        if tokens.count == 1, tokens[0].isProse {
          skippedCount += 1
        } else {
          body(first + index, isTooLong ? .failure(JWS.tooLong) : .success(tokens))
        }
      }
    }
    return skippedCount
  }
}

/// Tokens of a file or standard input: one text, or one token a line.
final class TokenStream {
  /// The tokens, if the whole input is one token or one token response; `nil` for many lines.
  let single: [FoundToken]?
  /// `nil` for a text that was pasted.
  private var reader: LineReader?
  private var queue: [[[UInt8]]] = []
  /// How many lines are in parts that were returned.
  private var count = 0
  /// Why the input could not be read on.
  private var failure: SystemError?

  init(_ token: FoundToken) {
    single = [token]
  }

  init(pasted text: [UInt8]) {
    let lines = text.split(separator: UInt8(ascii: "\n")).map(Array.init)
    single = TokenText.tokens(in: PastedTokens.joined(lines) ?? text)
  }

  /// Opens a file, or standard input for `-`, and reads its beginning.
  init(_ operand: String, _ context: Context) throws {
    do throws(SystemError) {
      reader = try LineReader(
        operand: operand, context.input, limit: Self.maximumDocumentByteCount)
      let first = try reader?.next() ?? []
      queue = [first]
      let tokens = Array(
        first.lazy.filter { $0.contains { $0 > 0x20 } }.prefix(2))
      if Self.isPartOfDocument(tokens.first ?? []) {
        single = TokenText.tokens(in: try reader?.text(from: first) ?? [])
        return
      }
      let isTooLong = (tokens.first?.count ?? 0) > JWS.maximumByteCount
      guard tokens.count < 2 || PastedTokens.beginning(first) != nil else {
        single = nil
        return
      }
      var lines = first
      do throws(SystemError) {
        while let more = try reader?.next(), !more.isEmpty {
          queue.append(more)
          lines += more
          // The last line of a wrapped token comes by itself if it has no end.
          guard PastedTokens.beginning(lines) != nil else {
            single = nil
            return
          }
        }
      } catch {
        // What came before is worked on first.
        failure = error
        single = nil
        return
      }
      let wrapped = PastedTokens.joined(lines)
      let isOne = wrapped != nil || tokens.count < 2 && queue.count == 1
      single =
        isTooLong || !isOne
        ? nil : (wrapped ?? tokens.first).map { TokenText.tokens(in: $0) } ?? []
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
              guard let part = try next(waits: started == finished) else { break }
              let index = started
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

  /// The tokens of the input, each once.
  func found() throws -> [FoundToken] {
    if let single { return single }
    var found: [FoundToken] = []
    while let part = try next(waits: true) {
      var error: JOSEError?
      _ = part.forEachLine { _, tokens in
        switch tokens {
        case .success(let tokens): found += tokens
        case .failure(let cause): error = cause
        }
      }
      if let error { throw error }
      found = found.uniqued()
    }
    return found
  }

  /// The next lines; `nil` at the end, or if the writer must be waited for.
  private func next(waits: Bool) throws -> TokenPart? {
    if queue.isEmpty {
      if let failure { throw Failure.unreadableInput(failure) }
      do throws(SystemError) {
        if !waits, try reader?.isReadable() == false { return nil }
        queue = [try reader?.next() ?? []]
      } catch {
        throw Failure.unreadableInput(error)
      }
    }
    let lines = queue.removeFirst()
    defer { count += lines.count }
    return lines.isEmpty ? nil : .lines(lines, first: count + 1)
  }

  /// How long a document with tokens may be, such as an HTTP archive.
  private static let maximumDocumentByteCount = 1 << 26

  /// Whether the line begins a document that goes on behind it, or that is too long for a line with a token.
  private static func isPartOfDocument(_ line: [UInt8]) -> Bool {
    if OtherFormat.begins(line) { return true }
    let text = line[...].trimmingSpace
    let second = text.dropFirst().first { !$0.isSpace }
    let isJSON =
      text.first == UInt8(ascii: "{")
      // A line of a log may begin with a time in brackets.
      || text.first == UInt8(ascii: "[") && second.map { "{[\"".utf8.contains($0) } ?? true
    return isJSON && (line.count > JWS.maximumByteCount || (try? JSON(parsing: line)) == nil)
  }
}
