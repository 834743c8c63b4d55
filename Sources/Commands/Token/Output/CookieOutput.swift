import HTTP
import Primitives
import SDKCore

extension TokenForm {
  /// The lines for cookies of a profile; `nil` for a form that only tokens have.
  func lines(_ session: SessionCookies, of profile: Profile, at now: Timestamp) -> [String]? {
    func value(_ url: HTTPURL?) -> String { url.flatMap { session.header(for: $0, at: now) } ?? "" }
    switch self {
    case .cookieJar: return session.cookies.netscapeFile
    case .cookie: return [value(profile.resourceURL)]
    case .header: return ["Cookie: \(value(profile.resourceURL))"]
    case .curl: return Self.curlLines(["Cookie: \(value(profile.resourceURL))"], of: profile)
    case .bare, .environment: return nil
    }
  }
}

extension Token {
  /// Prints the cookies of the login, if it is one with cookies; `false` if it is not.
  static func printCookies(
    _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) async throws -> Bool {
    let selection = arguments.selection
    guard !selection.selectsToken, arguments.proof == nil, !selection.idToken else { return false }
    let (form, profile) = (arguments.form, session.profile)
    if form == .bare, !context.globals.json { return false }
    if case .environment = form { return false }
    // A file of cookies has those of all servers.
    let isWhole = context.globals.json || form == .cookieJar
    let url = isWhole ? nil : profile.resourceURL
    let cookies = try await selection.login(session, context).run { () async throws(SDKError) in
      try await session.tokens.cookies(for: url, selection.demand)
    }
    guard let cookies else { return try requireToken(form, profile) }
    if context.globals.json {
      context.print(PrintedToken.cookieRows.json((cookies, profile.name)))
    } else {
      let lines = form.lines(cookies, of: profile, at: context.now()) ?? []
      context.write(document: lines.map { $0 + "\n" }.joined())
    }
    return true
  }

  private static func requireToken(
    _ form: TokenForm, _ profile: Profile
  ) throws -> Bool {
    guard form == .cookie || form == .cookieJar else { return false }
    throw Failure(
      .noCookies,
      "could not print the cookies of '\(profile.name)': nobody is logged in with cookies",
      hints: [ShellWord.sdkctl(of: profile.name, "login", "form")])
  }
}
