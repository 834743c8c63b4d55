import HTTP
import JSON
import SDKCore

/// `register --user`, `--account` and `--reset-password`: what concerns a person, not the client.
extension Register {
  /// What is registered.
  enum Purpose: Sendable { case client, user, account, passwordReset }

  static func runForPerson(_ arguments: Arguments, in context: Context) async throws(Failure) {
    let session = try context.session()
    if let email = arguments.email {
      return try await askByMail(arguments.purpose, email, session, context)
    }
    switch arguments.purpose {
    case .account: try await visit(.signUp, arguments, session, context)
    case .passwordReset: try await visit(.passwordReset, arguments, session, context)
    case .user, .client: try await registerUser(arguments, session, context, prompt: nil)
    }
  }

  /// Registers the client first, where there is none.
  private static func registerUser(
    _ arguments: Arguments, _ session: ProfileSession, _ context: Context, prompt: String?
  ) async throws(Failure) {
    let name = session.profile.name
    let known = try translating(name) { () throws(SDKError) in
      try session.registration.usable()
    }
    // Options of the client are never passed over: they register it, or are refused.
    if arguments.describesClient, !arguments.force { try refuseExisting(session) }
    if known == nil || arguments.force || arguments.describesClient {
      RegistrationReport(
        registration: try await registerClient(arguments, session, context), profile: name
      ).note(context)
    }
    var options = LoginOptions()
    options.scope = arguments.scope
    options.timeout = context.remaining
    options.parameters["prompt"] = prompt
    let opens = arguments.browser
    let chosen = options
    let result = try await translating(name) { () async throws(SDKError) in
      let place: AnswerPlace = try session.registration.current()?.answerPlace ?? .loopback
      return try await session.login.registerUser(
        chosen, identityProvider: arguments.idp, at: place,
        present: { await Browser(context: context).present($0, opens: opens) })
    }
    LoginReport(result: result, slot: .user, session: session).print(context)
  }

  private static func visit(
    _ errand: AccountErrand, _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) async throws(Failure) {
    let name = session.profile.name
    let way = try await translating(name) { () async throws(SDKError) in
      try await session.account.way(to: errand)
    }
    switch way {
    case .promptCreate:
      try await registerUser(arguments, session, context, prompt: "create")
    case .page(let url):
      let isOpen = arguments.browser ? await Browser(context: context).visit(url) : false
      if context.globals.json {
        context.print([
          "profile": .string(name.description), "url": .string(url.description),
          "opened": .bool(isOpen),
        ])
      } else {
        context.note(isOpen ? "a browser was started for this page:" : "open this page:")
        context.print(url.description)
      }
    }
  }
}
