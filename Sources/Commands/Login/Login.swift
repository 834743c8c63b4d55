import Arguments
import HTTP
import OAuth
import POSIX
import SDKCore

enum Login: Command {
  static let page = CommandInfo(
    name: "login", group: .access, summary: "Log a user in, or this installation",
    description: """
      Logs a user in and stores the tokens; {token} and {fetch} use them, and refresh them when \
      needed. Without options, the server's page opens in a browser, and the command waits for \
      the response on a loopback address (authorization code with PKCE, RFC 8252). `$BROWSER` \
      selects the browser. The wait ends after five minutes, or after `--timeout`.

      `--user-id` adds a user to the profile, with slots of their own; the first user who logs in is \
      the current one, and stays so: see {profiles}.

      If this machine has no browser, for example over SSH, use `--device`, `--manual` or \
      `--no-browser`; {ssh} explains them. If no browser can be started and no terminal shows the \
      URL, as in a job of CI, the command fails at once. With SDKCTL_PROMPT=never, every login \
      that a person must take part in fails at once. To present something instead of using a browser, see \
      {login password}, {login assertion} and {login exchange}.

      The requested scope is that of `--scope`, else the profile's `scope`, else `openid` if the \
      server supports OpenID Connect. `--scope ''` requests no scope. `--acr` and `--max-age` add \
      `openid`, because only an ID token proves them. If the scope contains `offline_access`, \
      `prompt=consent` is sent too, because many servers return a refresh token only then.

      `--implicit` requests a second token with less scope for the user who is logged in, for \
      `sdkctl fetch --implicit`. No person is asked. It uses a token exchange (RFC 8693) if the server \
      offers one, else a browser in which the user is still signed in (`prompt=none`). If the \
      profile has `narrowedRefresh=true`, it uses a refresh with less scope instead of the \
      browser; some servers then limit the whole login to that scope, and a warning says so. The \
      scope is that of `--scope`, else the profile's `implicitScope`; it cannot exceed what the \
      user has granted.

      `--anonymous` requests a token for this installation (client credentials). No person is asked. \
      The scope is that of `--scope`, else the profile's `anonymousScope`; later tokens of this \
      installation have the same scope.

      `--scheme` waits for a redirect to a URL scheme, such as `com.example.app:/callback` (RFC \
      8252 section 7.1). It is the default if no other redirect URI is registered. Register the \
      redirect URI with {register} and the scheme with {login install-handler}. The desktop then \
      runs {login respond}, which passes the address to the command that waits. An address that \
      does not belong to this login is reported, and the wait continues.

      With the setting `dpop=on` the tokens are bound to a key of the profile: nobody can use them \
      without the key, which never leaves this machine (RFC 9449). If the server returns an \
      unbound token, it is stored with a warning; with `dpop=required` it is refused. {logout} \
      keeps the key; {deregister}, a new {register} and {profile remove} delete it.

      With `par=true` the request is sent to the server first, so that the browser sees only a \
      reference to it (RFC 9126); with `jar=true` it is signed with the client's key or secret \
      (RFC 9101). Both happen too if the server requires them. The setting `responseMode` selects \
      how the browser returns the response: `form_post` as a form, `query.jwt` and `form_post.jwt` \
      as a token signed by the server (JARM). The server must support it. With a signed mode, an \
      unsigned response is ignored.

      Only one login of a profile runs at a time. Another one with the same options waits, and \
      gets the result of the first. After a failed login the next browser opens five seconds \
      later at the earliest, unless you cancelled the login.

      If the clock of this machine differs from the server's by more than a minute, a note says \
      so; ID tokens are checked with a tolerance of one minute. The lifetime of an access token \
      is counted from its arrival, and does not depend on the server's clock.
      """,
    examples: [
      ("sdkctl login", "Log in with a browser"),
      ("sdkctl login --user-id bob", "Log in as a second user of the profile"),
      ("sdkctl login --device", "Log in over SSH, with a code for another device"),
      ("sdkctl login --manual", "Log in over SSH, and paste the address of the browser"),
      ("sdkctl login --no-browser", "Log in over SSH, through a tunnel"),
      ("sdkctl login --acr urn:example:mfa", "Log in with a second factor"),
      ("sdkctl login --implicit --scope read", "Get a token that can only read"),
      ("sdkctl login --anonymous", "Get a token for this installation"),
    ],
    exitCodes: [15],
    seeAlso: ["register", "token", "logout", "ssh"],
    output: NewLogin.rows.document,
    needs: .session)

  static let options = Arguments.options

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session { $0.tokenParameters = arguments.tokenParameters }
    if arguments.slot == .user, context.environment.forbidsQuestions {
      throw Failure(.unavailable, "could not log in: \(Environment.questionsAreForbidden)")
    }
    let options = try arguments.options(context)
    if let port = options.port {
      try await context.note(port: port, of: session)
    }
    let result =
      switch arguments.slot {
      case .user: try await logIn(arguments, options, session, context)
      case .implicit:
        LoginResult(
          tokens: try await session.login.silently(
            scope: arguments.scope, options: options, present: arguments.present(context)))
      case .anonymous:
        LoginResult(
          tokens: try await session.tokens.valid(
            for: .anonymous, TokenDemand(forceNew: true, scope: arguments.scope)))
      }
    await LoginReport(result: result, slot: arguments.slot, session: session)
      .finish(context)
  }

  private static func logIn(
    _ arguments: Arguments, _ options: LoginOptions, _ session: ProfileSession,
    _ context: Context
  ) async throws(SDKError) -> LoginResult {
    let way: LoginWay =
      switch arguments.way {
      case .here: .browser(present: arguments.present(context))
      case .scheme: .browser(at: .scheme, present: arguments.present(context))
      case .manual:
        .pasted(
          present: { await Browser(context: context).present($0, opens: false) },
          paste: PastedResponse(context: context).ask)
      case .device:
        .device { await DeviceCodes(context: context).present($0) }
      }
    return try await session.login.logIn(by: way, options)
  }
}

extension Context {
  /// Says that the client is registered for other ports: many servers compare the whole redirect URI.
  fileprivate func note(port: UInt16, of session: ProfileSession) async throws {
    let ports = try await session.registration.usable()?.loopbackPorts ?? []
    guard !ports.isEmpty, !ports.contains(port) else { return }
    let names = ports.map(String.init).joined(separator: ", ")
    note("the client is registered for port \(names); some servers refuse another")
  }
}

/// Shows a person what to do on another device.
struct DeviceCodes {
  let context: Context

  func present(_ authorization: DeviceAuthorization) async {
    if let picture = await picture(of: authorization) { context.errors.write(picture) }
    context.warn("on any device, open this URL and enter the code \(authorization.userCode):")
    context.warn(url: authorization.verificationURI)
    if let uri = authorization.completeURI {
      context.warn("or open this one, which has the code in it:")
      context.warn(url: uri)
    }
    context.note("waiting for the other device")
  }

  /// A QR code of the address, where a person can see one and a program can draw it.
  private func picture(of authorization: DeviceAuthorization) async -> [UInt8]? {
    guard context.terminal.isTerminal(.errors),
      let program = Spawn.find("qrencode", in: context.environment)
    else { return nil }
    let address = (authorization.completeURI ?? authorization.verificationURI).description
    let drawn = try? await Spawn.run(
      program, ["-t", "UTF8", "-o", "-"], environment: context.environment.forHelpers,
      input: Array(address.utf8), limit: 1 << 16, timeout: .seconds(5))
    return drawn.flatMap { $0.status.isSuccess ? $0.output : nil }
  }
}
