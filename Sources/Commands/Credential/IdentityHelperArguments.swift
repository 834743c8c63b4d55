import Arguments
import SDKCore

/// The arguments of helpers that can also return the user's ID token, and that know one action.
protocol IdentityHelperArguments: HelperArguments {
  /// `install`, or `nil` for the credentials.
  var action: String? { get set }
}

extension Option where Arguments: IdentityHelperArguments {
  /// `--id-token`, which is not beside what selects an access token.
  static func idToken(_ path: any Path<Bool>, _ summary: String) -> Self {
    .flag("id-token", nil, path, summary).excludes(TokenSelection.otherThanUser)
  }
}

extension Operand where Arguments: IdentityHelperArguments {
  /// The action `install`.
  static var installation: Self {
    .optional("ACTION", \.action, "install: print the configuration") {
      (text) throws(ValueError) in
      guard text == "install" else { throw ValueError("expected install") }
      return text
    }
    .completing(.choices(["install"]))
  }
}
