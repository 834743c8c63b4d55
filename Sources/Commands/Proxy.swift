import Arguments
import HTTP
import JSON
import LocalProxy
import POSIX
import Primitives
import SDKCore

enum Proxy: Command {
  static let page = CommandInfo(
    name: "proxy", group: .access, summary: "Let other programs send requests with a token",
    description: """
      Listens on this machine, and passes each request to the profile's `resourceURL` as {fetch} does: \
      with a valid token, a proof and the client certificate, behind the pins. It prints its \
      address, which has a secret as the beginning of its path: append the path of a resource, as in \
      `http://127.0.0.1:PORT/SECRET/me`. It runs until a signal (SIGINT, SIGTERM) or `--timeout` ends \
      it; requests that run then have 10 seconds to end.

      With a COMMAND it runs as long as the command, whose environment has the address in \
      SDKCTL_PROXY_URL, and ends with its exit status (127 if it does not exist, 126 if it cannot be \
      run). With `--socket` the address is `http://localhost`, and SDKCTL_PROXY_SOCKET the path of \
      the socket.

      Connections of other users are closed at once; a socket has the mode 0600. Other programs of \
      this user can use the login if they have the address. Every user can read the arguments of a program: \
      do not write the address there, but give curl a configuration on standard input (`curl -K -`), or use \
      `--socket`. Settings and pins that are changed while the proxy runs count for the next request. \
      A request is refused if its `Host` is not the proxy's, if it comes \
      from a page of another origin than those of `--allow-origin`, or if it could be read in two \
      ways. `Authorization`, cookies, `Origin`, `Referer` and `User-Agent` of a request are not \
      passed on, nor are cookies of a response. A browser runs no script of a response. Methods are GET, HEAD, POST, PUT, PATCH and DELETE; a connection \
      cannot be upgraded (501).

      Responses come back as the server sent them, an error too; redirects are followed as by \
      {fetch}. A request that cannot be passed on gets a JSON object with `error` and `message`: 503 \
      if a login is needed, 504 after a time limit, 502 otherwise. The first 256 KiB of a request's \
      body are kept: if the server refuses the token, the request is sent again, unless more of its \
      body has been sent already; then the 401 comes back, and the client sends it again. Trailers and \
      1xx responses are not passed on.

      Each request is a line on standard error, without its query; `--quiet` prints none. The proxy \
      needs the library libmicrohttpd (`libmicrohttpd12` in Debian).
      """,
    examples: [
      ("sdkctl proxy", "Print the address, and pass requests on"),
      (
        "sdkctl proxy -- sh -c 'echo \"url=$SDKCTL_PROXY_URL/me\" | curl -sK -'",
        "Run a command that uses the proxy"
      ),
      ("sdkctl proxy --socket /run/user/1000/api", "Listen on a Unix domain socket"),
      (
        "sdkctl proxy --port 8080 --allow-origin http://localhost:3000",
        "Let a page in development use the API"
      ),
    ],
    exitCodes: [10, 126, 127], seeAlso: ["fetch", "exec", "token"],
    output: rows.document, needs: .network)

  private static let rows = Rows<(url: String, socket: String?)>(
    .member("url", "the address; nothing is printed with a COMMAND") { $0.url },
    .member("socket", "the path of the socket") { $0.socket })

  struct Arguments: CommandArguments {
    var access: Access?
    var port: UInt16?
    var socket: String?
    var origins: [String] = []
    var interactive = false
    var connection = ConnectionArguments()
    var command: [String] = []
  }

  static let options: [Option<Arguments>] =
    [
      .value(
        "port", "PORT", \.port, "Listen on this port of 127.0.0.1",
        reading: { UInt16($0).flatMap { $0 > 0 ? $0 : nil } }, expected: "a number up to 65535"
      ).exclusive("place"),
      .value("socket", "FILE", \.socket, "Listen on a Unix domain socket")
        .completing(.file).exclusive("place"),
      .list(
        "allow-origin", "ORIGIN", \.origins, "Let pages of this origin use the proxy",
        parse: origin),
    ] + Access.options(\.access, "Send") + [
      .flag("interactive", \.interactive, "Log in by browser if a login is needed")
    ] + .group(.connection, ConnectionArguments.options.of(\.connection))

  static let operands: [Operand<Arguments>] = [
    .any("COMMAND", \.command, "A command that uses the proxy, after --").allowingEmpty()
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session {
      arguments.connection.apply(to: &$0)
      if arguments.interactive { context.logInForIdentities(&$0) }
    }
    let program =
      arguments.command.isEmpty ? nil : try Exec.program(of: arguments.command, context)
    // Settings and pins may be replaced while it runs.
    let current = CurrentSession(session)
    let proxy = try ResourceProxy(options(arguments, current, session.profile, context)) {
      () throws(SDKError) in try current.get().resources
    }
    guard let program else {
      if context.globals.json {
        context.print(rows.json((proxy.url, arguments.socket)))
      } else {
        context.print(proxy.url)
      }
      try context.output.flush()
      // A signal ends what runs first.
      return await CriticalSection.run { await proxy.run(for: context.remaining) }
    }
    var environment = context.environment.forHelpers
    environment["SDKCTL_PROXY_URL"] = proxy.url
    environment["SDKCTL_PROXY_SOCKET"] = arguments.socket
    let process = try Exec.start(program, arguments.command, environment)
    let passing = Task(executorPreference: TaskThread.current) {
      await proxy.run(for: context.remaining)
    }
    let status = try await Exec.end(of: process, context)
    passing.cancel()
    await passing.value
    throw Failure.ended(status)
  }

  private static func options(
    _ arguments: Arguments, _ current: CurrentSession, _ profile: Profile, _ context: Context
  ) -> ProxyOptions {
    var options = ProxyOptions()
    if let path = arguments.socket { options.listener = .socket(path) }
    if let port = arguments.port { options.listener = .port(port) }
    options.access = arguments.access ?? profile.defaultAccess
    options.allowedOrigins = arguments.origins
    if arguments.interactive {
      options.logIn = { (login) throws(SDKError) in
        try await InteractiveLogin.handler(current.get(), context)(login)
      }
    }
    options.log = { context.note($0.line) }
    return options
  }

  /// An origin as browsers send it.
  private static func origin(_ text: String) throws(ValueError) -> String {
    guard let url = try? HTTPURL(text), url.origin == text.asciiLowercased else {
      throw ValueError("expected an origin such as https://app.example.com")
    }
    return url.origin
  }
}

extension ProxyLogEntry {
  fileprivate var line: String {
    let milliseconds = Int(duration / .milliseconds(1))
    let end = cause.map { ": \($0)" } ?? ""
    return
      "\(method.isEmpty ? "-" : method) \(path ?? "-") \(status) \(size) bytes \(milliseconds) ms\(end)"
  }
}
