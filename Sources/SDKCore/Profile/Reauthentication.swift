import HTTP
import JSON
import Primitives

/// What follows the refusal of a credential (401).
public enum Reauthentication: Sendable, Hashable {
  /// The token is refreshed, or requested again.
  case refresh
  /// The user is logged in again, in a way that a module adds.
  case login(Remedy.Login.Means)
  /// Nothing: the response is delivered.
  case none
}

extension ValueType<Reauthentication> {
  /// `refresh`, `none` or the name of a way to log in.
  static var reauthentication: Self {
    text("refresh, none or a way to log in") { word in
      switch word {
      case "refresh": .refresh
      case "none": Reauthentication.none
      default: .login(.init(word))
      }
    }
  }
}

extension Profile {
  var secretNames: [String] { settings.keys.flatMap { $0.secretNames(in: self) } }

  /// The page of the login, if a redirect to it means that a credential is refused.
  var loginPage: HTTPURL? {
    self.reauthentication == Reauthentication.none ? nil : pageLogin.flatMap { self[$0.server] }
  }

  /// What the page of the login contains, if it comes in place of a resource.
  var loginPageText: [UInt8]? {
    pageLogin?.pageText.flatMap { self[$0] }.map { Array($0.utf8) }
  }

  private var pageLogin: ModuleSettings.Login? { settings.logins.first { $0.pageText != nil } }

  /// How a user logs in, if nothing else is asked for: as `reauthenticate` says, if that can be done.
  public var loginMeans: Remedy.Login.Means {
    switch self.reauthentication {
    case .login(let means)? where ownLogins.contains(means): means
    case nil: ownLogins.first ?? .browser
    default: .browser
    }
  }

  package func loginMeans(except means: Remedy.Login.Means) -> Remedy.Login.Means {
    ownLogins.first { $0 != means } ?? .browser
  }

  private var ownLogins: [Remedy.Login.Means] {
    settings.logins.filter { self[$0.server] != nil }.map(\.means)
  }

  /// Refuses a profile with settings of a module that the program does not have.
  ///
  /// Other members that are unknown are kept, and mean nothing here.
  func requireModules() throws(SDKError) {
    for part in SettingTable.moduleSettings where self[part] != nil {
      guard !settings.keys.contains(where: { $0.name == part || $0.name.hasPrefix("\(part).") })
      else { continue }
      throw SDKError(
        .unavailable,
        "could not open the profile '\(name)': this program has no module for '\(part)'",
        subject: name.description)
    }
  }
}
