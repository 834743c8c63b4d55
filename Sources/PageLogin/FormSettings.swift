import HTTP
import Pinning
public import SDKCore

/// The settings of a profile for the login on the provider's pages: its section `form`.
struct FormSettings: Sendable {
  let profile: Profile
  /// The URL of the page with the form; without a page, the URL that the form is sent to.
  let url: HTTPURL

  /// Reads the section `form`, which must have `form.url`.
  init(_ profile: Profile) throws(SDKError) {
    url = try profile.required(FormKeys.url)
    self.profile = profile
  }

  subscript<Value>(key: Key<Value>) -> Value { profile[key] }

  /// Whether the login may send a request to a URL: forms and redirects of a page may lead anywhere.
  func allows(_ url: HTTPURL) -> Bool {
    if url.sharesOrigin(with: self.url) || profile.allowsCredential(to: url) { return true }
    return url.scheme == .https
      && profile[FormKeys.hosts].contains { PinEndpoint(allowedHost: $0) == PinEndpoint(url) }
  }
}

/// The settings of the login on the provider's pages: the section `form`.
enum FormKeys {
  static let url = Key<HTTPURL?>(
    "form.url", .form, .server, .address, "The page or address to which login form sends",
    example: "https://www.example.com/login")
  static let fetchesPage = Key<Bool>(
    "form.page", .form, .flag, .harmless, default: true,
    "Whether login form gets the page first, for its fields", example: "false")
  static let userField = Key<String?>(
    "form.userField", .form, .text, .harmless, "The field of the user name, if not recognised",
    example: "email")
  static let passwordField = Key<String?>(
    "form.passwordField", .form, .secretField, .harmless,
    "The field of the password, if not recognised", example: "pw")
  static let parameters = Key<FormParameters>(
    "form.parameters", .form, .formFields, .harmless, default: [:],
    "Values of other fields of the form", example: "remember=1")
  static let questions = Key<[String]>(
    "form.questions", .form, .secretFields, .harmless, default: [],
    "Other fields that a person fills in, such as a one-time code", example: "otp")
  static let user = Key<String?>(
    "form.user", .form, .text, .harmless, "The user name for login form", example: "alice",
    needs: { _, _ in ["form.url"] })
  static let passwordFile = Key<String?>(
    "form.passwordFile", .form, .path, .local,
    "A file with the password, for login form and for a login after a 401",
    example: "/home/alice/site-password")
  static let hosts = Key<[String]>(
    "form.hosts", .form, .hosts, .hosts, default: [],
    "Hosts of the login besides those of form.url and of fetch", example: "sso.example.com")
  static let successURL = Key<HTTPURL?>(
    "form.successURL", .formResult, .page, .address,
    "What the address begins with at which a login arrives that has succeeded",
    example: "https://www.example.com/home",
    needs: { _, _ in ["form.url"] })
  static let pageText = Key<String?>(
    "form.pageText", .formResult, .text, .harmless,
    "A text of the page of the login, if it comes with 200 in place of a resource",
    example: "Sign in")
  static let cookies = Key<[String]>(
    "form.cookies", .formResult, .words, .harmless, default: [],
    "The cookies without which the login has failed; only they are stored", example: "SESSION")
  static let provider = Key<String?>(
    "form.provider", .formResult, .choice("cookies", "jwt"), .harmless,
    "What the login yields; without it, a JWT if there is one, else cookies", example: "cookies")
  static let jwt = Key<ReturnedTokenSource?>(
    "form.jwt", .formResult, .tokenPlace, .harmless,
    "Where the JWT is: header:NAME, member:NAME or cookie:NAME", example: "header:X-Token")
  static let logoutURL = Key<HTTPURL?>(
    "form.logoutURL", .formResult, .url, .address,
    "The page with which logout ends the session at the provider",
    example: "https://www.example.com/logout")

  static let rows: [ProfileKey] = [
    url.row,
    fetchesPage.row,
    userField.row,
    passwordField.row,
    parameters.row,
    questions.row,
    user.row,
    passwordFile.row,
    hosts.row,
    successURL.row,
    pageText.row,
    cookies.row,
    provider.row,
    jwt.row,
    logoutURL.row,
  ]
}

extension SettingHeading {
  fileprivate static let form = SettingHeading("Login by form")
  fileprivate static let formResult = SettingHeading("Result of a login by form")
}

extension ModuleSettings {
  /// The section `form` of a profile.
  public static let pages = ModuleSettings(
    .form, at: FormKeys.url, pageText: FormKeys.pageText, keys: FormKeys.rows)
}
