import HTTP
import Primitives

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
  /// The parameters and fields of requests and responses whose values no trace shows.
  var secretNames: [String] {
    var names = (self.formPasswordField?.words ?? []) + self.formQuestions
    names += self.tokenParameters.secretNames
    for place in [self.formJWT, self.fidoJWT] {
      switch place {
      case .header(let name), .cookie(let name): names.append(name)
      case .member(let path): names += path.split(separator: ".").suffix(1).map(String.init)
      case nil: break
      }
    }
    return names
  }

  /// The page of the login, if a redirect to it means that a credential is refused.
  var loginPage: HTTPURL? {
    self.reauthentication == Reauthentication.none ? nil : self.formURL
  }

  /// What the page of the login contains, if it comes in place of a resource.
  var loginPageText: [UInt8]? {
    loginPage == nil ? nil : self.formPageText.map { Array($0.utf8) }
  }

  /// Whether users log in on the provider's pages, as far as the profile knows.
  package var hasFormLogin: Bool { self["form.url"] != nil }

  /// Whether users log in with a FIDO key, as far as the profile knows.
  public var hasFIDO: Bool { self["fido.url"] != nil }

  /// Whether the passcode of its FIDO keys is in a file.
  public var hasPasscodeFile: Bool { self.fidoPasscodeFile != nil }

  /// How a user logs in, if nothing else is asked for: as `reauthenticate` says, if that can be done.
  public var loginMeans: Remedy.Login.Means {
    loginWay.map { Remedy.Login.Means($0.rawValue) } ?? .browser
  }

  /// How a user logs in other than by browser; `nil` for that.
  var loginWay: Reauthentication? {
    switch self.reauthentication {
    case .fido where hasFIDO: .fido
    case .form where hasFormLogin: .form
    case nil where hasFormLogin: .form
    case nil where hasFIDO: .fido
    default: nil
    }
  }

  /// How a login that is not OAuth is renewed without the setting.
  var usualRenewalOutsideOAuth: Reauthentication { loginWay ?? .form }
}
