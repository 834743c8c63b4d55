import BulkRequests
import HTTP
import JSON
import POSIX
import Primitives
import SDKCore
import Synchronization

/// Writes the report of a batch, a line for each outcome, and decides its exit status.
final class BatchReport: Sendable {
  private let arguments: Fetch.Arguments
  private let session: ProfileSession
  private let context: Context
  private let state = Mutex(State())

  /// The details of a running request that its line needs.
  struct Details: Sendable {
    let id: JSON?
    let access: Access
    let method: String
    /// The file of the body; `nil` if the body goes into the report.
    let file: BodyWriter?
    let path: String?
  }

  private struct State {
    var expected: [Int: Details] = [:]
    var count = 0
    var failed = 0
    var exits: Set<ExitCode> = []
    var inputFailure: Failure?
    var isStopped = false
  }

  init(_ arguments: Fetch.Arguments, _ session: ProfileSession, _ context: Context) {
    self.arguments = arguments
    self.session = session
    self.context = context
  }

  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Notes the details of a request until its outcome is written.
  func expect(_ line: Int, _ details: Details) {
    state.withLock { $0.expected[line] = details }
  }

  /// Writes the lines of outcomes; returns whether further requests may start.
  ///
  /// A program may wait for the lines before it writes the next request, so they are flushed at once.
  func write(_ outcomes: [BatchOutcome]) async -> Bool {
    for outcome in outcomes {
      let details = state.withLock { $0.expected.removeValue(forKey: outcome.number) }
      if let details { write(await row(of: outcome, details)) }
    }
    return flush()
  }

  private func row(of outcome: BatchOutcome, _ details: Details) async -> BatchRow {
    var row = BatchRow(line: outcome.number, id: details.id)
    let file = details.file
    switch outcome.result {
    case .success(let response):
      row.failure = await self.failure(of: response, details)
      if arguments.strictPins, let pins = response.metrics.pins, pins != .matched {
        row.failure = .unpinned(
          response.url.authority, session.profile.name, insteadOf: row.failure)
      }
      let kept = file.map(\.kept)
      // A 304 leaves the file as it is.
      row.report = ResponseReport(
        response, body: file == nil ? response.body : kept?.isEmpty == false ? kept : nil,
        file: response.status == 304 ? nil : details.path, after: outcome.duration)
    case .failure(let error):
      file?.discard()
      row.failure = file?.failure ?? Failure(ofBatched: error, session.profile.name)
      row.report = ResponseReport(nil, body: nil, file: nil, after: outcome.duration)
    }
    if let failure = row.failure, let end = arguments.endOfRetries(failure, of: details.method) {
      row.failure?.details.append(end)
    }
    return row
  }

  func refuse(line: Int, id: JSON?, _ message: String) {
    let failure = Failure(.invalidRequest, "could not read the request: \(message)")
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
      .batchFailed, exit: exit,
      "could not complete the batch: \(state.failed) of \(state.count) requests failed")
  }

  /// Completes the file of the body; returns why the request failed.
  private func failure(of response: HTTPResponse, _ details: Details) async -> Failure? {
    do {
      try details.file?.finish()
    } catch {
      return context.failure(error)
    }
    guard arguments.fail, response.status >= 400 else { return nil }
    return await session.failure(of: response, as: details.access, context)
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
    let document = BatchRow.rows.json(row)
    state.withLock { state in
      if context.field != nil {
        context.print(document, .compact)
      } else {
        context.output.write(document.serializedBytes() + [UInt8(ascii: "\n")])
      }
      state.count += 1
      if let failure = row.failure {
        state.failed += 1
        state.exits.insert(failure.exit)
      }
      let isOver =
        context.output.failure != nil || (arguments.batch.failsEarly && row.failure != nil)
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
    self.init(ErrorCode(error.code), exit: .interrupted, error.message)
  }
}
