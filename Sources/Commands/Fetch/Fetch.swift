import Arguments
import HTTP
import POSIX
import Primitives
import SDKCore

enum Fetch: Command {
  static let page = CommandInfo(
    name: "fetch", group: .access, summary: "Fetch a resource from a pinned host",
    description: """
      Sends one request and writes the body of the response: `sdkctl fetch /me`. A path is \
      appended to the profile's `resourceURL`. An absolute URL is used as it is, with a token only \
      for the hosts that the profile allows. The token is the user's, unless an option or the \
      profile's `defaultAccess` chooses another; an implicit token is one of the user with less \
      scope (see {login}).

      `--param` adds to the query of GET, HEAD and DELETE, and to the body of other methods, as \
      JSON or as a form. `--data` sends a body as it is, `--form` uploads files; both make POST \
      the default method.

      Redirects are followed, but never from https to http. Each host on the way needs pins, and \
      only the first origin gets the token. After a 401 the token is renewed and the request sent \
      once more. The body of an HTTP error is written like any other, and the exit status is 12 \
      or 13; but a file is then not written, unless `--no-fail` is given: the beginning of the body \
      is shown on standard error.

      `--output` follows symbolic links and writes to pipes and devices. A regular file is \
      replaced when the body is complete, and keeps its mode; a new file has mode 0600. A transfer \
      of more than a second shows its progress on standard error, if that is a terminal.

      On a terminal, JSON has colours, control characters are removed, and binary data is refused \
      unless `-o -` is given. A body is decoded only with `--compressed`.

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
      ("sdkctl fetch -O --continue /reports/7.pdf", "Save to 7.pdf, or continue to"),
      (
        "sdkctl fetch /upload -F title=Report -F 'file=@report.pdf;type=application/pdf'",
        "Upload a file"
      ),
      (
        "sdkctl fetch --unauth --connect-to ::new.example.com: /health",
        "Try a new server before the DNS changes"
      ),
      ("sdkctl fetch --as-curl /me", "Show the curl command for it"),
      ("sdkctl fetch --paginate --slurp /orders", "Fetch all pages of a list as one array"),
    ],
    exitCodes: [12, 13, 15], seeAlso: ["token", "batch", "pins"],
    output: TransferReport.rows.document
      .or("With `--dry-run`", DryRun.rows.document)
      .or("With `--paginate`", PagesReport.rows.document)
      .or("With `--batch`", BatchRow.rows.stream),
    needs: .session)

  static let options: [Option<Arguments>] = Arguments.options

  static let operands: [Operand<Arguments>] = [
    .optional("METHOD", \.word, "The method, in capitals or in lower case"),
    .one("PATH|URL", \.target, "What to fetch").replaced(by: "batch"),
  ]

  static func check(_ arguments: Arguments) throws(ValueError) {
    if let file = arguments.batch.file, file.hasPrefix("@") {
      throw ValueError("--batch takes the name of a file without '@': --batch \(file.dropFirst())")
    }
    if arguments.batch.file != nil, let word = arguments.word {
      throw ValueError(
        "unexpected operand '\(word)' with '--batch': each line has its method and URL")
    }
    if let word = arguments.word, word.utf8.contains(where: { "/:{[".utf8.contains($0) }) {
      throw ValueError(
        "fetch takes one URL: '\(word)' and '\(arguments.target)' were given; --batch takes many, --data sends a "
          + "body, --param a value")
    }
    let methods: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete]
    if arguments.word == nil, let method = HTTPMethod(arguments.target), methods.contains(method) {
      throw ValueError("operand PATH|URL is missing: '\(arguments.target)' is a method")
    }
    if arguments.access == .user, let word = arguments.word,
      !methods.contains(where: { $0 == HTTPMethod(inAnyCase: word) })
    {
      throw ValueError("--user takes no value: --user-id \(word) names another user")
    }
    if arguments.word != nil, arguments.method != nil {
      throw ValueError("the method is given twice")
    }
    if ResourceRequest.looksLikeHost(arguments.target) {
      throw ValueError(
        "a URL begins with https://, and a path of the profile with /: '\(arguments.target)'")
    }
    if arguments.head, arguments.methodName != "HEAD" {
      throw ValueError("'--head' and the method \(arguments.methodName) cannot be used together")
    }
    if arguments.continues, arguments.output == "-" {
      throw ValueError("'--continue' needs a file")
    }
  }

  static func openInput(_ arguments: Arguments) -> String? {
    let isEmpty =
      arguments.data == nil && arguments.form.isEmpty && arguments.parameters.isEmpty
      && arguments.batch.file == nil
    return isEmpty && HTTPMethod(inAnyCase: arguments.methodName)?.expectsBody == true
      ? "--data -" : nil
  }

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session {
      arguments.connection.apply(to: &$0)
      $0.identity = arguments.identity
      if arguments.interactive { context.logInForIdentities(&$0) }
    }
    let arguments = try arguments.loadingFiles(context.input)
    if let file = arguments.batch.file {
      return try await runBatch(file, arguments, session, in: context)
    }
    let request = try arguments.request(context)
    if arguments.pages.isWanted {
      return try await PagedFetch(request, arguments, session, context).run()
    }
    if let preview = arguments.preview {
      return try await show(preview, of: request, arguments, session, context)
    }
    try await SingleFetch(request, arguments, session, context).run()
  }

  private static func show(
    _ kind: Preview, of request: ResourceRequest, _ arguments: Arguments,
    _ session: ProfileSession, _ context: Context
  ) async throws {
    let access = arguments.access ?? session.profile.defaultAccess
    let preview = try await session.resources.preview(request, as: access)
    switch kind {
    case .dryRun where context.globals.json:
      context.print(DryRun.rows.json(DryRun(preview: preview)))
    case .dryRun: for line in DryRun(preview: preview).lines { context.print(line) }
    case .curl:
      let command = try await CurlCommand(arguments, preview, access, session, context)
      for line in command.differences { context.note(line) }
      // A control character that is part of a value has no other form in a shell.
      context.write(document: command.text + "\n")
    }
  }
}
