import BulkRequests
import HTTP
import JSON
import POSIX
import Primitives
import SDKCore

/// `sdkctl fetch --paginate` -- fetch all pages of a list.
struct PagedFetch {
  private let request: ResourceRequest
  private let arguments: Fetch.Arguments
  private let session: ProfileSession
  private let context: Context
  private let access: Access
  private let output: OutputPath
  private let destination: BodyDestination
  private let body: BodyWriter

  init(
    _ request: ResourceRequest, _ arguments: Fetch.Arguments, _ session: ProfileSession,
    _ context: Context
  ) throws {
    self.request = request
    self.arguments = arguments
    self.session = session
    self.context = context
    access = arguments.access ?? session.profile.defaultAccess
    output = try OutputPath(arguments)
    destination = try BodyDestination(output, continues: false, context)
    body = BodyWriter(destination, arguments.pagesOptions(output, context))
  }

  /// Fetches and writes the pages; throws what ended them too early.
  func run() async throws {
    var pages = try session.resources.pages(of: request, as: access, options)
    // A file has the same content with `--json` as without it.
    let isInDocument = context.globals.json && output.path == nil
    var writer = ListWriter(body, isArray: arguments.pages.isSlurped || isInDocument)
    var failure: Failure?
    do {
      try await fetch(&pages, &writer)
    } catch {
      failure = context.failure(error)
    }
    if arguments.strictPins {
      failure = context.unpinnedHosts.failure(session.profile.name, insteadOf: failure)
    }
    if failure != nil, destination.isReplacing {
      body.discard()
    } else {
      try writer.end()
      try body.finish()
    }
    if context.globals.json {
      let report = PagesReport(
        count: pages.count, next: pages.upcoming.map(session.resources.shown), file: output.path,
        body: output.path != nil ? nil : body.kept.isEmpty ? [] : try JSON(parsing: body.kept))
      context.print(PagesReport.rows.json(report))
    }
    note(pages)
    if let failure { throw failure }
  }

  private func fetch(_ pages: inout ResourcePages, _ writer: inout ListWriter) async throws {
    while let page = try await pages.next() {
      guard page.isSuccess else {
        throw await session.failure(
          of: page, to: request, as: access, quoting: page.body, context)
      }
      try writer.write(page, number: pages.count)
    }
    guard pages.upcoming != nil, arguments.pages.maximumCount == nil else { return }
    throw Failure(
      .tooManyPages, "could not fetch all pages: there are more than \(pages.count)",
      hints: ["--max-pages sets another limit"])
  }

  /// Shows the URL with which the rest of the list begins.
  private func note(_ pages: ResourcePages) {
    let words: (field: String, what: String, options: [String])? =
      switch pages.unfollowed {
      case .url(let field)?: (field, "a URL of another origin", ["--next-field", field])
      case .cursor(let field, let parameter)?:
        (field, "a cursor", ["--next-field", field, "--next-param", parameter])
      default: nil
      }
    if let (field, what, options) = words {
      context.warning(
        "there may be more pages: '\(field)' looks like \(what), which is followed only if options say so",
        hint: ShellWord.line(["sdkctl"] + context.ports.arguments + options))
    }
    guard let next = pages.upcoming, pages.count > 0 else { return }
    let repeated = arguments.parameters.isEmpty ? "" : ", without --param,"
    context.warn(
      "page \(pages.count + 1) was not fetched; to go on, use the same options\(repeated) and this URL:"
    )
    context.warn(url: session.resources.shown(next))
  }

  private var options: ResourcePages.Options {
    var options = ResourcePages.Options()
    options.source = arguments.pages.source
    if let count = arguments.pages.maximumCount { options.maximumCount = count }
    if let size = arguments.maximumSize { options.maximumSize = Int(size.bytes) }
    if arguments.retry > 0 { options.retryPolicy = arguments.retryPolicy(context) }
    if arguments.interactive {
      options.loginHandler = InteractiveLogin.handler(session, context)
    }
    return options
  }
}

extension Fetch.Arguments {
  /// How the pages are written; the size of each is limited when it is received.
  fileprivate func pagesOptions(_ output: OutputPath, _ context: Context) -> BodyWriter.Options {
    var options = bodyOptions(output, context)
    options.maximumSize = context.globals.json && output.path == nil ? 1 << 26 : nil
    return options
  }
}
