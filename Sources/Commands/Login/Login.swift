import Arguments
import HTTP
import OAuth
import SDKCore

/// `sdkctl login` -- log a user in, in a browser here or elsewhere, or this installation.
enum Login: Command {
  static let page = Page(
    name: "login", group: .access, summary: "Log in: by browser, by hand or on another device",
    description: """
      Opens the authorization server in a browser and waits for its answer on a loopback address \
      (RFC 8252, with PKCE). `$BROWSER` chooses the browser.

      Over SSH, where the browser is on another machine, there are three ways. All of them wait \
      five minutes, or as long as `--timeout` says.

      `--device` prints an address and a code (RFC 8628), on a terminal with a QR code if \
      {qrencode(1)} is installed. Open the address on any device, enter the code if it does not \
      stand there already, compare it, and sign in. Not every server offers it.

      `--manual` works with every server. Open the printed URL in a browser anywhere and sign in. \
      The browser ends at an address that begins with `http://127.0.0.1` and cannot be opened, \
      and says so: copy that whole address from the address bar, and paste it at the prompt. \
      Without a terminal it is read as one line of standard input.

      `--no-browser` prints the URL and listens here, for a tunnel. Choose the port once, when \
      you register: `sdkctl register --callback-port 8976`. Then, on the machine with the \
      browser, run `ssh -L 8976:127.0.0.1:8976 HOST`, in that shell `sdkctl login --no-browser`, \
      and open the URL. Another port than the registered one, by `--callback-port`, is taken by \
      servers that let the port vary (RFC 8252 section 7.3).

      The scope is that of `--scope`, else the profile's; without either it is `openid`, if the \
      server speaks OpenID Connect. `--scope ''` sends none. `--acr` and `--max-age` add `openid`, \
      because only an ID token proves them. With `offline_access` in the scope, `prompt=consent` \
      is sent too; many servers give a refresh token only then.

      The browser returns to the registered redirect URI: to a listener on a loopback address, or \
      to a scheme, if only that is registered (`--scheme`, below).

      `--par` pushes the request to the server first (RFC 9126), so that the browser sees a \
      reference only; it goes without saying where the server insists or the profile says \
      `par=true`. `--jar` signs it (RFC 9101), with the client's key or secret, likewise for \
      `jar=true`. `--resource` (RFC 8707) may be given many times. `--authorization-details` \
      takes the array of RFC 9396, or `@FILE` that holds it.

      `--response-mode` has the browser post the answer as a form (`form_post`), or bring it as a \
      token that the server signed (`query.jwt`, `form_post.jwt`: JARM), where it announces that; \
      then an answer that is no such token ends nothing.

      With `--dpop` the tokens are bound to a key that is made for the profile, and that never \
      leaves this machine: a token alone is then of no use to anyone (RFC 9449). The profile can \
      ask for it with `dpop=on`, or with `dpop=required`, which refuses a server that answers with \
      a bearer token; otherwise such a token is kept, with a warning. The key outlives {logout}, \
      and goes with {deregister}, with a new {register}, or with the profile.

      With `--implicit`, a token of less scope is obtained in the name of the user who is logged \
      in, for {fetch} `--implicit`: by token exchange (RFC 8693) if the server offers it, else by \
      a browser that knows the user and is asked nothing (`prompt=none`). With \
      `narrowedRefresh=true` in the profile a refresh with less scope is used instead of the \
      browser; some servers then limit the whole login to that scope, and a warning says so. The \
      scope is that of `--scope`, else the profile's `implicitScope`, and nothing that the user \
      has not granted. No person is needed.

      With `--scheme`, the answer comes back to a scheme of this program, such as that of \
      `com.example.app:/callback` (RFC 8252 section 7.1). {register} has told the server of it, and \
      {login install-handler} the desktop, which runs {login respond}; that finds this waiting \
      process. An address that is no answer is told, and the wait goes on.

      Where there is something to present already, no browser is needed: `--username` asks for the \
      password of that name on the terminal, or takes it from standard input or a file, and passes \
      it on (RFC 6749 section 4.3), which the profile must allow (`passwordGrant=true`) because \
      the server alone should see it; `--assertion-stdin` presents what somebody signed about a \
      person (RFC 7523), `--assert-subject` has this client sign it with its own key, and \
      `--exchange-stdin` exchanges a token of another server (RFC 8693), whose type \
      `--subject-token-type` tells and for which `--audience` names the service.

      With `--anonymous`, the token of this installation is obtained anew (client credentials), \
      with the scope of `--scope`, else the profile's `anonymousScope`, which later tokens get; \
      no person is needed. The tokens are kept, and {token} and {fetch} use and refresh them.

      When this machine's clock differs from the server's by more than a minute, that is said \
      once on standard error: checks of ID tokens let a minute pass, and no more. How long an \
      access token lives is counted from its arrival by this machine's clock, and so does not \
      depend on it.

      Only one login of a profile runs at a time on a machine; whoever waited for it and asks for \
      the same gets its result, tokens or failure. After a failure the next browser opens five \
      seconds later at the soonest, if the same client asks for the same again; not if the login was \
      broken off here.
      """,
    examples: [
      ("sdkctl login", "Log in"),
      ("sdkctl login --device", "Log in over SSH, with a code for another device"),
      ("sdkctl login --manual", "Log in over SSH, and carry the answer over by hand"),
      ("sdkctl login --no-browser", "Log in over SSH, with a tunnel"),
      ("sdkctl login --scheme", "Log in where no browser reaches a loopback address"),
      ("sdkctl login --implicit --scope read", "Obtain a token that may only read"),
      ("pass show alice | sdkctl login --username alice --password-stdin", "Log in by password"),
      ("sdkctl login --exchange-stdin --subject-token-type id_token <token", "Exchange a token"),
      ("sdkctl login --anonymous", "Obtain a token for this installation"),
    ],
    exitCodes: [3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15], seeAlso: ["register", "token", "logout"],
    json: "An object with `profile`, `slot`, `subject` (or null), `scope` and `expires`.",
    needs: [.profile, .network])

