import HTTP
import JSON
import Primitives

/// The keys about a login on the provider's own pages, and what follows a 401.
extension ProfileKey {
  static let formKeys: [ProfileKey] = [
    ProfileKey(
      name: "reauthenticate", kind: .choice(Reauthentication.allCases.map(\.rawValue)),
      summary: "What follows a 401: refresh the token, log in by form, or nothing",
      unavailable: ["fido": "this version has no FIDO authenticator"]),
    ProfileKey(
      name: "form.url", kind: .url, summary: "The page or address to which login form sends"),
    ProfileKey(
      name: "form.page", kind: .boolean,
      summary: "Whether login form gets the page first, for its fields; true without it"),
    ProfileKey(
      name: "form.userField", kind: .text, summary: "The field of the user name, if not recognised"),
    ProfileKey(
      name: "form.passwordField", kind: .text,
      summary: "The field of the password, if not recognised"),
    ProfileKey(
      name: "form.parameters", kind: .formFields, summary: "Values of other fields of the form"),
    ProfileKey(
      name: "form.questions", kind: .words,
      summary: "Other fields that a person fills in, such as a one-time code"),
    ProfileKey(name: "form.user", kind: .text, summary: "The user name for login form"),
    ProfileKey(
      name: "form.passwordFile", kind: .path,
      summary: "A file with the password, for login form and for a login after a 401"),
    ProfileKey(
      name: "form.hosts", kind: .hosts,
      summary: "Hosts of the login besides those of form.url and of fetch"),
    ProfileKey(
      name: "form.cookies", kind: .words,
      summary: "The cookies without which the login has failed; only they are stored"),
    ProfileKey(
      name: "form.successURL", kind: .url,
      summary: "What the address begins with at which a login arrives that has succeeded"),
    ProfileKey(
      name: "form.pageText", kind: .text,
      summary: "A text of the page of the login, if it comes with 200 in place of a resource"),
    ProfileKey(
      name: "form.logoutURL", kind: .url,
      summary: "The page with which logout ends the session at the provider"),
    ProfileKey(
      name: "form.provider", kind: .choice(["cookies", "jwt"]),
      summary: "What the login yields; without it, a JWT if there is one, else cookies"),
    ProfileKey(
      name: "form.jwt", kind: .tokenPlace,
      summary: "Where the JWT is: header:NAME, member:NAME or cookie:NAME"),
  ]
}

/// What follows the refusal of a credential (401).
public enum Reauthentication: String, Sendable, CaseIterable {
  /// The token is refreshed, or requested again.
  case refresh
  /// The user is logged in on the provider's pages, with the stored password.
  case form
  /// The user is authenticated with a FIDO key.
  case fido
  /// Nothing: the response is delivered.
  case none
}

extension Profile {
  /// What follows a 401; without the setting, whatever the stored credential came from.
  public var reauthentication: Reauthentication? {
    self["reauthenticate"]?.string.flatMap(Reauthentication.init)
  }

  /// The fields of the login's form and of its responses whose values no trace shows.
  var secretFormFields: [String] {
    var names = ["form.passwordField", "form.questions"].flatMap {
      self[$0]?.string?.words ?? []
    }
    switch self["form.jwt"]?.string.flatMap(TokenPlace.init) {
    case .header(let name), .cookie(let name): names.append(name)
    case .member(let path): names += path.split(separator: ".").suffix(1).map(String.init)
    case nil: break
    }
    return names
  }

  /// The page of the login, if a redirect to it means that a credential is refused.
  var loginPage: HTTPURL? {
    guard reauthentication != Reauthentication.none else { return nil }
    return self["form.url"]?.string.flatMap { try? HTTPURL($0) }
  }

  /// What the page of the login contains, if it comes in place of a resource.
  var loginPageText: [UInt8]? {
    guard loginPage != nil, let text = self["form.pageText"]?.string, !text.isEmpty else {
      return nil
    }
    return Array(text.utf8)
  }

  /// Where the provider's session is ended.
  var logoutPage: HTTPURL? {
    self["form.logoutURL"]?.string.flatMap { try? HTTPURL($0) }
  }

  /// Whether users log in on the provider's pages, as far as the profile knows.
  public var hasFormLogin: Bool { self["form.url"] != nil }
}
