package import HTTP
import JOSE
import OAuth

// Keys of the login on the provider's pages, beside those of `ProfileKeys.swift`.
extension ProfileKeys {
  package var formURL: Key<HTTPURL?> {
    Key(
      "form.url", .url, .address, "The page or address to which login form sends")
  }
  package var formFetchesPage: Key<Bool> {
    Key(
      "form.page", .flag, .harmless, default: true,
      "Whether login form gets the page first, for its fields")
  }
  package var formUserField: Key<String?> {
    Key(
      "form.userField", .text, .harmless, "The field of the user name, if not recognised")
  }
  package var formPasswordField: Key<String?> {
    Key(
      "form.passwordField", .text, .harmless, "The field of the password, if not recognised")
  }
  package var formParameters: Key<FormParameters> {
    Key(
      "form.parameters", .formFields, .harmless, default: [:], "Values of other fields of the form")
  }
  package var formQuestions: Key<[String]> {
    Key(
      "form.questions", .words, .harmless, default: [],
      "Other fields that a person fills in, such as a one-time code")
  }
  package var formUser: Key<String?> {
    Key(
      "form.user", .text, .harmless, "The user name for login form")
  }
  package var formPasswordFile: Key<String?> {
    Key(
      "form.passwordFile", .path, .local,
      "A file with the password, for login form and for a login after a 401")
  }
  package var formHosts: Key<[String]> {
    Key(
      "form.hosts", .hosts, .hosts, default: [],
      "Hosts of the login besides those of form.url and of fetch")
  }
  package var formCookies: Key<[String]> {
    Key(
      "form.cookies", .words, .harmless, default: [],
      "The cookies without which the login has failed; only they are stored")
  }
  package var formSuccessURL: Key<HTTPURL?> {
    Key(
      "form.successURL", .url, .address,
      "What the address begins with at which a login arrives that has succeeded")
  }
  var formPageText: Key<String?> {
    Key(
      "form.pageText", .text, .harmless,
      "A text of the page of the login, if it comes with 200 in place of a resource")
  }
  package var logoutPage: Key<HTTPURL?> {
    Key(
      "form.logoutURL", .url, .address,
      "The page with which logout ends the session at the provider")
  }
  package var formProvider: Key<String?> {
    Key(
      "form.provider", .choice("cookies", "jwt"), .harmless,
      "What the login yields; without it, a JWT if there is one, else cookies")
  }
  package var formJWT: Key<ReturnedTokenSource?> {
    Key(
      "form.jwt", .tokenPlace, .harmless,
      "Where the JWT is: header:NAME, member:NAME or cookie:NAME")
  }
}