  static let defaults = Arguments()

  static let options = Arguments.options

  static func check(_ arguments: Arguments) throws(ValueError) {
    if let objection = arguments.objection { throw ValueError(objection) }
  }

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    let session = try context.session()
    let options = try arguments.options(context)
    let grant = try await arguments.grant(session, context)
    let (slot, result) = try await translating(session.profile.name) {
      () async throws(SDKError) -> (CredentialSlot, LoginResult) in
      if let grant { return (.user, try await session.login(by: grant, options)) }
      switch arguments.way {
      case .here:
        let result = try await session.login(options, present: arguments.present(context))
        return (.user, result)
      case .scheme:
        let result = try await session.login(
          options, at: .scheme, present: arguments.present(context))
        return (.user, result)
      case .manual:
        let result = try await session.loginManually(
          options, present: { await Browser(context: context).present($0, opens: false) },
          paste: PastedAnswer(context: context).ask)
        return (.user, result)
      case .device:
        let result = try await session.loginOnDevice(options) { authorization in
          await DeviceCodes(context: context).present(authorization)
        }
        return (.user, result)
      case .implicit:
        let tokens = try await session.loginImplicitly(
          scope: arguments.scope, options: options, present: arguments.present(context))
        return (.implicit, LoginResult(tokens: tokens))
      case .anonymous:
        let tokens = try await session.loginAnonymously(scope: arguments.scope)
        return (.device, LoginResult(tokens: tokens))
      }
    }
    let wantsBound = arguments.dpop ?? session.bindsTokens
    if wantsBound, !result.tokens.isBound {
      context.warn("warning: the server binds no tokens: this is a bearer token")
    }
    if result.isShared { context.note("another process has just logged in; using its login") }
    LoginReport(result: result, slot: slot, session: session).print(context)
  }
}
