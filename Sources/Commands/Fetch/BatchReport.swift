import HTTP
import JSON
import POSIX
import Primitives
import SDKCore
import Synchronization

/// Writes a line for each outcome of a batch, and remembers how the batch is to end.
final class BatchReport: Sendable {
  private let session: ProfileSession
  private let fails: Bool
  private let failsEarly: Bool
  /// How an outcome is written, if not as an object.
  private let format: BatchFormat?
  private let context: Context
  private let state = Mutex(State())

  private struct State {
    var expected: [Int: BatchTag] = [:]
    var count = 0
    var failed = 0
    var exits: Set<ExitCode> = []
    var inputFailure: Failure?
    /// Why the results could not be written to a file that the format names.
    var outputFailure: Failure?
    var isStopped = false
    /// The memory of one line after the other.
    var writer = JSONWriter()
  }

  /// Makes a report; an HTTP error counts as failure if `fails`, and the first failure ends the
  /// batch if `failsEarly`.
  init(
    _ session: ProfileSession, fails: Bool, failsEarly: Bool, format: BatchFormat? = nil,
    _ context: Context
  ) {
    self.session = session
    self.fails = fails
    self.failsEarly = failsEarly
    self.format = format
    self.context = context
  }

  /// Whether no further request is to start.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Notes what a request is reported with.
  func expect(_ line: Int, _ tag: BatchTag) { state.withLock { $0.expected[line] = tag } }

  /// Reports what became of requests; returns whether further ones may start.
  ///
  /// A reader may wait for the lines before it writes the next request, so they are written at once.
  func tell(_ outcomes: [BatchOutcome]) -> Bool {
    for outcome in outcomes { tell(outcome) }
    return flush()
  }

  private func tell(_ outcome: BatchOutcome) {
    let tag = state.withLock { $0.expected.removeValue(forKey: outcome.number) } ?? BatchTag()
    var row = BatchRow(line: outcome.number, id: tag.id, duration: outcome.duration)
    switch outcome.result {
    case .success(let response):
      row.failure = self.failure(of: response, as: tag)
      row.response = response
      row.target = tag.target
    case .failure(let error):
      tag.target?.discard()
      row.measured = error.measured
      row.failure = tag.target?.failure ?? Failure(ofBatched: error, session.profile.name)
    }
    write(row, of: tag.request)
  }

  /// Reports a line that is not a request.
  func refuse(line: Int, id: JSON?, _ message: String) {
    let failure = Failure(.usage, "invalid_request", "could not read the request: \(message)")
    write(BatchRow(line: line, id: id, failure: failure))
  }

  /// The lines cannot be read to their end.
  func end(reading error: SystemError) {
    state.withLock {
      $0.inputFailure = Failure(
        .failure, "input_unreadable", "could not read the requests: \(error)")
    }
  }

  /// Throws if a request failed: the exit status is that of the failures, or 1 if they differ.
  func finish() throws(Failure) {
    let state = state.withLock { $0 }
    if let failure = state.outputFailure ?? state.inputFailure { throw failure }
    guard state.failed > 0 else { return }
    let exit = state.exits.count == 1 ? state.exits.first ?? .failure : .failure
    throw Failure(
      exit, "batch_failed",
      "could not complete the batch: \(state.failed) of \(state.count) requests failed")
  }

  private func failure(of response: HTTPResponse, as tag: BatchTag) -> Failure? {
    guard fails, response.status >= 400 else {
      do throws(Failure) {
        try tag.target?.finish()
        return nil
      } catch {
        return error
      }
    }
    tag.target?.discard()
    if let error = session.resources.stepUpError(of: response, as: tag.access) {
      return Failure(error, profile: session.profile.name)
    }
    return Failure(
      response.status >= 500 ? .serverError : .clientError, "http_\(response.status)",
      "could not fetch \(response.url.origin)\(response.url.path): the server returned "
        + "\(response.status)")
  }

  /// Writes the lines that have been held back; returns whether further requests may start.
  @discardableResult
  func flush() -> Bool {
    let isWritten = (try? context.output.flush()) != nil
    return state.withLock { state in
      state.isStopped = state.isStopped || !isWritten
      return !state.isStopped
    }
  }

  private func write(_ row: BatchRow, of request: ResourceRequest? = nil) {
    let failure = row.failure
    state.withLock { state in
      if let format {
        let failure = format.write(row, of: request)
        state.outputFailure = state.outputFailure ?? failure
      } else {
        state.writer.removeAll()
        row.write(to: &state.writer)
        context.output.write(state.writer.bytes)
      }
      state.count += 1
      if let failure {
        state.failed += 1
        state.exits.insert(failure.exit)
      }
      let isOver =
        context.output.failure != nil || state.outputFailure != nil
        || (failsEarly && failure != nil)
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
    self.init(.interrupted, error.code.description, error.message)
  }
}
