import Arguments
import SDKCore

/// The arguments of helpers that can also return the user's ID token, and that know one action.
protocol IdentityHelperArguments: HelperArguments {
  /// `install`, or `nil` for the credentials.
  var action: String? { get set }
  var idToken: Bool { get }
}

extension IdentityHelperArguments {
  /// Refuses an ID token together with what selects an access token.
  func requireOneToken() throws(ValueError) {
    if idToken, selection.selectsToken {
      throw ValueError("--id-token cannot be used with another slot, --scope or --audience")
    }
  }
}

extension Operand where Arguments: IdentityHelperArguments {
  /// The action `install`.
  static var installation: Self {
    .optional("ACTION", \.action, "install: print or write the configuration") {
      (text) throws(ValueError) in
      guard text == "install" else { throw ValueError("expected install") }
      return text
    }
    .completing(.choices(["install"]))
  }
}
