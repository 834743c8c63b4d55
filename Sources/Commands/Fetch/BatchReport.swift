import HTTP
import JSON
import POSIX
import Primitives
import SDKCore
import Synchronization

/// Writes the report of a batch, a line for each outcome, and decides its exit status.
final class BatchReport: Sendable {
  private let session: ProfileSession
  private let failsOnHTTPError: Bool
  private let requiresPins: Bool
  private let failsEarly: Bool
  private let context: Context
  private let state = Mutex(State())

  private struct State {
    var expected: [Int: BatchRequestInfo] = [:]
    var count = 0
    var failed = 0
    var exits: Set<ExitCode> = []
    var inputFailure: Failure?
    var isStopped = false
  }

  /// - Parameters:
  ///   - session: the session of the requests.
  ///   - failsOnHTTPError: whether an HTTP error status is a failure.
  ///   - requiresPins: whether a response without a pinned key is a failure.
  ///   - failsEarly: whether no request starts after a failure.
  ///   - context: where the report is written.
  init(
    _ session: ProfileSession, failsOnHTTPError: Bool, requiresPins: Bool = false,
    failsEarly: Bool, _ context: Context
  ) {
    self.session = session
    self.failsOnHTTPError = failsOnHTTPError
    self.requiresPins = requiresPins
    self.failsEarly = failsEarly
    self.context = context
  }

  /// Whether no further request is to start.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Notes the details of a request until its outcome is written.
  func expect(_ line: Int, _ info: BatchRequestInfo) {
    state.withLock { $0.expected[line] = info }
  }

  /// Writes the lines of outcomes; returns whether further requests may start.
  ///
  /// A program may wait for the lines before it writes the next request, so they are flushed at once.
  func write(_ outcomes: [BatchOutcome]) async -> Bool {
    for outcome in outcomes { await write(outcome) }
    return flush()
  }

  private func write(_ outcome: BatchOutcome) async {
    let info =
      state.withLock { $0.expected.removeValue(forKey: outcome.number) } ?? BatchRequestInfo()
    var row = BatchRow(line: outcome.number, id: info.id, duration: outcome.duration)
    switch outcome.result {
    case .success(let response):
      row.failure = await self.failure(of: response, info)
      if requiresPins, let pins = response.metrics.pins, pins != .matched {
        row.failure = .unpinned(
          response.url.authority, session.profile.name, insteadOf: row.failure)
      }
      row.response = response
      row.file = info.file
    case .failure(let error):
      info.file?.discard()
      row.failure = info.file?.failure ?? Failure(ofBatched: error, session.profile.name)
    }
    write(row)
  }

  /// Reports a line that is not a request.
  func refuse(line: Int, id: JSON?, _ message: String) {
    let failure = Failure(.usage, .invalidRequest, "could not read the request: \(message)")
    write(BatchRow(line: line, id: id, failure: failure))
  }

  /// Notes that the lines could not be read to their end.
  func noteInputFailure(_ error: SystemError) {
    state.withLock {
      $0.inputFailure = .unreadable("the requests", error)
    }
  }

  /// Throws if a request failed: the exit status is that of the failures, or 1 if they differ.
  func finish() throws {
    let state = state.withLock { $0 }
    if let failure = state.inputFailure { throw failure }
    guard state.failed > 0 else { return }
    let exit = state.exits.count == 1 ? state.exits.first ?? .failure : .failure
    // The number is of lines that were not written: what is reported is why.
    if context.output.failure != nil { throw Failure.silent(exit) }
    throw Failure(
      exit, .batchFailed,
      "could not complete the batch: \(state.failed) of \(state.count) requests failed")
  }

  /// Completes the file of the body; returns why the request failed.
  private func failure(of response: HTTPResponse, _ info: BatchRequestInfo) async -> Failure? {
    guard failsOnHTTPError, response.status >= 400 else {
      do throws(Failure) {
        try info.file?.finish()
        return nil
      } catch {
        return error
      }
    }
    info.file?.discard()
    return await session.failure(of: response, as: info.access, context)
  }

  /// Writes the buffered lines; returns whether further requests may start.
  @discardableResult
  func flush() -> Bool {
    let isWritten = (try? context.output.flush()) != nil
    return state.withLock { state in
      state.isStopped = state.isStopped || !isWritten
      return !state.isStopped
    }
  }

  private func write(_ row: BatchRow) {
    let failure = row.failure
    state.withLock { state in
      if context.field != nil {
        context.print(row.json, .compact)
      } else {
        context.output.write(row.json.serializedBytes() + [UInt8(ascii: "\n")])
      }
      state.count += 1
      if let failure {
        state.failed += 1
        state.exits.insert(failure.exit)
      }
      let isOver = context.output.failure != nil || (failsEarly && failure != nil)
      state.isStopped = state.isStopped || isOver
    }
  }
}

extension Failure {
  /// The failure of a request of a batch: one that was cancelled was interrupted with the batch.
  fileprivate init(ofBatched error: SDKError, _ profile: ProfileName) {
    guard error.code == .cancelled else {
      self.init(error, profile: profile)
      return
    }
    self.init(.interrupted, ErrorCode(error.code), error.message)
  }
}
