import HTTP
import Primitives
public import SDKCore
import WebForms

/// One form of a login, with the roles of its fields.
struct FormStep {
  let form: HTMLForm
  let userField: String?
  let passwordField: String?
  private let settings: FormSettings

  /// Finds the form of a page that continues the login; `nil` if there is none.
  ///
  /// In this order: one with a field that the profile names, one with a password, one with a
  /// one-time code, one with a single text field while no user name was sent, and one that has
  /// hidden fields only and is alone on its page.
  init?(_ forms: [HTMLForm], _ settings: FormSettings, hasSentUser: Bool) {
    let named =
      [settings[FormKeys.userField], settings[FormKeys.passwordField]].compactMap { $0 }
      + settings[FormKeys.questions]
    let posts = forms.filter { $0.buttons.first?.isPost ?? $0.isPost }
    let chosen =
      forms.first { form in named.contains { form.field($0) != nil } }
      ?? forms.first { $0.fields.contains(where: \.isSecret) }
      ?? posts.first { $0.fields.contains(where: \.isOneTimeCode) }
      ?? (hasSentUser ? nil : posts.first { $0.textFields.count == 1 })
      ?? (posts.count == 1 && posts[0].isHidden ? posts[0] : nil)
    guard let chosen else { return nil }
    form = chosen
    self.settings = settings
    let secret = chosen.fields.first {
      $0.isSecret && !settings[FormKeys.questions].contains($0.name)
    }
    passwordField =
      settings[FormKeys.passwordField].flatMap { chosen.field($0)?.name }
      ?? (settings[FormKeys.passwordField] == nil ? secret?.name : nil)
    userField =
      settings[FormKeys.userField].flatMap { chosen.field($0)?.name }
      ?? (settings[FormKeys.userField] == nil
        ? Self.userField(of: chosen, before: passwordField, settings, hasSentUser) : nil)
  }

  private static func userField(
    of form: HTMLForm, before password: String?, _ settings: FormSettings, _ hasSentUser: Bool
  ) -> String? {
    let texts = form.textFields.filter {
      !settings[FormKeys.questions].contains($0.name) && !$0.isOneTimeCode
    }
    if let named = texts.first(where: { ["username", "email"].contains($0.purpose) }) {
      return named.name
    }
    guard let password else { return hasSentUser ? nil : texts.first?.name }
    let before = form.fields.prefix { $0.name != password }.map(\.name)
    return texts.last { before.contains($0.name) }?.name ?? texts.first?.name
  }

  /// The fields that neither the page nor the profile fills in.
  var questions: [HTMLForm.Field] {
    form.fields.filter { field in
      guard field.name != userField, field.name != passwordField,
        settings[FormKeys.parameters][field.name] == nil
      else { return false }
      return settings[FormKeys.questions].contains(field.name) || field.isOneTimeCode
        || (field.isSecret && field.value.isEmpty)
    }
  }

  /// Whether the form has nothing to fill in: a script of the page would send it.
  var isAutomatic: Bool { userField == nil && passwordField == nil && questions.isEmpty }

  /// The parameters of the form with values in place of those of the page.
  func parameters(_ values: [String: String]) -> FormParameters {
    var parameters = FormParameters()
    for field in form.fields where !field.isButton || field == button {
      let value = values[field.name] ?? settings[FormKeys.parameters][field.name] ?? field.value
      parameters.append(field.name, value)
    }
    if let button, !button.name.isEmpty, !form.fields.contains(button) {
      parameters.append(button.name, button.value)
    }
    for pair in settings[FormKeys.parameters] where parameters[pair.name] == nil {
      parameters.append(pair.name, pair.value)
    }
    return parameters
  }

  /// The button whose value is sent: the one that the profile names, else the first.
  private var button: HTMLForm.Field? {
    let named = form.buttons.filter {
      settings[FormKeys.parameters][$0.name] != nil && !$0.name.isEmpty
    }
    return named.first { sameIdentifier(settings[FormKeys.parameters][$0.name], $0.value) } ?? named
      .first
      ?? form.buttons.first
  }

  /// Whether it is sent as a POST.
  var isPost: Bool { button?.isPost ?? form.isPost }

  func body(_ values: [String: String]) -> FormBody {
    FormBody(
      parameters: parameters(values), isMultipart: button?.isMultipart ?? form.isMultipart,
      isLatin: form.isLatin)
  }

  /// The URL that the form is sent to.
  ///
  /// - Throws: ``SDKError`` if the URL is not valid, or the password or a secret answer would be part of it.
  func target(on page: HTTPURL) throws(SDKError) -> HTTPURL {
    let asksForSecret = questions.contains(where: \.asksForSecret)
    guard isPost || (passwordField == nil && !asksForSecret) else {
      let secret = passwordField == nil ? "a secret answer" : "the password"
      throw SDKError(
        .policy, cause: "the form would send \(secret) as part of an address",
        subject: page.host)
    }
    let written = button?.action ?? form.action
    let action = written.split(separator: "#", omittingEmptySubsequences: false).first ?? ""
    guard !action.isEmpty else { return page }
    let base = form.base.flatMap { try? page.resolving($0) } ?? page
    guard let url = try? base.resolving(String(action)),
      url.scheme == .https || page.scheme == .http
    else {
      throw SDKError(
        .malformedResponse, cause: "the form is sent to no usable URL", subject: page.host)
    }
    return url
  }
}

extension HTMLForm.Field {
  fileprivate var isOneTimeCode: Bool { purpose == "one-time-code" }

  /// Whether its answer is neither shown nor part of an address.
  var asksForSecret: Bool { isSecret || isOneTimeCode }
}

extension HTMLForm {
  /// The fields in which a name is typed.
  fileprivate var textFields: [Field] {
    fields.filter { ["text", "email", "tel", "number"].contains($0.type) }
  }

  /// Whether a person has nothing to fill in: pages with scripts send such a form by themselves.
  fileprivate var isHidden: Bool { !fields.isEmpty && !fields.contains(where: \.isVisible) }
}

/// User name, password and answers for a login on the provider's pages.
public struct FormCredentials: Sendable {
  /// A field of a page that the user must fill in.
  public struct Question: Sendable, Hashable {
    /// The name of the field.
    public let field: String
    /// The label of the field on the page, in visible characters.
    public let prompt: String
    /// Whether the answer must not be shown while it is typed.
    public let isSecret: Bool
    /// Whether it is the password.
    public let isPassword: Bool
  }

  /// The user's name; `nil` for `form.user`, or to be asked.
  public var user: String?
  /// The password; `nil` for that of `form.passwordFile`, or to be asked.
  public var password: String?
  /// Answers by the name of the field.
  public var answers: [String: String]
  /// Asks a person; `nil` if nobody can be asked.
  public var ask: (@Sendable (Question) async throws(SDKError) -> String)?

  /// Makes credentials.
  public init(
    user: String? = nil, password: String? = nil, answers: [String: String] = [:],
    ask: (@Sendable (Question) async throws(SDKError) -> String)? = nil
  ) {
    self.user = user
    self.password = password
    self.answers = answers
    self.ask = ask
  }
}
