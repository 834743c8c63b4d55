import Arguments
import BulkRequests
import HTTP
import JSON
import POSIX
import SDKCore

/// `sdkctl fetch --batch FILE` -- send many requests over the same connections.
extension Fetch {
  struct BatchArguments: Sendable {
    var file: String?
    var parallel = 16
    var rate: RequestRate?
    var failsEarly = false
  }

  static let batchOptions: [Option<Arguments>] = [
    .value("batch", "FILE|-", \.batch.file, "Send the requests of a file, one per line")
      .input()
      .completing(.file)
      .excludes(
        "request", "data", "param", "form", "output", "remote-name", "output-dir",
        "clobber", "continue", "include", "head", "range", "interactive", "dry-run", "as-curl",
        "etag-save", "etag-compare", "compressed", "max-size", "write-out"
      )
      .more("It writes a report of its own; see {batch}. A line has what a request needs."),
    .value(
      "parallel", "NUMBER", \.batch.parallel, "Run at most this many at once (16)",
      parse: Int.within(1...1000)
    ).needs("batch"),
    .value(
      "rate", "NUMBER/UNIT", \.batch.rate, "Start at most this many per s, m, h or d",
      reading: { RequestRate(text: $0) }, expected: "a rate such as 10/s or 100/m"
    ).needs("batch"),
    .flag("fail-early", \.batch.failsEarly, "Start no request after one has failed")
      .needs("batch"),
  ]

  /// Sends the requests of the lines and writes a line for each outcome.
  static func runBatch(
    _ file: String, _ arguments: Arguments, _ session: ProfileSession, in context: Context
  ) async throws {
    let lines = try lines(of: file, context)
    let report = BatchReport(arguments, session, context)
    let reader = BatchReader(
      lines, arguments, arguments.access ?? session.profile.defaultAccess, report)
    var options = BatchOptions(parallel: arguments.batch.parallel, rate: arguments.batch.rate)
    options.runsAhead = !arguments.batch.failsEarly
    let run = await BatchRun(
      session, options, retrying: arguments.retry > 0 ? arguments.retryPolicy(context) : nil)
    await run.run(groups: { await reader.next() }) { await report.write($0) }
    if arguments.strictPins, let failure = context.unpinnedHosts.failure(session.profile.name) {
      throw failure
    }
    try report.finish()
  }

  private static func lines(of file: String, _ context: Context) throws -> LineFeed {
    do {
      return try LineFeed(
        operand: file, context.input, limit: BatchLine.maximumByteCount, cutsLongLines: true)
    } catch {
      throw Failure.unreadable("the requests", error)
    }
  }
}

extension RequestRate {
  /// `NUMBER/UNIT` with the units of curl: `s`, `m`, `h`, `d`.
  init?(text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = try? Int.reading(String(parts[0])) else { return nil }
    let seconds = ["s": 1, "m": 60, "h": 3600, "d": 86_400][String(parts[1])]
    guard let seconds else { return nil }
    self.init(count, per: .seconds(seconds))
  }
}
