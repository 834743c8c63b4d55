import HTTP
import POSIX
import Primitives
import SDKCore
import Synchronization

extension Fetch {
  /// Sends the request and delivers the body; an HTTP error is a failure.
  ///
  /// The report gets the response, and what was measured of a transfer that failed.
  static func send(
    _ request: ResourceRequest, _ arguments: Arguments, _ session: ProfileSession,
    _ target: BodyTarget, _ resumption: Resumption?, _ retries: RetryCount,
    _ report: inout TransferReport, _ context: Context
  ) async throws(Failure) {
    let name = session.profile.name
    let access = arguments.access ?? session.profile.defaultAccess
    let response: HTTPResponse
    do {
      response = try await startingAgain(target, request, context) { () async throws(SDKError) in
        try await session.resources.send(
          request, as: access, receiving: .sink(target),
          loggingIn: arguments.interactive ? logIn(session, context) : nil,
          retrying: self.retries(arguments, context, counting: retries),
          preparing: { request in request.headers += resumption?.fields ?? [] })
      }
    } catch {
      target.discard()
      report.measured = error.measured
      throw target.failure ?? Failure(error, profile: name)
    }
    report.response = response
    try target.finish()
    if let file = arguments.etagSave, response.isSuccess {
      try ETagFile(path: file).save(response)
    }
    guard arguments.fail, response.status >= 400, !target.isComplete else { return }
    if let error = session.resources.stepUpError(of: response, as: access) {
      throw Failure(error, profile: name)
    }
    throw failure(of: response, target, isJSON: context.globals.json)
  }

  /// Sends the request once more if the part that was to be continued is of another resource.
  private static func startingAgain(
    _ target: BodyTarget, _ request: ResourceRequest, _ context: Context,
    _ send: () async throws(SDKError) -> HTTPResponse
  ) async throws(SDKError) -> HTTPResponse {
    do throws(SDKError) { return try await send() } catch {
      guard target.mustStartAgain, target.restart(), request.multipart.isEmpty,
        request.body?.rewind() ?? true
      else {
        throw error
      }
      context.note("the part is of another version of the resource; starting again")
      return try await send()
    }
  }

  static func retries(
    _ arguments: Arguments, _ context: Context, counting: RetryCount? = nil
  ) -> RetryPolicy {
    let count = Int(arguments.retry)
    return RetryPolicy(count: count) { cause, wait, attempt in
      counting?.note(attempt)
      let seconds = wait.components.seconds
      context.note("\(cause); trying again in \(seconds) s (\(attempt) of \(count))")
    }
  }

  private static func failure(
    of response: HTTPResponse, _ target: BodyTarget, isJSON: Bool
  ) -> Failure {
    let exit: ExitCode = response.status >= 500 ? .serverError : .clientError
    let place = "\(response.url.origin)\(response.url.path)"
    var failure = Failure(
      exit, "http_\(response.status)",
      "could not fetch \(place): the server returned \(response.status)",
      hints: target.isSpared ? ["--no-fail writes the response to the file"] : [])
    if target.isSpared, !isJSON { failure.details = target.kept.shownLines }
    return failure
  }

  static func progress(_ place: OutputPlace, _ context: Context) -> Progress? {
    let isShown =
      context.terminal.isTerminal(.errors) && !context.globals.quiet
      && context.environment["TERM"] != "dumb"
      && (place.path != nil || !context.isTerminal)
    return isShown ? Progress(context.errors) : nil
  }

  private static func logIn(_ session: ProfileSession, _ context: Context) -> LoginHandler {
    let login = InteractiveLogin(session: session, context: context, isAllowed: true)
    return { (options) throws(SDKError) in try await login.logIn(options) }
  }
}

extension Fetch.Arguments {
  func bodyOptions(_ place: OutputPlace, _ context: Context) -> BodyTarget.Options {
    BodyTarget.Options(
      includesHead: (include || head) && !context.globals.json, sparesFile: fail,
      maximumSize: maximumSize?.bytes
        ?? (context.globals.json && place.path == nil ? 1 << 26 : nil),
      isHead: methodName.asciiLowercased == "head",
      colours: context.globals.color.isWanted(onTerminal: true, context.environment),
      isForced: place.isForced)
  }
}

extension [UInt8] {
  /// The beginning of a text as lines; control characters are removed.
  fileprivate var shownLines: [String] {
    var filter = TerminalFilter()
    let text = withUnsafeBytes { filter.visible($0) } + filter.rest()
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.prefix(20).map { String($0.prefix(300)) }
  }
}

/// How often a request was repeated.
final class RetryCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func note(_ attempt: Int) { count.store(attempt, ordering: .relaxed) }
}
