import Arguments
import HTTP
import POSIX
import SDKCore

/// `sdkctl fetch` -- fetch a resource with a token, behind pins.
enum Fetch: Command {
  static let page = CommandInfo(
    name: "fetch", group: .access, summary: "Fetch a resource, behind pins",
    description: """
      Sends one request and writes the body of the response: `sdkctl fetch /me`. A path is \
      appended to the profile's `resourceURL`. An absolute URL is used as it is, with a token only \
      for the hosts that the profile allows. The token is the user's, unless an option or the \
      profile's `defaultAccess` chooses another; an implicit token is one of the user with less \
      scope (see {login}).

      `--param` adds to the query of GET, HEAD and DELETE, and to the body of other methods, as \
      JSON or as a form. `--data` sends a body as it is, and makes POST the default method.

      Redirects are followed, but never from https to http. Each host on the way needs pins, and \
      only the first origin gets the token. After a 401 the token is renewed and the request sent \
      once more. The body of an HTTP error is written like any other, and the exit status is 12 \
      or 13; but a file of `--output` is then not written, unless `--no-fail` is given.

      `--output` follows symbolic links and writes to pipes and devices. A regular file is \
      replaced when the body is complete, and keeps its mode; a new file has mode 0600.

      A token that is bound to a key (see {login}) is sent with a new proof (RFC 9449). If the \
      server requires a nonce, the request is sent once more with it.

      If the server asks for a client certificate, the identity that is stored for its host is \
      shown; if there is none, or the server refuses it, one is obtained as the profile's section \
      `identity` says. An identity is not shown to another origin after a redirect.

      A resource may require that the user logs in again, or in a stronger way (RFC 9470). Then \
      the response is written, the exit status is 4, and the hint is the {login} to run. \
      `--interactive` runs that login in a browser and sends the request once more; it also does \
      so if nobody is logged in, or if the login has expired.
      """,
    examples: [
      ("sdkctl fetch /me", "Fetch as the user"),
      ("sdkctl fetch --anonymous /application-details", "Fetch as this installation"),
      ("sdkctl fetch POST /orders --param item=7 --encoding json", "Send parameters as JSON"),
      ("sdkctl fetch --unauth -i https://api.example.com/public", "Fetch without a token"),
      ("sdkctl fetch --interactive /transfers", "Log in first if that is needed"),
      ("sdkctl fetch -o report.pdf /reports/7", "Save to a file"),
    ],
    exitCodes: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], seeAlso: ["token", "batch", "pins"],
    needs: [.profile, .network])

  struct Arguments: Sendable {
    var access: Access?
    var method: String?
    var headers: [Header] = []
    var parameters: [Parameter] = []
    var encoding = ParametersEncoding.json
    var data: String?
    var output: String?
    var include = false
    var fail = true
    var interactive = false
    var identity = IdentityChoice.automatic
    var batch = BatchArguments()
    var word: String?
    var target = ""
  }

  static let defaults = Arguments()

  static let options: [Option<Arguments>] =
    mainOptions + .group(.parameters, parameterOptions) + .group(.response, responseOptions)
    + .group(.batch, batchOptions)

  private static let mainOptions: [Option<Arguments>] =
    [
      .flag("user", nil, \.access, setting: .user, "Fetch as the user").exclusive("access"),
      .flag("implicit", nil, \.access, setting: .implicit, "Fetch with the user's implicit token")
        .exclusive("access"),
      .flag("anonymous", nil, \.access, setting: .anonymous, "Fetch as this installation")
        .exclusive("access"),
      .flag("unauth", nil, \.access, setting: .unauthenticated, "Fetch without a token")
        .exclusive("access"),
      .value("request", "X", "METHOD", \.method, "Send this method"),
      .list("header", "H", "'NAME: VALUE'|@FILE", \.headers, "Send header fields")
        .completing(.file),
      .value("data", "d", "TEXT|@FILE", \.data, "Send this body; @- is standard input")
        .completing(.file),
      .value("output", "o", "FILE", \.output, "Write the body to a file").completing(.file),
      .flag("interactive", nil, \.interactive, "Log in by browser if nothing else helps"),
    ] + identityOptions

  private static let parameterOptions: [Option<Arguments>] = [
    .list("param", nil, "NAME=VALUE", \.parameters, "Send a parameter"),
    .choice("encoding", nil, "ENCODING", \.encoding, "Encode parameters of a body like this"),
  ]

  private static let responseOptions: [Option<Arguments>] = [
    .flag("include", "i", \.include, "Write status and header fields before the body"),
    .flag("fail", nil, \.fail, "Exit with 12 or 13 on an HTTP error (default)", negatable: true),
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("METHOD", \.word, "The method, in capitals or in lower case"),
    .one("PATH|URL", \.target, "What to fetch").replaced(by: "batch"),
  ]

  static func check(_ arguments: Arguments) throws(ValueError) {
    if arguments.word != nil, arguments.method != nil {
      throw ValueError("the method is given twice")
    }
    try checkBatch(arguments)
  }

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    let session = try context.session { $0.identity = arguments.identity }
    if let file = arguments.batch.file {
      return try await runBatch(file, arguments, session, in: context)
    }
    let name = session.profile.name
    let request = try request(arguments, context)
    let target = try BodyTarget(arguments.output, includesHead: arguments.include, context)
    let access = arguments.access ?? session.profile.defaultAccess
    let response: HTTPResponse
    do {
      response = try await session.resources.send(
        request, as: access, receiving: .sink(target),
        loggingIn: arguments.interactive ? logIn(session, context) : nil)
    } catch {
      target.discard()
      throw target.failure ?? Failure(error, profile: name)
    }
    let isError = arguments.fail && response.status >= 400
    let isSpared = isError && target.isReplacing
    if isSpared { target.discard() } else { try target.finish() }
    guard isError else { return }
    if let error = session.resources.stepUpError(of: response, as: access) {
      throw Failure(error, profile: name)
    }
    let exit: ExitCode = response.status >= 500 ? .serverError : .clientError
    throw Failure(
      exit, "http_\(response.status)",
      "could not fetch \(response.url.origin)\(response.url.path): the server returned \(response.status)",
      hints: isSpared ? ["--no-fail writes the response to the file"] : [])
  }

  private static func logIn(_ session: ProfileSession, _ context: Context) -> LoginHandler {
    { (options) throws(SDKError) in
      let result = try await session.login.inBrowser(options) { url in
        await Browser(context: context).present(url, opens: true)
      }
      context.note("logged \(result.subject ?? "the user") in to '\(session.profile.name)'")
      LoginReport(result: result, slot: .user, session: session).noteMissingRefreshToken(context)
    }
  }

  private static func request(
    _ arguments: Arguments, _ context: Context
  ) throws(Failure) -> ResourceRequest {
    let method = arguments.method ?? arguments.word ?? (arguments.data == nil ? "GET" : "POST")
    return ResourceRequest(
      method, arguments.target,
      headers: try headers(arguments, context),
      parameters: arguments.parameters.map { ($0.name, $0.value) }, encoding: arguments.encoding,
      body: try arguments.data.map { (text) throws(Failure) in
        try BodySource.body(of: text, context.input)
      })
  }

  static func headers(
    _ arguments: Arguments, _ context: Context
  ) throws(Failure) -> [(name: String, value: String)] {
    var headers: [(name: String, value: String)] = []
    for header in arguments.headers { headers += try header.fields(context.input) }
    return headers
  }
}
