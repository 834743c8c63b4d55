import HTTP
import JSON
import Primitives
import SDKCore
import Trace
import WebForms

/// A login on the provider's pages: fills in and sends forms until the provider has returned cookies or a
/// JWT.
struct FormLogin {
  private let environment: SessionEnvironment
  private let settings: FormSettings
  private let credentials: FormCredentials
  private let traceSecrets: TraceSecrets?
  private var pages: FormPages
  /// The names of the fields that were sent with values of the user.
  private var sent: Set<String> = []
  /// The cookies before the password was sent; `nil` until then.
  private var before: [Cookie]?
  /// The user's name that was sent; `nil` until then.
  private var user: String?

  init(
    _ environment: SessionEnvironment, _ settings: FormSettings, _ credentials: FormCredentials,
    _ traceSecrets: TraceSecrets?
  ) {
    self.traceSecrets = traceSecrets
    self.environment = environment
    self.settings = settings
    self.credentials = credentials
    pages = FormPages(environment, settings)
  }

  mutating func provider() async throws(SDKError) -> AuthorizationProvider {
    if settings[FormKeys.fetchesPage] {
      try await pages.get(settings.url)
    } else {
      try await sendDirectly()
    }
    var steps = 0
    while let page = pages.page {
      if let before, let provider = try result(page, before) { return provider }
      guard let step = FormStep(page.forms, settings, hasSentUser: user != nil) else {
        throw noForm(page)
      }
      guard steps < Self.maximumSteps else { break }
      steps += 1
      try await send(step, from: page.response.url)
    }
    throw SDKError(
      .refused, cause: "the login has more than \(Self.maximumSteps) steps",
      subject: settings.url.host)
  }

  /// Sends user name and password to an address that has no page.
  private mutating func sendDirectly() async throws(SDKError) {
    guard let userField = settings[FormKeys.userField],
      let passwordField = settings[FormKeys.passwordField]
    else {
      throw SDKError(
        .invalidConfiguration,
        cause: "without a page, form.userField and form.passwordField are needed",
        subject: "form.passwordField")
    }
    var parameters = settings[FormKeys.parameters]
    user = try await userName(prompt: "User name")
    parameters[userField] = user
    parameters[passwordField] = try await password(of: passwordField, prompt: "Password")
    before = []
    sent = [userField, passwordField]
    traceSecrets?.learn(parameter: passwordField)
    try await pages.post(
      FormBody(parameters: parameters), to: settings.url, from: settings.url)
  }

  private mutating func send(_ step: FormStep, from page: HTTPURL) async throws(SDKError) {
    let url = try step.target(on: page)
    guard settings.allows(url) else {
      throw SDKError(
        .policy, cause: "the form is sent to \(url.origin), which is not in form.hosts",
        subject: url.origin)
    }
    var values: [String: String] = [:]
    if let name = step.userField {
      user = try await userName(prompt: step.form.prompt(of: name))
      values[name] = user
    }
    if let name = step.passwordField {
      values[name] = try await password(of: name, prompt: step.form.prompt(of: name))
      traceSecrets?.learn(parameter: name)
      if before == nil { before = pages.jar.cookies }
    }
    for field in step.questions {
      values[field.name] = try await answer(
        FormCredentials.Question(
          field: field.name, prompt: step.form.prompt(of: field.name),
          isSecret: field.asksForSecret, isPassword: false))
    }
    for field in step.questions where field.asksForSecret {
      traceSecrets?.learn(parameter: field.name)
    }
    sent.formUnion(values.keys)
    if step.isPost {
      try await pages.post(step.body(values), to: url, from: page)
    } else {
      try await pages.get(url.withQuery(step.body(values).encoded))
    }
  }

  /// The credential that the login has returned; `nil` if the login has another step.
  private func result(
    _ page: FormPages.Page, _ before: [Cookie]
  ) throws(SDKError) -> AuthorizationProvider? {
    let step = FormStep(page.forms, settings, hasSentUser: true)
    let asksAgain = [step?.userField, step?.passwordField].contains {
      $0.map(sent.contains) ?? false
    }
    let outcome = FormOutcome(settings, page, pages.jar.cookies, before)
    guard page.response.status < 400, !asksAgain || outcome.isDecided,
      page.json?.reportsError != true
    else {
      throw refused(page, asksAgain ? "the page asks for them again" : nil)
    }
    guard outcome.isSuccess(with: step) else {
      if step != nil { return nil }
      throw refused(page, outcome.missing)
    }
    return try outcome.provider(of: user, at: environment.now())
  }

  private func refused(_ page: FormPages.Page, _ cause: String?) -> SDKError {
    let host = page.response.url.host
    let reason =
      cause
      ?? (page.response.status >= 400
        ? "it \(page.response.returned)" : "its response reports an error")
    return SDKError(
      page.response, cause: "\(host) did not accept the user name and password: \(reason)",
      subject: host)
  }

