import HTTP
import POSIX
import Primitives
import SDKCore
import Synchronization

/// One request of `sdkctl fetch`, its response and its report; ``Fetch/runBatch(_:_:_:in:)`` sends many.
struct SingleFetch {
  private let request: ResourceRequest
  private let arguments: Fetch.Arguments
  private let session: ProfileSession
  private let context: Context
  private let access: Access
  /// The format of `--write-out`; empty without the option.
  private let format: [WriteOut.Part]
  private let output: OutputPath
  private let body: BodyWriter
  /// The download that is continued; `nil` without `--continue`.
  private let resumption: Resumption?
  /// The opened file of `--etag-save`.
  private let etagFile: StagedFile?
  private let retries = RetryCount()

  /// Reads the format of the report and opens the place of the body.
  init(
    _ request: ResourceRequest, _ arguments: Fetch.Arguments, _ session: ProfileSession,
    _ context: Context
  ) throws {
    self.arguments = arguments
    self.session = session
    self.context = context
    access = arguments.access ?? session.profile.defaultAccess
    format = try arguments.writeOut?.load(context.input) ?? []
    var request = request
    request.describesCertificates = format.needsCertificates
    self.request = request
    etagFile = try arguments.etagSave.map { try ETagFile(path: $0).opened() }
    output = try OutputPath(arguments)
    let destination = try BodyDestination(output, continues: arguments.continues, context)
    resumption = destination.resumption
    body = BodyWriter(
      destination, arguments.bodyOptions(output, context), progress: Self.progress(output, context),
      noteRemoval: { context.note("\($0); starting again") })
  }

  /// Sends the request, writes body and report; an HTTP error is a failure.
  func run() async throws {
    var report = TransferReport(
      method: arguments.methodName, target: arguments.target, fileName: output.path)
    report.requestURL = session.resources.url(of: request)
    report.referer = request.headers.last { $0.name.asciiLowercased == "referer" }?.value
    if format.needsLibraries { report.libraries = try? context.network.version() }
    do {
      try await send(&report)
    } catch {
      report.failure = context.failure(error)
    }
    if arguments.strictPins {
      report.failure =
        context.unpinnedHosts.failure(session.profile.name, insteadOf: report.failure)
    }
    report.response = report.response ?? body.response
    report.written = body.count
    report.retries = retries.value
    if let failure = report.failure,
      let end = arguments.endOfRetries(failure, of: arguments.methodName, after: retries.value)
    {
      report.failure?.details.append(end)
    }
    try write(report)
  }

  /// Writes the document of `--json` and the text of `--write-out`; throws the failure of the report.
  private func write(_ report: TransferReport) throws {
    if context.globals.json, report.response != nil {
      var report = report
      report.shown = ResponseReport(
        report.response, body: output.path == nil || body.hasKeptFile ? body.kept : nil,
        file: output.path, after: report.metrics.redirect + report.metrics.total)
      context.print(TransferReport.rows.json(report))
    }
    let text = format.text(of: report)
    if context.isTerminal {
      context.write(document: String(decoding: text, as: UTF8.self))
    } else {
      context.output.write(text)
    }
    if let failure = report.failure { throw failure }
  }

  /// Sends the request and delivers the body.
  ///
  /// The report gets the response, or the metrics of a transfer that failed.
  private func send(_ report: inout TransferReport) async throws {
    let response: HTTPResponse
    do throws(SDKError) {
      response = try await sent()
    } catch {
      body.discard()
      report.failedMetrics = error.metrics
      throw body.failure ?? error
    }
    report.response = response
    try body.finish()
    if let etagFile, response.isSuccess { try ETagFile.save(response, to: etagFile) }
    guard arguments.fail, response.status >= 400, !body.isComplete else { return }
    throw await httpFailure(of: response)
  }

  private func sent() async throws(SDKError) -> HTTPResponse {
    let resumption = resumption
    return try await session.resources.send(
      request, as: access, receiving: .sink(body),
      loggingIn: arguments.interactive ? InteractiveLogin.handler(session, context) : nil,
      retrying: arguments.retryPolicy(context, counting: retries),
      preparing: { request in request.headers += resumption?.fields ?? [] })
  }

  private func httpFailure(of response: HTTPResponse) async -> Failure {
    await session.failure(
      of: response, to: request, as: access,
      quoting: body.hasKeptFile && !context.globals.json ? body.kept : [],
      hint: body.hasKeptFile ? "--no-fail writes the response to the file" : nil, context)
  }

  private static func progress(_ output: OutputPath, _ context: Context) -> Progress? {
    let isShown =
      context.terminal.isTerminal(.errors) && !context.globals.quiet
      && context.environment["TERM"] != "dumb"
      && (output.path != nil || !context.isTerminal)
    return isShown ? Progress(context.errors) : nil
  }
}

extension Fetch.Arguments {
  func bodyOptions(_ output: OutputPath, _ context: Context) -> BodyWriter.Options {
    BodyWriter.Options(
      includesHead: (include || head) && !context.globals.json, keepsFileOnError: fail,
      maximumSize: maximumSize?.bytes
        ?? (context.globals.json && output.path == nil ? 1 << 26 : nil),
      isHead: methodName.asciiLowercased == "head",
      colours: context.globals.color.isWanted(onTerminal: true, context.environment),
      isForced: output.isForced)
  }

  /// The repetitions of `--retry`; each is reported on standard error.
  func retryPolicy(_ context: Context, counting: RetryCount? = nil) -> RetryPolicy {
    let count = Int(retry)
    return RetryPolicy(count: count) { cause, wait, attempt in
      counting?.note(attempt)
      let seconds = wait.components.seconds
      context.note("\(cause); trying again in \(seconds) s (\(attempt) of \(count))")
    }
  }

  /// Why a request that failed is not sent again, although `--retry` was given; `nil` if the failure tells that itself.
  func endOfRetries(
    _ failure: Failure, of method: String, after count: Int? = nil
  ) -> String? {
    guard retry > 0, failure.isRetryable else { return nil }
    guard HTTPMethod(inAnyCase: method)?.isIdempotent == true else {
      return "--retry does not send \(method) again: the server may have carried it out"
    }
    return count.flatMap { $0 == retry ? "it was sent \($0 + 1) times" : nil }
  }
}

final class RetryCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func note(_ attempt: Int) { count.store(attempt, ordering: .relaxed) }
}
