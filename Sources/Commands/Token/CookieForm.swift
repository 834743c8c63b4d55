import HTTP
import Primitives
import SDKCore

/// How the cookies of a login are printed for another program.
enum CookieForm: Sendable {
  /// The value of the field `Cookie` of a request to the resource URL.
  case value
  /// A file in the format of Netscape and curl.
  case jar

  /// What the cookies must be for.
  func target(of profile: Profile) -> HTTPURL? {
    switch self {
    case .value: profile.resourceURL
    case .jar: nil
    }
  }
}

extension TokenForm {
  /// The lines for cookies of a profile; `nil` for a form that only tokens have.
  func lines(_ session: SessionCookies, of profile: Profile, at now: Timestamp) -> [String]? {
    func value(_ url: HTTPURL?) -> String { url.flatMap { session.header(for: $0, at: now) } ?? "" }
    switch self {
    case .cookies(.jar): return session.cookies.netscapeFile
    case .cookies(.value): return [value(profile.resourceURL)]
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
    if case .bare = form, !context.globals.json { return false }
    if case .environment = form { return false }
    let url = context.globals.json ? nil : form.cookieTarget(of: profile)
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
    guard case .cookies = form else { return false }
    throw Failure(
      .authenticationRequired, .noCookies,
      "could not print the cookies of '\(profile.name)': nobody is logged in with cookies",
      hints: [ShellWord.sdkctl(of: profile.name, "login", "form")])
  }
}

extension TokenForm {
  /// What the cookies must be for; `nil` for all.
  fileprivate func cookieTarget(of profile: Profile) -> HTTPURL? {
    if case .cookies(let form) = self { return form.target(of: profile) }
    return profile.resourceURL
  }
}