  private func noForm(_ page: FormPages.Page) -> SDKError {
    // A redirect to another host was not followed.
    guard page.url == page.response.url else { return pages.forbidden(page.url) }
    let place = "\(page.response.url.origin)\(page.response.url.path)"
    return SDKError(
      .malformedResponse,
      cause: "the page \(place) (status \(page.response.status)) has no form of a login",
      subject: page.response.url.host)
  }

  private static let maximumSteps = 10

  private func userName(prompt: String) async throws(SDKError) -> String {
    if let user = credentials.user ?? settings[FormKeys.user] { return user }
    return try await answer(
      FormCredentials.Question(
        field: settings[FormKeys.userField] ?? "user", prompt: prompt, isSecret: false,
        isPassword: false)
    )
  }

  private func password(of field: String, prompt: String) async throws(SDKError) -> String {
    if let password = credentials.password ?? credentials.answers[field] { return password }
    if let path = settings[FormKeys.passwordFile] {
      return try await SecretFile.line(of: path, "password (form.passwordFile)")
    }
    return try await answer(
      FormCredentials.Question(field: field, prompt: prompt, isSecret: true, isPassword: true))
  }

  private func answer(_ question: FormCredentials.Question) async throws(SDKError) -> String {
    if let answer = credentials.answers[question.field] { return answer }
    guard let ask = credentials.ask else {
      throw SDKError(
        .notAuthenticated,
        cause: "the login asks for '\(question.prompt)', and nobody can be asked",
        resource: .userNotAuthenticated, subject: settings.profile.name.description,
        remedy: .login(.init(by: .form)))
    }
    return try await ask(question)
  }
}

extension HTMLForm {
  /// The label of a field on one line; its name if it has no label.
  fileprivate func prompt(of name: String) -> String {
    let label = VisibleText.of(field(name)?.label ?? "", .space, limit: 80).trimmingBlanks
    return label.isEmpty ? VisibleText.of(name, .space, limit: 80) : label
  }
}

extension JSON {
  /// Whether an object has a member `error` with an error: not null, false, 0 or an empty text.
  fileprivate var reportsError: Bool {
    switch self["error"] {
    case nil, .null?, .bool(false)?: false
    case .string(let text)?: !text.isEmpty
    case .number?: self["error"]?.int != 0
    default: true
    }
  }
}

/// Decides whether a login on the provider's pages has succeeded, and reads its cookies or its JWT.
///
/// A login has succeeded if `form.successURL` was reached, and the cookies and the JWT that the profile
/// names are there. Without these settings it has succeeded if the provider has returned a JWT, or a cookie
/// that is new since the password was sent, on a page that asks for nothing more.
struct FormOutcome {
  private let settings: FormSettings
  private let page: FormPages.Page
  private let cookies: [Cookie]
  private let before: [Cookie]

  init(
    _ settings: FormSettings, _ page: FormPages.Page, _ cookies: [Cookie],
    _ before: [Cookie]
  ) {
    self.settings = settings
    self.page = page
    self.cookies = cookies
    self.before = before
  }

  /// Whether the login is over; `step` is the form with which it could go on.
  func isSuccess(with step: FormStep?) -> Bool {
    guard missing == nil else { return false }
    return isDecided || !settings[FormKeys.cookies].isEmpty || step?.isAutomatic ?? true
  }

  /// Whether the login has reached `form.successURL`, with all that the profile names.
  var isDecided: Bool { settings[FormKeys.successURL] != nil && missing == nil }

  /// The condition of a success that is not met, in words; `nil` if all are.
  var missing: String? {
    if let url = settings[FormKeys.successURL], !Self.begins(page.url, with: url) {
      return "it leads to \(page.url.origin)\(page.url.path), not to form.successURL"
    }
    if let missing = returned.missing { return missing + elsewhere }
    if returned.isToken { return nil }
    let isKnown = settings[FormKeys.successURL] != nil || !settings[FormKeys.cookies].isEmpty
    return isKnown || hasNewCookie ? nil : "it set no new cookie" + elsewhere
  }

  /// The redirect that ended the login, as a clause; empty without one.
  private var elsewhere: String {
    page.url == page.response.url
      ? "" : ", and its redirect to \(page.url.origin) is not followed (form.hosts)"
  }

  /// The JWT or the cookies of the login of a user with that name.
  func provider(of user: String?, at now: Timestamp) throws(SDKError) -> AuthorizationProvider {
    try returned.provider(of: user, at: now)
  }

  private var returned: ReturnedCredential {
    ReturnedCredential(
      kind: settings[FormKeys.provider], place: settings[FormKeys.jwt],
      names: settings[FormKeys.cookies],
      responses: page.hops, cookies: cookies,
      // Beside the cookies of a login, another text of that name may protect a form.
      allowsOpaque: settings[FormKeys.provider] == "jwt" || settings[FormKeys.jwt] != nil
        || settings[FormKeys.cookies].isEmpty && !hasNewCookie)
  }

  private var hasNewCookie: Bool { cookies.contains { !before.contains($0) } }

  /// Whether a URL has the origin of another one, and its path begins with the other's.
  private static func begins(_ url: HTTPURL, with start: HTTPURL) -> Bool {
    url.sharesOrigin(with: start) && url.target.utf8.starts(with: start.target.utf8)
  }
}
